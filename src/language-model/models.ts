import type { LanguageModelV4 } from '@ai-sdk/provider'

/** A language model that turns can name. */
export interface UsableModel {
  readonly id: string
  readonly label: string
  /** Also the `provider` of chats. */
  readonly ownedBy: string
  /** Whether calls of it are read by the local model, which sees the sources beside the prompt. */
  readonly model: LanguageModelV4
  /** How many tokens its prompts and its responses may have; the installation's bounds unless given. */
  readonly contextTokens?: number
  readonly outputTokens?: number
  /** Whether tools are offered to it; they are unless it says not. */
  readonly callsTools?: boolean
  /** Whether it may search an agent's files again; it may unless it says not. */
  readonly searchesAgain?: boolean
  /** Whether it chooses its words, as a temperature or a seed asks; it does unless it says not. */
  readonly samples?: boolean
}

/** The models of this installation. */
export interface Models {
  readonly list: readonly UsableModel[]
  /** The first of LLM_MODELS, else `local-extractive` (contract: models 3). */
  readonly default: UsableModel
  find(id: string): UsableModel | undefined
}

/** The registry of `configured` models (those of LLM_MODELS, in their order) and the local one. */
export function createModels(local: UsableModel, configured: readonly UsableModel[] = []): Models {
  const list = [...configured.filter(({ id }) => id !== local.id), local]
  const byId = new Map(list.map((model) => [model.id, model]))
  return { list, default: list[0] ?? local, find: (id) => byId.get(id) }
}
