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

const timeExpression = /^"now"\s*\|\s*date:\s*"([^"]{1,200})"(?:\s*,\s*"([^"]{1,60})")?$/

/** Letters of a time's format, and what they stand for. */
const formats: Record<string, Intl.DateTimeFormatOptions> = {
  A: { weekday: 'long' },
  a: { weekday: 'short' },
  B: { month: 'long' },
  b: { month: 'short' },
  d: { day: '2-digit' },
  e: { day: 'numeric' },
  '-d': { day: 'numeric' },
  m: { month: '2-digit' },
  Y: { year: 'numeric' },
  y: { year: '2-digit' },
}
const clock: Record<string, (hour: number, minute: string) => string> = {
  H: (hour) => String(hour).padStart(2, '0'),
  I: (hour) => String(hour % 12 || 12).padStart(2, '0'),
  '-I': (hour) => String(hour % 12 || 12),
  M: (_, minute) => minute,
  p: (hour) => (hour < 12 ? 'AM' : 'PM'),
}

/** The platform's expression of a time, `"now" | date: "%A, %B %d, %Y", "Europe/Berlin"`; undefined for any other one. */
export function timeIn(expression: string, at: Date): string | undefined {
  const [, format, timeZone = 'UTC'] = timeExpression.exec(expression) ?? []
  if (format === undefined || !isTimeZone(timeZone)) return undefined
  const { hour, minute } = at.toTemporalInstant().toZonedDateTimeISO(timeZone)
  return format.replaceAll(/%(-?[A-Za-z])/g, (whole, letter: string) => {
    const options = formats[letter]
    if (options) return at.toLocaleString('en-US', { timeZone, ...options })
    return clock[letter]?.(hour, String(minute).padStart(2, '0')) ?? whole
  })
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
