import type { Sleep } from '../runtime/sleep.ts'
import { isUnreachable } from './unreachable.ts'

const pauseMs = 250

/** A database did not serve in time for a start. */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError'

  constructor(seconds: number, cause: unknown) {
    super(`The database did not serve within ${seconds} seconds (DATABASE_START_SECONDS).`, { cause })
  }
}

/**
 * Does `work` again for as long as the database is out of reach, for `seconds`; it must be safe to be broken off anywhere.
 * Throws what `work` throws, and the reason of `signal` before the next try.
 */
export async function whenReachable<T>(
  work: () => Promise<T>,
  { seconds, now, sleep, signal }: { seconds: number; now: () => number; sleep: Sleep; signal?: AbortSignal },
): Promise<T> {
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
