import { isObject, type Json } from '../json/object.ts'

/** A message that is a text and nothing else, of somebody who takes turns. */
interface Said extends Json {
  role: 'user' | 'assistant'
  content: string
}

const isSaid = (message: unknown): message is Said =>
  isObject(message) &&
  (message.role === 'user' || message.role === 'assistant') &&
  typeof message.content === 'string' &&
  message.tool_calls === undefined

/**
 * A request in which no two messages of one side follow each other, as some models refuse: those that do are one message. They
 * do where the reply between them had no text, and where a caller sent them so.
 */
export function takingTurns(request: Json): Json {
  const { messages } = request
  if (!Array.isArray(messages)) return request
  const turns: unknown[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (isSaid(last) && isSaid(message) && last.role === message.role) {
      turns[turns.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` }
    } else {
      turns.push(message)
    }
  }
  return { ...request, messages: turns }
}
