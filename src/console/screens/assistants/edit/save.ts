import { client } from '../../../api/client.ts'
import { type Clash, same } from '../../../parts/changes.ts'
import { currentConfiguration, writtenPrompt } from '../current-version.ts'
import type { Assistant } from '../tabs.ts'
import { changesOf, clashesOf, systemPrompt, type Values, valuesOf } from './values.ts'

/** Whether its prompt comes from layers, so that one of its own is said to the builder. */
const isBuilt = ({ base_config_id }: Assistant) => base_config_id !== null

/**
 * The prompt with its placeholders; the record of an assistant with layers or a template has it only as it is rendered.
 */
export async function promptOf(assistant: Assistant): Promise<string> {
  const isRendered = isBuilt(assistant) || assistant.template_id !== null
  const written = isRendered ? writtenPrompt(await currentConfiguration(assistant.assistant_id)) : undefined
  return written ?? systemPrompt(assistant)
}

/** What became of a save: its message, or what others changed as well, with the values as they are now. */
export type Outcome = { message: string; clashes?: undefined } | { clashes: Clash[]; fresh: Values }

/**
 * Saves what changed, so that others' changes stay; nothing where they changed the same. The prompt of an assistant
 * that was built goes to the builder, as that of its layers would stand before one in `model.messages`; an emptied one
 * lets them speak again. It goes first: `onPrompt` is told what it is then, as the rest may still be refused.
 */
export async function saveChanges(
  id: string,
  before: Values,
  after: Values,
  onPrompt: (prompt: string) => void,
): Promise<Outcome> {
  const { data: assistant } = await client.assistants.get.query({ assistantId: id })
  const fresh = valuesOf(assistant, await promptOf(assistant))
  const clashes = clashesOf(before, after, fresh)
  if (clashes.length > 0) return { clashes, fresh }
  if (!isBuilt(assistant) || after.prompt === before.prompt) {
    return client.assistants.updateAdvanced.mutate(changesOf(assistant, before, after))
  }
  const built = await client.assistantBuilder.update.mutate({ assistantId: id, system_prompt: after.prompt || null })
  const rest = { ...after, prompt: before.prompt }
  if (same(before, rest)) return built
  onPrompt(await promptOf(assistant))
  return client.assistants.updateAdvanced.mutate(changesOf(assistant, before, rest))
}
