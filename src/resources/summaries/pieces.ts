import type { ThreadMessage } from '../../language-model/history.ts'
import { maxTokensOf } from '../../language-model/prompt-size.ts'
import { cutTo } from '../../language-model/tool-results.ts'

/** A message of a thread, or a part of one, as a summary reads it. */
export interface Said {
  role: ThreadMessage['role']
  text: string
}

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

/**
 * The oldest messages that fit into `room` tokens; where the first alone does not, that one in parts. Undefined where there is
 * none.
 */
export async function oldestWithin(
  messages: readonly (ThreadMessage & { id: number })[],
  room: number,
  maxParts: number,
): Promise<NextPieces | undefined> {
  const fitting: Said[] = []
  let until: number | undefined
  let left = room
  for (const { id, role, content } of messages) {
    const said = { role, text: content.toWellFormed() }
    left -= await sizeOf(said)
    if (left >= 0) {
      fitting.push(said)
      until = id
      continue
    }
    if (until === undefined) {
      return { parts: (await partsOf(said, room, maxParts)).map((part) => [part]), until: id }
    }
    break
  }
  return until === undefined ? undefined : { parts: [fitting], until }
}
