import { retryAfter } from '../outgoing/retry-after.ts'
import { systemClock } from '../runtime/clock.ts'
import { sleep } from '../runtime/sleep.ts'

type Fetch = typeof globalThis.fetch

/** Statuses with which a server puts a request off. */
const later: ReadonlySet<number> = new Set([429, 503])
const maxWaitMs = 2_000

/**
 * The wait that a response asks for, or undefined where it asks for none, or for longer than anybody is kept waiting.
 */
function waitOf({ status, headers }: Response): number | undefined {
  const ms = later.has(status) ? retryAfter(headers.get('retry-after'), systemClock.now()) : undefined
  return ms !== undefined && ms <= maxWaitMs ? ms : undefined
}

/**
 * Sends a request once more that the server of a model puts off for two seconds at most, as limits of a second do.
 * Everything else that fails is the caller's to send again: the turn of a message is taken back for it.
 */
export function sentAgain(fetch: Fetch): Fetch {
  const again = async (...[input, init]: Parameters<Fetch>) => {
    const response = await fetch(input, init)
    const waitMs = waitOf(response)
    if (waitMs === undefined) return response
    await response.body?.cancel()
    await sleep(waitMs, init?.signal ?? undefined)
    return fetch(input, init)
  }
  return Object.assign(again, { preconnect: fetch.preconnect })
}
