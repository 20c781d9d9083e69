import { type Embedder, unit } from './embedder.ts'

interface OpenAiEmbedderOptions {
  baseUrl: string
  apiKey: string | undefined
  model: string
  fetch?: typeof globalThis.fetch
  /** Milliseconds in which a call ends; 30 seconds unless given. */
  timeoutMs?: number
}

/** An OpenAI-compatible `/embeddings` (contract: server 8). */
export function openAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { baseUrl, apiKey, model, fetch, timeoutMs = 30_000 } = options
  const load = async () => {
    const [{ createOpenAICompatible }, { embedMany }] = await Promise.all([
      import('@ai-sdk/openai-compatible'),
      import('ai'),
    ])
    const provider = createOpenAICompatible({ name: 'embeddings', baseURL: baseUrl, apiKey, fetch })
    return { embedMany, embeddings: provider.embeddingModel(model) }
  }
  let loaded: ReturnType<typeof load> | undefined
  return {
    id: `openai:${model}`,
    model,
    async embed(texts, signal) {
      loaded ??= load()
      const { embedMany, embeddings } = await loaded
      const timeout = AbortSignal.timeout(timeoutMs)
      const abortSignal = signal ? AbortSignal.any([signal, timeout]) : timeout
      const values = texts.map((text) => text.trim() || '-')
      const result = await embedMany({ model: embeddings, values, maxRetries: 1, abortSignal })
      return result.embeddings.map(unit)
    },
    close: () => {},
  }
}
