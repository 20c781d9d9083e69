import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import type { Embedder } from '../../knowledge/embedder.ts'
import { fuse } from '../../knowledge/fusion.ts'
import { type AgentVectors, createVectorCache, nearest } from '../../knowledge/vector-cache.ts'
import type { Knowledge } from '../../language-model/knowledge.ts'
import { knowledgeChunks, knowledgeFiles, knowledgeVersions } from './table.ts'

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
  const cache = createVectorCache()

  /** Any of the words, because a question seldom has all the words of its answer. */
  const byWords = async (agentId: number, question: string): Promise<number[]> => {
    const query = sql`replace(plainto_tsquery('english', ${question})::text, '&', '|')::tsquery`
    const rows = await db
      .select({ id: knowledgeChunks.id })
      .from(knowledgeChunks)
      .where(and(eq(knowledgeChunks.agentId, agentId), sql`${knowledgeChunks.words} @@ ${query}`))
      .orderBy(desc(sql`ts_rank_cd(${knowledgeChunks.words}, ${query})`), knowledgeChunks.id)
      .limit(candidates)
    return rows.map(({ id }) => id)
  }

  const vectorsOf = async (agentId: number): Promise<AgentVectors> => {
    const [row] = await db
      .select({ version: knowledgeVersions.version })
      .from(knowledgeVersions)
      .where(eq(knowledgeVersions.agentId, agentId))
    const version = row?.version ?? 0
    const known = cache.get(agentId, version)
    if (known) return known
    const mine = and(
      eq(knowledgeChunks.agentId, agentId),
      eq(knowledgeChunks.embedderId, embedder.id),
      isNotNull(knowledgeChunks.vector),
    )
    const rows = await db
      .select({ id: knowledgeChunks.id, vector: knowledgeChunks.vector })
      .from(knowledgeChunks)
      .where(mine)
    const loaded: AgentVectors = { version, ids: [], vectors: [] }
    for (const { id, vector } of rows) {
      if (!vector) continue
      loaded.ids.push(id)
      loaded.vectors.push(new Float32Array(Uint8Array.from(vector).buffer))
    }
    cache.set(agentId, loaded)
    return loaded
  }

  /** While the embedder is out of reach the words alone decide. */
  const byMeaning = async (agentId: number, question: string, signal?: AbortSignal): Promise<number[]> => {
    try {
      const vectors = await vectorsOf(agentId)
      if (vectors.ids.length === 0) return []
      const [query] = await embedder.embed([question], signal)
      return query ? nearest(vectors, query, candidates) : []
    } catch (error) {
      log.warn({ err: error }, 'searching by meaning failed')
      return []
    }
  }

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
