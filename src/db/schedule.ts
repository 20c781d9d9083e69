import { type SQL, sql } from 'drizzle-orm'

const firstPauseMs = 1_000
const maxPauseMs = 10_000

/** A time by the database's clock, so that instances need no common one. */
export const inMs = (ms: number): SQL<Date> => sql`now() + ${ms} * interval '1 millisecond'`

/** Now, never rounded up to the next millisecond of its column: what is due now is due at once. */
export const dueNow: SQL<Date> = sql`date_trunc('milliseconds', now())`

/** Milliseconds until the next try after `attempts` failures. */
export const longerPause = (attempts: number): number =>
  Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(attempts, 20))
