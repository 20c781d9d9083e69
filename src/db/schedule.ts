import { type SQL, sql } from 'drizzle-orm'

const firstPauseMs = 1_000
const longestPauseMs = 5 * 60_000

/** A moment by the database's clock, so that instances need no common one. */
export const inMs = (ms: number): SQL<Date> => sql`now() + ${ms} * interval '1 millisecond'`

/** Milliseconds until the next try after `attempts` failures. */
export const longerPause = (attempts: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts, 20))
