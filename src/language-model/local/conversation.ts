import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'

/** What a tool answered in this turn. */
export interface ToolResult {
  tool: string
  text: string
  failed: boolean
}

/**
 * What is read of a question: what is asked stands at its beginning, and every word of it is looked for in every text.
 */
const maxQuestionLength = 2_000

/** A prompt as the local model reads it. */
export interface Conversation {
  /** The beginning of the newest user message. */
  question: string
  /** What was said before it. */
  earlier: { role: 'user' | 'assistant'; text: string }[]
  /** What tools answered after it. */
  toolResults: ToolResult[]
}

const textOf = (parts: readonly { type: string }[]) =>
  parts.map((part) => ('text' in part && part.type === 'text' ? String(part.text) : '')).join('')

function responseOf({ toolName, output }: LanguageModelV4ToolResultPart): ToolResult {
  const failed = output.type.startsWith('error') || output.type === 'execution-denied'
  if (output.type === 'text' || output.type === 'error-text') return { tool: toolName, text: output.value, failed }
  if (output.type === 'content') return { tool: toolName, text: textOf(output.value), failed }
  return { tool: toolName, text: 'value' in output ? JSON.stringify(output.value) : '', failed }
}

/** Reads a prompt from its newest user message. */
export function readConversation(prompt: LanguageModelV4Prompt): Conversation {
  const at = prompt.findLastIndex(({ role }) => role === 'user')
  const newest = prompt[at]
  const earlier: Conversation['earlier'] = []
  const toolResults: ToolResult[] = []
  for (const [index, message] of prompt.entries()) {
    if (index < at && (message.role === 'user' || message.role === 'assistant')) {
      const text = textOf(message.content)
      if (text !== '') earlier.push({ role: message.role, text })
    }
    if (index > at && message.role === 'tool') {
      toolResults.push(...message.content.flatMap((part) => (part.type === 'tool-result' ? [responseOf(part)] : [])))
    }
  }
  const question = newest?.role === 'user' ? textOf(newest.content).slice(0, maxQuestionLength) : ''
  return { question, earlier, toolResults }
}
