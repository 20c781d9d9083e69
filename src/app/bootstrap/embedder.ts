import type { Embedder } from '../../knowledge/embedder.ts'
import { openAiEmbedder } from '../../knowledge/openai-embedder.ts'
import { unobserved } from '../../outgoing/observe.ts'
import type { Env } from '../env.ts'

const send = (...call: Parameters<typeof fetch>) => fetch(...call)

/** The embedder of EMBEDDINGS_MODEL; undefined: the embedded one. */
export function embedderFor(
  { embeddingsModel: model, languageModel, outsideTimes }: Env,
  observe = unobserved,
): Embedder | undefined {
  if (model === undefined || !languageModel) return undefined
  return openAiEmbedder({
    baseUrl: languageModel.baseUrl,
    apiKey: languageModel.apiKey,
    model,
    timeoutMs: outsideTimes.embeddingsMs,
    fetch: Object.assign(observe('embeddings', send), { preconnect: fetch.preconnect }),
  })
}
