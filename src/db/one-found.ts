import { sql } from 'drizzle-orm'
import postgres from 'postgres'

/**
 * For a select from what a statement changed: where that is not one row, it fails, and with it the whole transaction,
 * also where nobody waits for its result before the rest is sent.
 */
export const oneFound = sql<number>`1 / (count(*) = 1)::int`

const divisionByZero = '22012'

/** Whether a transaction failed because `oneFound` found none. */
export const isNoneFound = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === divisionByZero
