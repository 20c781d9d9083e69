import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { knowledgeChunks } from './table.ts'

/** A word of the dictionary as a query for just that word. */
const asQuery = sql`('''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''')::tsquery`

/** Words of a question that are looked for: a page that is pasted in whole must not keep the database busy. */
const mostWords = 64

/** Ranks an agent's passages by their words; answers ids, best first. */
export const createWordRanking =
  (db: Database, limit: number) =>
  /**
   * Any of the words, because a question seldom has all the words of its answer. A word counts the more the fewer
   * passages have it: those that stand everywhere say nothing.
   */
  async (agentId: number, question: string): Promise<number[]> => {
    const rows = await db.execute<{ id: number }>(sql`
      with asked as (
          select lexeme, ${asQuery} as query from unnest(to_tsvector('english', ${question})) limit ${mostWords}),
        hits as (
          select c.id, lexeme, length(c.words) as length from ${knowledgeChunks} c inner join asked on c.words @@ query
          where c.agent_id = ${agentId}),
        weights as (
          select lexeme, ln(1 + (select count(*) from ${knowledgeChunks} where agent_id = ${agentId})::float8 / count(*))
            as weight
          from hits group by lexeme)
      select id from hits inner join weights using (lexeme)
      group by id order by sum(weight) desc, min(length), id limit ${limit}`)
    return rows.map(({ id }) => id)
  }
