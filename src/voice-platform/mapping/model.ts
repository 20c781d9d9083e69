import { isObject } from '../../json/object.ts'

import { defaultModel } from './defaults.ts'
import { clamp, limits, messageRoles, modelsWithoutMaxTokens } from './limits.ts'
import type { LiveAssistantBody, LiveAssistantInput } from './live-assistant.ts'
import { numberOf, present, textOf, textsOf } from './settings.ts'

const knownRoles: ReadonlySet<string> = new Set(messageRoles)

/**
 * The model with its provider and the rendered messages. `functionCall` and `functionCallBehavior` have no counterpart;
 * `maxTokens` is clamped; texts in `tools` are tool ids and join `toolIds`, objects are inline tools and pass.
 */
export function toModel({ messages, config }: LiveAssistantInput): LiveAssistantBody['model'] {
  const { functionCall, functionCallBehavior, maxTokens, tools, toolIds, ...rest } = present(config.model)
  const provider = textOf(rest.provider) ?? defaultModel.provider
  const selection = rest.provider === undefined ? defaultModel : {}
  const inline = Array.isArray(tools) ? tools.filter(isObject) : []
  const tokens = modelsWithoutMaxTokens.has(provider) ? undefined : numberOf(maxTokens)
  return {
    ...selection,
    ...rest,
    provider,
    messages: messages.filter(({ role }) => knownRoles.has(role)).map(({ role, content }) => ({ role, content })),
    toolIds: [...new Set([...textsOf(toolIds), ...textsOf(tools)])],
    ...(inline.length > 0 ? { tools: inline } : {}),
    ...(tokens === undefined ? {} : { maxTokens: Math.round(clamp(tokens, limits.maxTokens)) }),
  } as LiveAssistantBody['model']
}
