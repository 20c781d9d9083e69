import { and, eq, inArray } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import type { Embedder } from '../../knowledge/embedder.ts'
import { fuse } from '../../knowledge/fusion.ts'
import type { Knowledge } from '../../language-model/knowledge.ts'
import { createMeaningRanking } from './by-meaning.ts'
import { createWordRanking } from './by-words.ts'
import { knowledgeChunks, knowledgeFiles } from './table.ts'

/** A passage that a search found. */
export interface Found {
  fileId: number
  file: string
  text: string
  /** 0..1: 1 is first by words and by meaning. */
  score: number
}

/** How many candidates each way of searching brings. */
const candidates = 50
const longestQuestion = 2000

interface SearchOptions {
  db: Database
  embedder: Embedder
  log: Logger
}

/** Searches an agent's passages by words and by meaning, fused by rank. */
export function createSearch({ db, embedder, log }: SearchOptions) {
  const byWords = createWordRanking(db, candidates)
  const byMeaning = createMeaningRanking({ db, embedder, log }, candidates)

  return async (agentId: number, query: string, limit: number, signal?: AbortSignal): Promise<Found[]> => {
    const question = query.slice(0, longestQuestion).toWellFormed()
    const lists = await Promise.all([byWords(agentId, question), byMeaning(agentId, question, signal)])
    const best = fuse(lists).slice(0, limit)
    if (best.length === 0) return []
    const ids = best.map(({ id }) => id)
    const rows = await db
      .select({
        id: knowledgeChunks.id,
        fileId: knowledgeChunks.fileId,
        file: knowledgeFiles.originalName,
        text: knowledgeChunks.text,
      })
      .from(knowledgeChunks)
      .innerJoin(knowledgeFiles, eq(knowledgeFiles.id, knowledgeChunks.fileId))
      .where(and(eq(knowledgeChunks.agentId, agentId), inArray(knowledgeChunks.id, ids)))
    const byId = new Map(rows.map((row) => [row.id, row]))
    return best.flatMap(({ id, score }) => {
      const row = byId.get(id)
      return row
        ? [{ fileId: row.fileId, file: row.file, text: row.text, score: Math.round(score * 10_000) / 10_000 }]
        : []
    })
  }
}

export type Search = ReturnType<typeof createSearch>

/** How many passages a turn is offered. */
const passagesPerTurn = 6

/** The same search as turns use it. */
export const knowledgeOf = (search: Search): Knowledge => ({
  search: (agent, query, signal) => search(agent.id, query, passagesPerTurn, signal),
})
