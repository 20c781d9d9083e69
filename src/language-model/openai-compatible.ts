import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { modelEntry } from './model-entry.ts'
import type { UsableModel } from './models.ts'

/** An OpenAI-compatible server: LLM_BASE_URL, LLM_API_KEY, LLM_MODELS. */
export interface ModelServer {
  baseUrl: string
  apiKey: string | undefined
  /** Each as `modelEntry` reads it. */
  models: readonly string[]
}

const provider = 'openai-compatible'

/** The models of an OpenAI-compatible server, reached through `fetch`. */
export function openAiCompatibleModels(server: ModelServer, fetch: typeof globalThis.fetch): UsableModel[] {
  const { baseUrl: baseURL, apiKey } = server
  const create = createOpenAICompatible({ name: provider, baseURL, apiKey, fetch, includeUsage: true })
  const entries = server.models.map(modelEntry).filter((entry) => entry !== undefined)
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()].map((entry) => ({
    ...entry,
    label: entry.id,
    ownedBy: provider,
    model: create.chatModel(entry.id),
  }))
}
