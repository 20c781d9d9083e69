import { and, eq, isNotNull } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import type { Embedder } from '../../knowledge/embedder.ts'
import { type AgentVectors, createVectorCache, nearest } from '../../knowledge/vector-cache.ts'
import { knowledgeChunks, knowledgeVersions } from './table.ts'

interface MeaningOptions {
  db: Database
  embedder: Embedder
  log: Logger
}

/** Ranks an agent's passages by their meaning; answers ids, best first, and none while the embedder is out of reach. */
export function createMeaningRanking({ db, embedder, log }: MeaningOptions, limit: number) {
  const cache = createVectorCache()

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

  return async (agentId: number, question: string, signal?: AbortSignal): Promise<number[]> => {
    try {
      const vectors = await vectorsOf(agentId)
      if (vectors.ids.length === 0) return []
      const [query] = await embedder.embed([question], signal)
      return query ? nearest(vectors, query, limit) : []
    } catch (error) {
      log.warn({ err: error }, 'searching by meaning failed')
      return []
    }
  }
}
