import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { UsableModel } from './models.ts'

/** An OpenAI-compatible server: LLM_BASE_URL, LLM_API_KEY, LLM_MODELS. */
export interface ModelServer {
  baseUrl: string
  apiKey: string | undefined
  models: readonly string[]
}

const provider = 'openai-compatible'

/** The models of an OpenAI-compatible server, reached through `fetch`. */
export function openAiCompatibleModels(server: ModelServer, fetch: typeof globalThis.fetch): UsableModel[] {
  const { baseUrl: baseURL, apiKey } = server
  const create = createOpenAICompatible({ name: provider, baseURL, apiKey, fetch })
  return [...new Set(server.models)].map((id) => ({
    id,
    label: id,
    ownedBy: provider,
    model: create.chatModel(id),
  }))
}
