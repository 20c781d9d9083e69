import type { Clock } from '../../runtime/clock.ts'
import { type RateLimiter, rateState, windowMs } from './limiter.ts'

/** Fixed windows of a minute, counted in this process; all counts of a finished window are dropped at once. */
export function inProcessLimiter(clock: Clock): RateLimiter {
  let windowStart = 0
  let counts = new Map<string, number>()
  return {
    take(key, limit) {
      const now = clock.now().getTime()
      if (now - windowStart >= windowMs) {
        windowStart = now - (now % windowMs)
        counts = new Map()
      }
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return rateState(limit, count, windowStart + windowMs - now)
    },
  }
}
