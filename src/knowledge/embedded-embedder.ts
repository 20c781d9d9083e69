import { availableParallelism } from 'node:os'
import { type Embedder, embeddedEmbedderId, unit } from './embedder.ts'
import type { EmbeddingReply, EmbeddingRequest } from './embedding-worker.ts'

interface Pending {
  resolve(vectors: number[][]): void
  reject(error: Error): void
}

/** The thread does not keep the process alive; Bun's option, which the web's types do not have. */
const unreferenced = { ref: false } as WorkerOptions

/** Each thread holds a model of its own, about 190 MB; one core is left for serving. */
const maxThreads = 4
const spareCores = () => Math.max(1, Math.min(maxThreads, availableParallelism() - 1))

/** A thread with the model, started at its first request. */
function embeddingThread() {
  let worker: Worker | undefined
  let next = 0
  const waiting = new Map<number, Pending>()

  const fail = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
    worker?.terminate()
    worker = undefined
  }

  const started = (): Worker => {
    if (worker) return worker
    worker = new Worker(new URL('./embedding-worker.ts', import.meta.url).href, unreferenced)
    worker.onmessage = ({ data }: MessageEvent<EmbeddingReply>) => {
      const pending = waiting.get(data.id)
      waiting.delete(data.id)
      if ('vectors' in data) pending?.resolve(data.vectors)
      else pending?.reject(new Error(data.error))
    }
    worker.onerror = ({ message }) => fail(new Error(`The embedder failed: ${message}`))
    return worker
  }

  return {
    get load() {
      return waiting.size
    },
    ask: (texts: string[]) =>
      new Promise<number[][]>((resolve, reject) => {
        const request: EmbeddingRequest = { id: next++, texts }
        waiting.set(request.id, { resolve, reject })
        started().postMessage(request)
      }),
    close: () => fail(new Error('The embedder was closed')),
  }
}

/**
 * all-MiniLM-L6-v2, which comes with its package: 384 dimensions, above all English, no network. It runs on threads of
 * its own, started when they are first needed, so that serving goes on while a file is indexed.
 */
export function embeddedEmbedder(threads = spareCores()): Embedder {
  const pool = Array.from({ length: threads }, embeddingThread)
  return {
    id: embeddedEmbedderId,
    related: { least: 0.15, most: 0.6 },
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
