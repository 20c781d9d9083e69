import { dayOf, daysAfter, daysBetween, startOfDay } from '../../runtime/time-zone.ts'

/** Calendar days, `YYYY-MM-DD`, the first and the last included, where the clock shows `timeZone`. */
export interface Period {
  first: string
  last: string
  timeZone: string
}

/** Each day of a period. */
export const daysOf = ({ first, last }: Period): string[] =>
  Array.from({ length: daysBetween(first, last) + 1 }, (_, index) => daysAfter(first, index))

/** The times between which a period lies: from `from` on and before `to`. */
export const boundsOf = ({ first, last, timeZone }: Period) => ({
  from: startOfDay(first, timeZone),
  to: startOfDay(daysAfter(last, 1), timeZone),
})

/** Names the days of times; those of the day before are named at once, as most calls of a page are of one day. */
export function dayNamer(timeZone: string): (time: Date) => string {
  let day = ''
  let from = Number.NaN
  let to = Number.NaN
  return (time) => {
    if (!(time.getTime() >= from && time.getTime() < to)) {
      day = dayOf(time, timeZone)
      from = startOfDay(day, timeZone).getTime()
      to = startOfDay(daysAfter(day, 1), timeZone).getTime()
    }
    return day
  }
}
