/** Placeholders that the platform fills itself, anew for each call; times are in UTC. */
const callVariables = ['now', 'date', 'time', 'year', 'month', 'day', 'customer.number'] as const

/** Whether the platform fills a placeholder of this name itself. */
export const isCallVariable = (name: string): boolean => (callVariables as readonly string[]).includes(name)

const inUtc = (at: Date, options: Intl.DateTimeFormatOptions) =>
  at.toLocaleString('en-US', { timeZone: 'UTC', ...options })

/** What these placeholders are in a call that begins at a time; no number where the caller shows none. */
export function callValues(at: Date, customerNumber: string | undefined) {
  const date = inUtc(at, { dateStyle: 'medium' })
  const time = inUtc(at, { timeStyle: 'short' })
  return {
    now: `${date} ${time}`,
    date,
    time,
    year: inUtc(at, { year: 'numeric' }),
    month: inUtc(at, { month: 'long' }),
    day: inUtc(at, { day: 'numeric' }),
    'customer.number': customerNumber ?? '',
  } satisfies Record<(typeof callVariables)[number], string>
}
