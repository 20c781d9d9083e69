import { isDeepStrictEqual } from 'node:util'
import { keptBytes } from '../src/resources/assistants/read/written.ts'
import type { Contender } from './contenders.ts'
import { type Call, requestsFor } from './requests.ts'

/** What differs from one create to the next. */
const volatile = new Set(['id', 'assistant_id', 'voice_assistant_id', 'created_at', 'updated_at'])

function stable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stable)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !volatile.has(key))
  return Object.fromEntries(entries.map(([key, item]) => [key, stable(item)]))
}

interface RpcAnswer {
  result?: { data: unknown }
}

/** The bodies that a contender answers to calls, one for each, without their tRPC envelopes. */
async function answersOf({ face, server }: Contender, calls: Call[]): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const { method, path, token, body } of requestsFor(face, calls)) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers, body })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    if (face === 'rest') answers.push(answer)
    else for (const { result } of [answer as RpcAnswer | RpcAnswer[]].flat()) answers.push(result?.data)
  }
  return answers
}

/**
 * Throws unless every contender answers the calls as the first does; answers to creates may differ in ids and times.
 * Returns the first contender's answers.
 */
export async function checkAnswers(contenders: readonly Contender[], calls: Call[]): Promise<unknown[]> {
  const [first, ...others] = contenders
  if (!first) return []
  const creates = calls.some(({ method }) => method === 'POST')
  const expected = await answersOf(first, calls)
  if (expected.length !== calls.length) throw new Error(`${first.name} gave ${expected.length} answers`)
  for (const other of others) {
    const answers = await answersOf(other, calls)
    for (const [index, answer] of answers.entries()) {
      const same = creates
        ? isDeepStrictEqual(stable(answer), stable(expected[index]))
        : isDeepStrictEqual(answer, expected[index])
      if (!same) throw new Error(`${other.name} does not answer call ${index} as ${first.name} does`)
    }
    if (answers.length !== expected.length) throw new Error(`${other.name} gave ${answers.length} answers`)
  }
  return expected
}

/** Throws unless the records of so many calls are far more than this server keeps: each would be read anew. */
export function checkUnread(answers: readonly unknown[], calls: number): void {
  const bytes = (JSON.stringify(answers).length / answers.length) * calls
  if (bytes < keptBytes) throw new Error('The server would keep every record that is to be read anew')
}

/**
 * Throws unless both servers show the same first page, the first one of `totals[0]` assistants, the other of
 * `totals[1]`.
 */
export async function checkTotals(servers: readonly Contender[], calls: Call[], totals: readonly number[]) {
  const pages: unknown[] = []
  for (const [index, server] of servers.entries()) {
    const [answer] = (await answersOf(server, calls.slice(0, 1))) as {
      data: unknown[]
      pagination: { total: number }
    }[]
    if (answer?.data.length !== 15 || answer.pagination.total !== totals[index])
      throw new Error(`${server.name} shows ${answer?.data.length} of ${answer?.pagination.total} assistants`)
    pages.push(answer.data)
  }
  if (!isDeepStrictEqual(pages[0], pages[1])) throw new Error('The first pages differ')
}
