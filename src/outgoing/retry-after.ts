/** Retry-After in milliseconds, from seconds or a date; undefined when absent or unreadable. */
export function retryAfter(header: string | null, now: Date): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime())
}
