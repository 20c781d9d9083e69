import { availableParallelism } from 'node:os'
import { createThread } from '../runtime/thread.ts'
import { type Embedder, embeddedEmbedderId, unit } from './embedder.ts'

/** Each thread holds a model of its own, about 190 MB; one core is left for serving. */
const maxThreads = 4
const spareCores = () => Math.max(1, Math.min(maxThreads, availableParallelism() - 1))

const embeddingThread = () =>
  createThread<readonly string[], number[][]>('embedder', new URL('./embedding-worker.ts', import.meta.url))

/**
 * all-MiniLM-L6-v2, which comes with its package: 384 dimensions, no network; it reads English, into which German,
 * Spanish and French are put. It runs on threads of its own, started when they are first needed, so that serving goes
 * on while a file is indexed.
 */
export function embeddedEmbedder(threads = spareCores()): Embedder {
  const pool = Array.from({ length: threads }, embeddingThread)
  return {
    id: embeddedEmbedderId,
    related: { least: 0.1, most: 0.55 },
    concurrency: threads,
    async embed(texts, signal) {
      signal?.throwIfAborted()
      const [idlest] = pool.toSorted((a, b) => a.load - b.load)
      const vectors = (await idlest?.ask(texts)) ?? []
      return vectors.map(unit)
    },
    close() {
      for (const thread of pool) thread.close()
    },
  }
}
