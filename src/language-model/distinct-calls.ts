import type { LanguageModelV4ToolCall } from '@ai-sdk/provider'

/**
 * Gives the calls of tools in one response ids of their own: there are servers that send the same with each, and by its
 * id alone a call is brought together with its arguments and its result. In a stream the library does so itself.
 */
export function distinctCalls(): (call: LanguageModelV4ToolCall) => LanguageModelV4ToolCall {
  const given = new Set<string>()
  return (call) => {
    let toolCallId = call.toolCallId
    for (let count = 2; given.has(toolCallId); count++) toolCallId = `${call.toolCallId}_${count}`
    given.add(toolCallId)
    return { ...call, toolCallId }
  }
}
