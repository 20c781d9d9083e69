/** Whether there is a time zone of this name, such as `Europe/Berlin`, or an offset such as `+05:30`. */
export function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/** The calendar day of a time, `YYYY-MM-DD`, where the clock shows `timeZone`. */
export const dayOf = (time: Date, timeZone: string): string =>
  time.toTemporalInstant().toZonedDateTimeISO(timeZone).toPlainDate().toString()

/** When a calendar day begins there: not always at midnight, nor 24 hours after the day before. */
export const startOfDay = (day: string, timeZone: string): Date =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds)

/** The day that is `days` after a calendar day. */
export const daysAfter = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString()

/** How many days from one calendar day to another; negative when the other is earlier. */
export const daysBetween = (first: string, last: string): number =>
  Temporal.PlainDate.from(first).until(Temporal.PlainDate.from(last)).days
