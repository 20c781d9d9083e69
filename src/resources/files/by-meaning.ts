import { and, asc, eq, gt, isNotNull } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { type Corrected, correctedForHubness } from '../../knowledge/hubness.ts'
import { createVectorCache } from '../../knowledge/vector-cache.ts'
import {
  type FileVectors,
  fileVectors,
  indexOfId,
  likenesses,
  nearness,
  type VectorPlace,
} from '../../knowledge/vectors.ts'
import { createThreadShare } from '../../runtime/thread-share.ts'
import type { AgentState } from './agent-state.ts'
import { knowledgeChunks } from './table.ts'

/** Passages by their meaning: the greatest cosine with any of the queries. */
export interface MeaningRanking {
  /** Best first, corrected for hubness. */
  hits: ({ id: number } & Corrected)[]
  /** The greatest cosine as it was measured. */
  nearest: number
  /** The cosines of some passages more. */
  of(ids: ReadonlySet<number>): Map<number, number>
}

/**
 * Vectors read in one go, and compared by all searches before the thread is left to others: a few milliseconds each.
 */
const readSize = 500
const compareSize = 2_000

interface Compared {
  vectors: FileVectors
  from: number
  cosines: Float32Array
}

/** A passage that is near. */
interface Kept extends VectorPlace {
  id: number
  cosine: number
}

const bestFirst = (a: { id: number; cosine: number }, b: { id: number; cosine: number }) =>
  b.cosine - a.cosine || a.id - b.id

/** The greatest cosines, best first. */
function greatest(compared: readonly Compared[], limit: number): Kept[] {
  const kept: Kept[] = []
  let least = -1
  for (const { vectors, from, cosines } of compared) {
    for (let index = 0; index < cosines.length; index++) {
      const cosine = cosines[index] ?? -1
      if (kept.length >= limit * 2 && cosine <= least) continue
      kept.push({ id: vectors.ids[from + index] ?? 0, cosine, vectors, index: from + index })
      if (kept.length >= limit * 4) {
        kept.sort((a, b) => b.cosine - a.cosine)
        kept.length = limit
        least = kept.at(-1)?.cosine ?? -1
      }
    }
  }
  return kept.sort(bestFirst).slice(0, limit)
}

/** The passages that are near, corrected for hubness. */
function ranked(kept: readonly Kept[]): MeaningRanking['hits'] {
  const others = likenesses(kept)
  const corrected = correctedForHubness(
    kept.map(({ cosine }, at) => ({ cosine, others: others[at] ?? new Float32Array() })),
  )
  return kept
    .map(({ id, cosine }, at) => ({ id, ...(corrected[at] ?? { order: cosine, cosine }) }))
    .sort((a, b) => b.order - a.order || a.id - b.id)
}

function cosinesOf(compared: readonly Compared[], ids: ReadonlySet<number>): Map<number, number> {
  const found = new Map<number, number>()
  for (const { vectors, from, cosines } of compared) {
    for (const id of ids) {
      const cosine = cosines[indexOfId(vectors, id) - from]
      if (cosine !== undefined) found.set(id, cosine)
    }
  }
  return found
}

/** Ranks an agent's passages by their meaning, exactly: every vector of every indexed file is compared. */
export function createMeaningRanking(db: Database, indexId: string, limit: number) {
  const cache = createVectorCache()
  const thread = createThreadShare(compareSize)

  const read = async (fileId: number): Promise<FileVectors> => {
    const rows: { id: number; vector: Uint8Array }[] = []
    for (let after = 0; ; ) {
      const page = await db
        .select({ id: knowledgeChunks.id, vector: knowledgeChunks.vector })
        .from(knowledgeChunks)
        .where(
          and(
            eq(knowledgeChunks.fileId, fileId),
            eq(knowledgeChunks.embedderId, indexId),
            isNotNull(knowledgeChunks.vector),
            gt(knowledgeChunks.id, after),
          ),
        )
        .orderBy(asc(knowledgeChunks.id))
        .limit(readSize)
      for (const { id, vector } of page) if (vector) rows.push({ id, vector })
      after = page.at(-1)?.id ?? after
      if (page.length < readSize) return fileVectors(rows)
    }
  }

  return async ({ indexedFiles }: AgentState, queries: readonly Float32Array[]): Promise<MeaningRanking> => {
    const compared: Compared[] = []
    const atOnce = Math.max(1, Math.floor(compareSize / queries.length))
    for (const fileId of indexedFiles) {
      const vectors = await cache.of(fileId, () => read(fileId))
      for (let from = 0; from < vectors.ids.length; from += atOnce) {
        const to = Math.min(vectors.ids.length, from + atOnce)
        await thread((to - from) * queries.length)
        compared.push({ vectors, from, cosines: nearness(vectors, queries, [from, to]) })
      }
    }
    const kept = greatest(compared, limit)
    return { hits: ranked(kept), nearest: kept[0]?.cosine ?? 0, of: (ids) => cosinesOf(compared, ids) }
  }
}
