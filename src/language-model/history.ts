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
 * The part of a thread that fits into `budget` tokens, in its order: the newest user message and what follows it
 * always, then system turns, then the others from the newest on until one does not fit. A reply whose question does not
 * fit goes with it: some servers refuse a thread that a user does not begin.
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
  const said = earlier.filter(({ role }) => role !== 'system')
  const first = said.findIndex((message) => kept.has(message))
  for (const message of first > 0 ? said.slice(first) : []) {
    if (message.role === 'user') break
    kept.delete(message)
  }
  return thread.filter((message) => kept.has(message))
}
