import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { maxTokensOf, type ResultPart, resultText } from './prompt-size.ts'

const note = '[… cut]'

/** The beginning of a text, and a note that says so: at most `room` tokens, or the note alone. */
export async function cutTo(text: string, room: number): Promise<string> {
  let length = text.length
  for (let size = await maxTokensOf(text); length > 0; size = await maxTokensOf(`${text.slice(0, length)}\n${note}`)) {
    if (size <= room) return `${text.slice(0, length).toWellFormed()}\n${note}`
    length = Math.floor(length * Math.min(0.95, Math.max(0, room) / size))
  }
  return note
}

/**
 * A prompt in which all that tools gave has at most `room` tokens: short results stay whole, the others share the rest.
 */
export async function withResultsWithin(prompt: LanguageModelV4Prompt, room: number): Promise<LanguageModelV4Prompt> {
  const parts = prompt
    .flatMap((message) => (message.role === 'tool' ? message.content : []))
    .filter((part) => part.type === 'tool-result')
  const measured = await Promise.all(parts.map(async (part) => ({ part, size: await maxTokensOf(resultText(part)) })))
  const cut = new Map<unknown, ResultPart>()
  let left = room
  for (const [index, { part, size }] of measured.toSorted((one, other) => one.size - other.size).entries()) {
    const share = Math.floor(left / (measured.length - index))
    const value = size > share ? await cutTo(resultText(part), share) : undefined
    left -= value === undefined ? size : await maxTokensOf(value)
    if (value !== undefined) cut.set(part, { ...part, output: { type: 'text', value } })
  }
  return prompt.map((message) =>
    message.role === 'tool' ? { ...message, content: message.content.map((part) => cut.get(part) ?? part) } : message,
  )
}

/** A prompt as it was before its first tool was called. */
export function withoutToolUse(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const first = prompt.findIndex(
    ({ role, content }) => role === 'assistant' && content.some(({ type }) => type === 'tool-call'),
  )
  return first < 0 ? prompt : prompt.slice(0, first)
}
