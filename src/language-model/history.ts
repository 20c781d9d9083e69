import { countTokens } from './tokens.ts'

/** A message of a thread, as a model reads it. */
export interface ThreadMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** What a message costs besides its text. */
export const messageOverhead = 4

/** How many tokens messages have. */
export async function countMessages(messages: readonly ThreadMessage[]): Promise<number> {
  let total = 0
  for (const { content } of messages) total += messageOverhead + (await countTokens(content))
  return total
}

/**
 * Without the replies before the first message of a user, which answer what is not there; as it is where there is none.
 */
export function fromFirstQuestion<M extends Pick<ThreadMessage, 'role'>>(thread: readonly M[]): M[] {
  const first = thread.findIndex(({ role }) => role === 'user')
  return thread.filter(({ role }, at) => at >= first || role !== 'assistant')
}

/**
 * The part of a thread that fits into `budget` tokens, in its order: the newest user message and what follows it
 * always, then system turns, then the others from the newest on until one does not fit. A reply whose question does not
 * fit goes with it.
 */
export async function trimHistory(thread: readonly ThreadMessage[], budget: number): Promise<ThreadMessage[]> {
  const newest = Math.max(
    0,
    thread.findLastIndex(({ role }) => role === 'user'),
  )
  const earlier = thread.slice(0, newest)
  const kept = new Set(thread.slice(newest))
  let left = budget - (await countMessages([...kept]))
  const take = async (candidates: ThreadMessage[]) => {
    for (const message of candidates) {
      left -= await countMessages([message])
      if (left < 0) return
      kept.add(message)
    }
  }
  const newestFirst = earlier.toReversed()
  await take(newestFirst.filter(({ role }) => role === 'system'))
  await take(newestFirst.filter(({ role }) => role !== 'system'))
  const fitting = thread.filter((message) => kept.has(message))
  const beginning = thread.find(({ role }) => role !== 'system')
  return beginning && !kept.has(beginning) ? fromFirstQuestion(fitting) : fitting
}
