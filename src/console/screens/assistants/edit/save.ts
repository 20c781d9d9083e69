import { client } from '../../../api/client.ts'
import { currentConfiguration, writtenPrompt } from '../current-version.ts'
import type { Assistant } from '../tabs.ts'
import { changesOf, systemPrompt, type Values } from './values.ts'

/** Whether its prompt comes from layers, so that one of its own is said to the builder. */
const isBuilt = ({ base_config_id }: Assistant) => base_config_id !== null

/** The prompt with its placeholders; the record of an assistant with layers or a template has it only as it is rendered. */
export async function promptOf(assistant: Assistant): Promise<string> {
  const isRendered = isBuilt(assistant) || assistant.template_id !== null
  const written = isRendered ? writtenPrompt(await currentConfiguration(assistant.assistant_id)) : undefined
  return written ?? systemPrompt(assistant)
}

/**
 * Saves what changed, so that others' changes stay. The prompt of an assistant that was built goes to the builder, as
 * that of its layers would stand before one in `model.messages`; an emptied one lets them speak again.
 */
export async function saveChanges(id: string, before: Values, after: Values): Promise<{ message: string }> {
  const { data: assistant } = await client.assistants.get.query({ assistantId: id })
  const toBuilder = isBuilt(assistant) && after.prompt !== before.prompt
  const { assistantId, name, ...others } = changesOf(
    assistant,
    before,
    toBuilder ? { ...after, prompt: before.prompt } : after,
  )
  const hasOthers = after.name !== before.name || Object.values(others).some((value) => value !== undefined)
  if (!toBuilder) return client.assistants.updateAdvanced.mutate({ assistantId, name, ...others })
  if (hasOthers) await client.assistants.updateAdvanced.mutate({ assistantId, name, ...others })
  return client.assistantBuilder.update.mutate({ assistantId, system_prompt: after.prompt || null })
}
