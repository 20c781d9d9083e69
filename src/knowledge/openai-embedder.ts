import { type Embedder, unit } from './embedder.ts'

/** The server of the embedder failed. What it said may hold its key: the log tells the status alone. */
class EmbeddingFailedError extends Error {
  override readonly name = 'EmbeddingFailedError'
  readonly hidesCause = true

  constructor(status: number, cause: unknown) {
    super(`The embedding server gave no vectors (status ${status})`, { cause })
  }
}

/** The status of a server's response, also of one that was asked again; undefined where none came. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('lastError' in error) return statusOf(error.lastError)
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined
}

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
      const asked = embedMany({ model: embeddings, values, maxRetries: 1, abortSignal })
      const result = await asked.catch((error: unknown) => {
        const status = statusOf(error)
        throw status === undefined ? error : new EmbeddingFailedError(status, error)
      })
      return result.embeddings.map(unit)
    },
    close: () => {},
  }
}
