import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { knowledgeChunks } from './table.ts'

/** Ranks an agent's passages by their words; answers ids, best first. */
export const createWordRanking =
  (db: Database, limit: number) =>
  /** Any of the words, because a question seldom has all the words of its answer. */
  async (agentId: number, question: string): Promise<number[]> => {
    const query = sql`replace(plainto_tsquery('english', ${question})::text, '&', '|')::tsquery`
    const rows = await db
      .select({ id: knowledgeChunks.id })
      .from(knowledgeChunks)
      .where(and(eq(knowledgeChunks.agentId, agentId), sql`${knowledgeChunks.words} @@ ${query}`))
      .orderBy(desc(sql`ts_rank_cd(${knowledgeChunks.words}, ${query})`), knowledgeChunks.id)
      .limit(limit)
    return rows.map(({ id }) => id)
  }
