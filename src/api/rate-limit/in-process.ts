import type { Clock } from '../../runtime/clock.ts'
import { type RateLimiter, type RateState, rateState, windowMs } from './limiter.ts'

/** Fixed windows of a minute, counted in this process; all counts of a finished window are dropped at once. */
export function inProcessLimiter(clock: Clock): RateLimiter {
  let windowStart = 0
  let counts = new Map<string, number>()
  return {
    take(limits) {
      const now = clock.now().getTime()
      if (now - windowStart >= windowMs) {
        windowStart = now - (now % windowMs)
        counts = new Map()
      }
      const states: RateState[] = []
      for (const [key, limit] of limits) {
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        states.push(rateState(limit, count, windowStart + windowMs - now))
        if (count > limit) break
      }
      return states
    },
  }
}
