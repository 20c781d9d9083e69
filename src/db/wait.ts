import type { Sleep } from '../runtime/sleep.ts'
import type { DatabaseHandle } from './client.ts'
import { tellingOfTls } from './tls.ts'
import { isUnreachable } from './unreachable.ts'

const pauseMs = 250
/** A server that is there responds within it, also where nothing is to be waited for. */
const leastMs = 1_000

interface Wait {
  seconds: number
  now: () => number
  sleep: Sleep
  signal?: AbortSignal
}

/** A database did not serve in time for a start. */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError'

  constructor(seconds: number, cause: unknown) {
    super(`DATABASE_URL: the database did not serve within ${seconds} seconds (DATABASE_START_SECONDS).`, { cause })
  }
}

/**
 * Does `work` again for as long as the database is out of reach, for `seconds`; it must be safe to be broken off
 * anywhere. Throws what `work` throws, and the reason of `signal` before the next try.
 */
export async function whenReachable<T>(work: () => Promise<T>, { seconds, now, sleep, signal }: Wait): Promise<T> {
  const until = now() + seconds * 1000
  for (;;) {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!isUnreachable(error) || now() >= until) throw error
      await sleep(pauseMs)
    }
  }
}

/**
 * Waits until a PostgreSQL server serves, for `seconds`, also where a connection is neither made nor refused.
 * @throws NoTlsError, or what its server says of an address that it refuses, at once; the reason of `signal` before the
 * next try
 */
export async function whenServing(database: DatabaseHandle, wait: Wait): Promise<void> {
  if (database.embedded) return
  const until = wait.now() + wait.seconds * 1000
  const apart = database.apart(0)
  const ask = () => apart.ping(Math.max(leastMs, until - wait.now()))
  try {
    await whenReachable(() => tellingOfTls(apart, ask), wait)
  } finally {
    // A connection that is still being made would hold up the end of a start that is over.
    void apart.close()
  }
}
