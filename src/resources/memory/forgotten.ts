import type { ThreadMessage } from '../../language-model/history.ts'
import { forgetRequestIn } from '../../language-model/local/forgetting.ts'
import { maxSentences, mayAskToChange, notesToForget, type ReadNote, readNote, sentencesIn } from './rules.ts'

/** Each is held against all that was said before it. */
const maxRequests = 200

/** A sentence of a thread, and the place of its message. */
interface Said extends ReadNote {
  at: number
}

/** A thread as it is heard, sentence by sentence. */
function hearing() {
  let said: Said[] = []
  let requests = 0
  /** The messages of which something is left out. */
  const shortened = new Set<number>()
  const forget = (isMeant: (one: Said) => boolean) => {
    for (const one of said) if (isMeant(one)) shortened.add(one.at)
    said = said.filter((one) => !isMeant(one))
  }
  const hear = (at: number, sentence: string): void => {
    const request = forgetRequestIn(sentence)
    if (!request) return void said.push({ at, ...readNote(sentence) })
    shortened.add(at)
    if (request.before !== '') said.push({ at, ...readNote(request.before) })
    const statements = said.filter(({ note }) => !note.endsWith('?'))
    const meant = new Set(request.isAll ? statements.map(({ note }) => note) : notesToForget(statements, request))
    if (++requests <= maxRequests) forget(({ note }) => meant.has(note))
    if (request.after !== '') hear(at, request.after)
  }
  return {
    hear,
    /** What is left of a message; undefined where all of it is. */
    leftOf: (at: number) =>
      shortened.has(at)
        ? said
            .filter((one) => one.at === at)
            .map(({ note }) => note)
            .join('\n')
        : undefined,
  }
}

/**
 * A thread as the built-in model reads it, which quotes what was said: without what the user asked to forget later on,
 * and without what the request says of it. The newest message, which the reply is to, stays as it is.
 */
export function withoutForgotten(thread: readonly ThreadMessage[]): readonly ThreadMessage[] {
  if (!thread.some(({ role, content }) => role === 'user' && mayAskToChange(content))) return thread
  const newest = thread.findLastIndex(({ role }) => role === 'user')
  const sentences = thread.flatMap(({ role, content }, at) =>
    role === 'user' ? sentencesIn(content).map((sentence) => ({ at, sentence })) : [],
  )
  const { hear, leftOf } = hearing()
  for (const { at, sentence } of sentences.slice(-maxSentences)) hear(at, sentence)
  return thread.flatMap((message, at) => {
    const left = at === newest ? undefined : leftOf(at)
    if (left === undefined) return [message]
    return left === '' ? [] : [{ ...message, content: left }]
  })
}
