import { isTimeZone } from '../../runtime/time-zone.ts'

/** Placeholders that the platform fills itself, anew for each call; times are in UTC. */
const callVariables = ['now', 'date', 'time', 'year', 'month', 'day', 'customer.number'] as const

/** Whether the platform fills a placeholder of this name itself. */
export const isCallVariable = (name: string): boolean => (callVariables as readonly string[]).includes(name)

const inUtc = (at: Date, options: Intl.DateTimeFormatOptions) =>
  at.toLocaleString('en-US', { timeZone: 'UTC', ...options })

/** What the platform fills on a call. */
export interface CallValues {
  at: Date
  /** By the names of placeholders. */
  named: Readonly<Record<string, string>>
}

const quoted = (max: number) => `(?:"([^"]{1,${max}})"|'([^']{1,${max}})')`
const timeExpression = new RegExp(String.raw`^(?:"now"|'now')\s*\|\s*date:\s*${quoted(200)}(?:\s*,\s*${quoted(60)})?$`)

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const months = 'January February March April May June July August September October November December'.split(' ')

/** The letters of a time's format, and what they stand for where the clock shows `timeZone`. */
function lettersOf(at: Date, timeZone: string): ReadonlyMap<string, string> {
  const { year, month, day, dayOfWeek, hour, minute } = at.toTemporalInstant().toZonedDateTimeISO(timeZone)
  const twoDigits = (value: number) => String(value % 100).padStart(2, '0')
  const weekday = weekdays[dayOfWeek - 1] ?? ''
  const monthName = months[month - 1] ?? ''
  return new Map([
    ['A', weekday],
    ['a', weekday.slice(0, 3)],
    ['B', monthName],
    ['b', monthName.slice(0, 3)],
    ['d', twoDigits(day)],
    ['e', String(day)],
    ['-d', String(day)],
    ['m', twoDigits(month)],
    ['Y', String(year)],
    ['y', twoDigits(year)],
    ['H', twoDigits(hour)],
    ['I', twoDigits(hour % 12 || 12)],
    ['-I', String(hour % 12 || 12)],
    ['M', twoDigits(minute)],
    ['p', hour < 12 ? 'AM' : 'PM'],
    ['%', '%'],
  ])
}

/** Looking a time zone up costs more than all else of a time. */
const maxTimeZones = 20

/**
 * Reads the platform's expressions of a time, `"now" | date: "%A, %B %d, %Y", "Europe/Berlin"`; undefined for any other
 * one, and for more time zones than an assistant may name.
 */
export function timesAt(at: Date): (expression: string) => string | undefined {
  const zones = new Map<string, ReadonlyMap<string, string> | undefined>()
  const lettersIn = (timeZone: string) => {
    if (!zones.has(timeZone) && zones.size < maxTimeZones) {
      zones.set(timeZone, isTimeZone(timeZone) ? lettersOf(at, timeZone) : undefined)
    }
    return zones.get(timeZone)
  }
  return (expression) => {
    const [, double, single, doubleZone, singleZone] = timeExpression.exec(expression) ?? []
    const format = double ?? single
    const letters = format === undefined ? undefined : lettersIn(doubleZone ?? singleZone ?? 'UTC')
    return letters && format?.replaceAll(/%(%|-?[A-Za-z])/g, (whole, letter: string) => letters.get(letter) ?? whole)
  }
}

/** What these placeholders are in a call that begins at a time; no number where the caller shows none. */
export function callValues(at: Date, customerNumber: string | undefined): CallValues {
  const date = inUtc(at, { dateStyle: 'medium' })
  const time = inUtc(at, { timeStyle: 'short' })
  const named = {
    now: `${date} ${time}`,
    date,
    time,
    year: inUtc(at, { year: 'numeric' }),
    month: inUtc(at, { month: 'long' }),
    day: inUtc(at, { day: 'numeric' }),
    'customer.number': customerNumber ?? '',
  } satisfies Record<(typeof callVariables)[number], string>
  return { at, named }
}
