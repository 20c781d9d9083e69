import type { Clock } from '../../runtime/clock.ts'

interface Entry<T> {
  value: Promise<T>
  until: number
}

const maxEntries = 1000

/** Keeps what was computed for a while, and lets callers that ask at the same time share the work. */
export function briefCache<T>(keepMs: number) {
  const entries = new Map<string, Entry<T>>()
  return {
    get(key: string, clock: Clock, compute: () => Promise<T>): Promise<T> {
      const now = clock.now().getTime()
      const known = entries.get(key)
      if (known && known.until > now) return known.value
      const value = compute()
      const entry = { value, until: now + keepMs }
      entries.delete(key)
      entries.set(key, entry)
      // A failure is not kept.
      value.catch(() => entries.get(key) === entry && entries.delete(key))
      const [oldest] = entries.keys()
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
      return value
    },
    size: (): number => entries.size,
    /** Forgets every entry whose key begins with `prefix`. */
    forget(prefix: string): void {
      for (const key of entries.keys()) if (key.startsWith(prefix)) entries.delete(key)
    },
  }
}
