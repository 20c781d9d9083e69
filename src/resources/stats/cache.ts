import { boundedCache } from '../../runtime/bounded-cache.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { statisticsOf } from './statistics.ts'

const maxBytes = 16 * 1024 * 1024
const keepMs = 1_000

/** Statistics that were worked out lately, by the live id of the assistant and the days. */
export const createStatisticsCache = () => briefCache<ReturnType<typeof statisticsOf>>(keepMs)

export type StatisticsCache = ReturnType<typeof createStatisticsCache>

/** Keeps what was computed for a while, and lets callers that ask at the same time share the work. */
function briefCache<T>(keepMs: number) {
  const running = new Map<string, Promise<T>>()
  const kept = boundedCache<string, { value: T; until: number }>(
    maxBytes,
    ({ value }) => 2 * JSON.stringify(value).length,
  )
  return {
    get(key: string, clock: Clock, compute: () => Promise<T>): Promise<T> {
      const now = clock.now().getTime()
      const known = kept.get(key)
      if (known && known.until > now) return Promise.resolve(known.value)
      // What takes longer than it is kept is shared all the same: else each who asks again would begin it once more.
      const joined = running.get(key)
      if (joined) return joined
      const value = compute()
      running.set(key, value)
      // A failure is not kept, nor what was forgotten while it was computed.
      const ended = (keep: () => void) => {
        if (running.get(key) !== value) return
        running.delete(key)
        keep()
      }
      value.then(
        (result) => ended(() => kept.set(key, { value: result, until: clock.now().getTime() + keepMs })),
        () => ended(() => undefined),
      )
      return value
    },
    size: (): number => kept.size,
    /** Drops every entry whose key begins with `prefix`. */
    invalidate(prefix: string): void {
      for (const entries of [running, kept]) {
        for (const key of entries.keys()) if (key.startsWith(prefix)) entries.delete(key)
      }
    },
  }
}
