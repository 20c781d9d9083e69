import { validationError } from '../../api/errors/api-error.ts'
import type { Period } from '../../voice-platform/calls/history.ts'

/** The days of a period, `YYYY-MM-DD` in UTC, the first and the last included. */
export interface Days {
  from: string
  to: string
  each: string[]
  /** From the first day's start on, and before the end of the last. */
  bounds: Period
}

const dayMs = 24 * 60 * 60 * 1000
const defaultDays = 30
const mostDays = 366

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/**
 * The period that is asked for; by default the 30 days that end today (contract: calls 4).
 * Throws 422 when it is reversed or longer than 366 days.
 */
export function daysOf({ from, to }: { from?: string; to?: string }, now: Date): Days {
  const last = Date.parse(to ?? dateOf(now.getTime()))
  const first = from === undefined ? last - (defaultDays - 1) * dayMs : Date.parse(from)
  const count = (last - first) / dayMs + 1
  if (count < 1) throw validationError({ from: ['The from field must not be after the to field.'] })
  if (count > mostDays) throw validationError({ to: [`The period must not be longer than ${mostDays} days.`] })
  return {
    from: dateOf(first),
    to: dateOf(last),
    each: Array.from({ length: count }, (_, index) => dateOf(first + index * dayMs)),
    bounds: { from: new Date(first), to: new Date(last + dayMs) },
  }
}
