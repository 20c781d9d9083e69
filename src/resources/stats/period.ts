import { validationError } from '../../api/errors/api-error.ts'
import { dayOf, daysAfter, daysBetween } from '../../runtime/time-zone.ts'
import type { Period } from '../../voice-platform/calls/days.ts'

const defaultDays = 30
const maxDays = 366

/**
 * The days that are asked for, the first and the last included; by default the 30 that end today, in UTC unless a time
 * zone is named (contract: calls 4, calls 12). Throws 422 when they are reversed or more than 366.
 */
export function periodOf({ from, to, timezone }: { from?: string; to?: string; timezone: string }, now: Date): Period {
  const last = to ?? dayOf(now, timezone)
  const first = from ?? daysAfter(last, 1 - defaultDays)
  const count = daysBetween(first, last) + 1
  if (count < 1) throw validationError({ from: ['The from field must not be after the to field.'] })
  if (count > maxDays) throw validationError({ to: [`The period must not be longer than ${maxDays} days.`] })
  return { first, last, timeZone: timezone }
}
