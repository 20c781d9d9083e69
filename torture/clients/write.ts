import type { Outcome, Write } from '../book.ts'
import type { Random } from '../random.ts'
import type { ServerProcess } from '../server/server-process.ts'
import { type ApiRequest, type Attempt, type Json, send } from './api.ts'
import { type ClientFaults, sendBroken } from './breaking.ts'

const maxTries = 5

/** The answers that leave open whether the change was made say so. */
const openEnded = /may have been made/

/** What one attempt says about the change. */
function outcomeOf(attempt: Attempt): Outcome {
  if (!attempt.answered) return attempt.sent ? 'unknown' : 'refused'
  if (attempt.status < 300) return 'done'
  if (attempt.status === 409 && attempt.text.includes('is still running')) return 'unknown'
  return attempt.status >= 500 && openEnded.test(attempt.text) ? 'unknown' : 'refused'
}

/** How a write ended for its client. */
export interface Written extends Pick<Write, 'startedAt' | 'endedAt' | 'outcome' | 'tries' | 'said'> {
  body: Json
}

interface WriteOptions {
  random: Random
  /** Sent with every try, so that a retry finds what the first did. */
  key?: string
  /** Whether a write without an answer is sent again. */
  retry: boolean
  /** What breaks on the client's side. */
  breaking?: ClientFaults
}

/**
 * Sends a write to any of the servers, and the very same again while its outcome is open. What an earlier try may have
 * done stays open whatever a later one is told, except its success.
 */
export async function write(
  servers: readonly ServerProcess[],
  token: string,
  request: ApiRequest,
  { random, key, retry, breaking }: WriteOptions,
): Promise<Written> {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  const startedAt = Date.now()
  let open = false
  let lost = false
  let said = ''
  let tries = 0
  let body: Json = {}
  for (let attempts = 0; attempts < 60 && tries < maxTries; attempts += 1) {
    const server = random.pick(servers)
    if (!server) break
    const whole = { ...request, headers }
    const attempt = await (breaking ? sendBroken(server, token, whole, breaking) : send(server, token, whole))
    if (!attempt.answered && !attempt.sent) {
      await Bun.sleep(200)
      continue
    }
    tries += 1
    said = attempt.answered ? `${attempt.status} ${attempt.text.slice(0, 200)}` : 'no answer'
    const outcome = outcomeOf(attempt)
    if (attempt.answered) body = attempt.body
    if (outcome === 'done') return { startedAt, endedAt: Date.now(), outcome, tries, said, body }
    open ||= outcome === 'unknown'
    lost ||= !attempt.answered
    if (outcome === 'refused' || !retry) break
    await Bun.sleep(random.between(100, 600))
  }
  const endedAt = lost ? Number.POSITIVE_INFINITY : Date.now()
  return { startedAt, endedAt, outcome: open ? 'unknown' : 'refused', tries, said, body }
}
