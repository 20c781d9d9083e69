/**
 * The console is in English, and so are its dates and numbers: in the reader's own kind of English, where the browser
 * has one, and in the reader's time zone.
 */
const english = navigator.languages?.find((language) => /^en\b/i.test(language)) ?? 'en'

const dateTime = new Intl.DateTimeFormat(english, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(english, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const whole = new Intl.NumberFormat(english)
const relative = new Intl.RelativeTimeFormat(english, { numeric: 'auto' })

export const formatTime = (iso: string) => dateTime.format(new Date(iso))

/** A day of UTC, such as `2026-03-01`, as `Mar 1`, wherever the browser is. */
export const formatDay = (date: string) => day.format(new Date(date))

export const formatCount = (count: number) => whole.format(count)

/** A number of things, such as `1 squad` and `2 squads`. */
export const formatNumberOf = (count: number, noun: string) => `${whole.format(count)} ${noun}${count === 1 ? '' : 's'}`

/** US dollars, with as many decimals as small prices need. */
export const formatUsd = (amount: number) =>
  new Intl.NumberFormat(english, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: amount !== 0 && Math.abs(amount) < 1 ? 4 : 2,
  }).format(amount)

const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** How long ago, such as `3 minutes ago`. */
export function formatAgo(iso: string): string {
  const seconds = (Date.parse(iso) - Date.now()) / 1000
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return relative.format(Math.round(seconds / size), unit)
}

/** A length in seconds as `2:05`. */
export function formatLength(seconds: number): string {
  const total = Math.round(seconds)
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')}`
}

/** Bytes as `1.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'kB'] : [bytes / 1024 / 1024, 'MB']
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`
}

/** A word of the API for people: `end-of-call-report` as `End of call report`. */
export function formatWord(word: string): string {
  const spaced = word.replace(/[-_]/g, ' ')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
