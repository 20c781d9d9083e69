import { isObject } from '../../../json/object.ts'
import type { Settings } from '../../../voice-platform/mapping/live-assistant.ts'

/** Whether a message says what the model is to be, and is no line of a conversation. */
export const isSystem = ({ role }: { role?: unknown }): boolean => role === 'system'

/** The system message's text among messages as they are stored, or undefined. */
export function systemPromptIn(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return undefined
  const content: unknown = messages.filter(isObject).find(isSystem)?.content
  return typeof content === 'string' ? content : undefined
}

/** The system message's text in a configuration, or undefined. */
export function promptOf(config: Settings | undefined): string | undefined {
  const model = config?.model
  return isObject(model) ? systemPromptIn(model.messages) : undefined
}
