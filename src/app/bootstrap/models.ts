import type { UsableModel } from '../../language-model/models.ts'
import { unobserved } from '../../outgoing/observe.ts'
import type { Env } from '../env.ts'

const send = (...call: Parameters<typeof fetch>) => fetch(...call)

/**
 * The models of LLM_BASE_URL; undefined without it: then there is only the built-in one, and their library is not
 * loaded.
 */
export async function modelsFor(
  { languageModel }: Env,
  observe = unobserved,
): Promise<readonly UsableModel[] | undefined> {
  if (!languageModel) return undefined
  const { openAiCompatibleModels } = await import('../../language-model/openai-compatible.ts')
  const observed = observe('language model', send)
  return openAiCompatibleModels(languageModel, Object.assign(observed, { preconnect: fetch.preconnect }))
}
