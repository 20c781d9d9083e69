import type { Clock } from '../../runtime/clock.ts'
import { type RateLimiter, type RateState, rateState, windowMs } from './limiter.ts'

interface Window {
  endsAt: number
  count: number
}

/** Counts in this process; windows that are over are dropped. */
export function inProcessLimiter(clock: Clock): RateLimiter {
  /** All are of one length, so that the first to begin is the first to end. */
  const windows = new Map<string, Window>()

  const dropEnded = (now: number) => {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now) return
      windows.delete(key)
    }
  }

  const windowOf = (key: string, now: number): Window => {
    const running = windows.get(key)
    if (running) return running
    const begun = { endsAt: now + windowMs, count: 0 }
    windows.set(key, begun)
    return begun
  }

  return {
    take(limits) {
      const now = clock.now().getTime()
      dropEnded(now)
      const states: RateState[] = []
      for (const [key, limit] of limits) {
        const window = windowOf(key, now)
        window.count += 1
        states.push(rateState(limit, window.count, window.endsAt - now))
        if (window.count > limit) break
      }
      return states
    },
  }
}
