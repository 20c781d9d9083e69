import { isObject } from '../../json/object.ts'

import { clamp, limits, messageRoles, modelsWithoutMaxTokens } from './limits.ts'
import type { LiveAssistantBody, LiveAssistantInput, Settings } from './live-assistant.ts'
import { numberOf, textsOf } from './settings.ts'

const knownRoles: ReadonlySet<string> = new Set(messageRoles)

/** A model with its provider. `functionCall` and `functionCallBehavior` have no counterpart; `maxTokens` is clamped. */
export function toModel(model: Settings): Settings {
  const { functionCall, functionCallBehavior, maxTokens, ...rest } = model
  const tokens = modelsWithoutMaxTokens.has(String(rest.provider)) ? undefined : numberOf(maxTokens)
  return {
    ...rest,
    ...(tokens === undefined ? {} : { maxTokens: Math.round(clamp(tokens, limits.maxTokens)) }),
  }
}

/**
 * A model's settings with the rendered messages; texts in `tools` are tool ids and join `toolIds`, objects are inline
 * tools and pass.
 */
export function withMessages(model: Settings, messages: LiveAssistantInput['messages']): LiveAssistantBody['model'] {
  const { tools, toolIds, ...rest } = model
  const inline = Array.isArray(tools) ? tools.filter(isObject) : []
  return {
    ...rest,
    messages: messages.filter(({ role }) => knownRoles.has(role)).map(({ role, content }) => ({ role, content })),
    toolIds: [...new Set([...textsOf(toolIds), ...textsOf(tools)])],
    ...(inline.length > 0 ? { tools: inline } : {}),
  } as LiveAssistantBody['model']
}
