import type { Embedder } from '../../knowledge/embedder.ts'
import { openAiEmbedder } from '../../knowledge/openai-embedder.ts'
import type { Env } from '../env.ts'

/** The embedder of EMBEDDINGS_MODEL; undefined: the embedded one. */
export function embedderFor({ embeddingsModel: model, languageModel, outsideTimes }: Env): Embedder | undefined {
  if (model === undefined || !languageModel) return undefined
  return openAiEmbedder({
    baseUrl: languageModel.baseUrl,
    apiKey: languageModel.apiKey,
    model,
    timeoutMs: outsideTimes.embeddingsMs,
  })
}
