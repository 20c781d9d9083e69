import type { ThreadMessage } from '../../language-model/history.ts'
import { maxTokensOf } from '../../language-model/prompt-size.ts'
import { cutTo } from '../../language-model/tool-results.ts'

/** A message of a thread, or a part of one, as a summary reads it. */
export interface Said {
  role: ThreadMessage['role']
  text: string
}

type Numbered = ThreadMessage & { id: number }

/** What is read next of a thread: one summary for each of the `parts`, which then covers everything up to `until`. */
export interface NextPieces {
  parts: Said[][]
  until: number
}

const sizeOf = (said: Said) => maxTokensOf(JSON.stringify(said))

/** The beginning of a text that fits, in whole words where it has some. */
async function beginningWithin({ role, text }: Said, room: number): Promise<string> {
  let length = text.length
  for (let size = await sizeOf({ role, text }); size > room && length > 2; ) {
    length = Math.max(2, Math.floor(length * Math.min(0.95, room / size)))
    size = await sizeOf({ role, text: text.slice(0, length) })
  }
  if (length === text.length) return text
  const space = Math.max(text.lastIndexOf(' ', length - 1), text.lastIndexOf('\n', length - 1)) + 1
  if (space > length / 2) return text.slice(0, space)
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(length - 1))
  return text.slice(0, isHalf ? length - 1 : length)
}

/** A message that is too long for one prompt, in parts; what does not fit into `maxParts` is cut, with a note. */
async function partsOf({ role, text }: Said, room: number, maxParts: number): Promise<Said[]> {
  const parts: Said[] = []
  let rest = text
  while (rest !== '' && parts.length < maxParts) {
    const part = await beginningWithin({ role, text: rest }, room)
    const isCut = part.length < rest.length && parts.length === maxParts - 1
    parts.push({ role, text: (isCut ? await cutTo(part, room) : part).toWellFormed() })
    rest = rest.slice(part.length)
  }
  return parts
}

const saidIn = ({ role, content }: ThreadMessage): Said => ({ role, text: content.toWellFormed() })

/** A message that is too long for one prompt, in parts; its reply is read with the last one where it fits. */
async function longMessage(message: Numbered, next: Numbered | undefined, room: number, maxParts: number) {
  const parts = (await partsOf(saidIn(message), room, maxParts)).map((part) => [part])
  const last = parts.at(-1)
  if (next?.role !== 'assistant' || !last) return { parts, until: message.id }
  const withReply = [...last, saidIn(next)]
  const sizes = await Promise.all(withReply.map(sizeOf))
  return sizes.reduce((sum, size) => sum + size, 0) > room
    ? { parts, until: message.id }
    : { parts: [...parts.slice(0, -1), withReply], until: next.id }
}

/**
 * The oldest messages that fit into `room` tokens, to the end of an exchange where they have one; where the first alone
 * does not, that one in parts. Undefined where there is none.
 */
export async function oldestWithin(
  messages: readonly Numbered[],
  room: number,
  maxParts: number,
): Promise<NextPieces | undefined> {
  const fitting: Numbered[] = []
  let left = room
  for (const message of messages) {
    left -= await sizeOf(saidIn(message))
    if (left >= 0) {
      fitting.push(message)
      continue
    }
    if (fitting.length === 0) return longMessage(message, messages[1], room, maxParts)
    // Its question is read with it.
    if (message.role === 'assistant' && fitting.length > 1 && fitting.at(-1)?.role === 'user') fitting.pop()
    break
  }
  const last = fitting.at(-1)
  return last && { parts: [fitting.map(saidIn)], until: last.id }
}
