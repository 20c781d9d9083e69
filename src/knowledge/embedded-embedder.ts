import { type Embedder, unit } from './embedder.ts'
import type { EmbeddingReply, EmbeddingRequest } from './embedding-worker.ts'

interface Pending {
  resolve(vectors: number[][]): void
  reject(error: Error): void
}

/** The thread does not keep the process alive; Bun's option, which the web's types do not have. */
const unreferenced = { ref: false } as WorkerOptions

/** Requests are small, so that a question need not wait for a whole file. */
const batchSize = 8

/**
 * The Universal Sentence Encoder that comes with the package: 512 dimensions, English, no network. It runs on a thread
 * of its own, started at first use, so that serving goes on while a file is indexed.
 */
export function embeddedEmbedder(): Embedder {
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

  const ask = (texts: string[]) =>
    new Promise<number[][]>((resolve, reject) => {
      const request: EmbeddingRequest = { id: next++, texts }
      waiting.set(request.id, { resolve, reject })
      started().postMessage(request)
    })

  return {
    id: 'use-lite-en-512',
    related: { least: 0.25, most: 0.63 },
    async embed(texts, signal) {
      const vectors: Float32Array[] = []
      for (let start = 0; start < texts.length; start += batchSize) {
        signal?.throwIfAborted()
        for (const vector of await ask(texts.slice(start, start + batchSize))) vectors.push(unit(vector))
      }
      return vectors
    },
    close: () => fail(new Error('The embedder was closed')),
  }
}
