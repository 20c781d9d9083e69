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

/** What a user is taken to have said before an assistant that speaks first: nothing, in no language. */
const nothingSaid: Said = { role: 'user', content: '…' }

/**
 * A request in which a user speaks first and no two messages of one side follow each other, as some models want it.
 * Those that do are one message: the reply between them had no text, or a caller sent them so. An assistant speaks
 * first that greets, or whose first reply is to what a summary tells.
 */
export function takingTurns(request: Json): Json {
  const { messages } = request
  if (!Array.isArray(messages)) return request
  const turns: unknown[] = []
  const isFirst = () => turns.every((message) => isObject(message) && message.role === 'system')
  for (const message of messages) {
    if (isSaid(message) && message.role === 'assistant' && isFirst()) turns.push(nothingSaid)
    const last = turns.at(-1)
    if (isSaid(last) && isSaid(message) && last.role === message.role) {
      turns[turns.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` }
    } else {
      turns.push(message)
    }
  }
  return { ...request, messages: turns }
}
