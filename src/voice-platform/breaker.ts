import type { Clock } from '../runtime/clock.ts'

/** When the breaker opens and for how long. */
export interface BreakerOptions {
  clock: Clock
  /** Failures in a row that open it. */
  threshold: number
  /** Milliseconds until one probe is let through; twice as many after each probe that failed. */
  pauseMs: number
  maxPauseMs: number
}

/** Stops calls to a platform that keeps failing. Every `tryEnter()` that was true is followed by one `report`. */
export interface Breaker {
  /** Whether a call may start now; when half open, true for one probe only. */
  tryEnter(): boolean
  /** `none`: the call ended without telling anything about the platform, such as one that its caller cancelled. */
  report(result: 'responded' | 'failed' | 'none'): void
  readonly state: 'closed' | 'open' | 'half-open'
}

/**
 * Makes a circuit breaker: closed until `threshold` failures in a row, then open for a pause, then one probe decides. A
 * platform that is back soon is called soon, and one that stays away ever less.
 */
export function createBreaker({ clock, threshold, pauseMs, maxPauseMs }: BreakerOptions): Breaker {
  let failures = 0
  let openedAt: number | null = null
  let probing = false
  let pause = pauseMs

  const isOver = () => openedAt !== null && clock.now().getTime() - openedAt >= pause

  return {
    tryEnter() {
      if (openedAt === null) return true
      if (probing || !isOver()) return false
      probing = true
      return true
    },
    report(result) {
      const wasProbe = probing
      if (result === 'none') {
        probing = false
        return
      }
      if (result === 'responded') {
        failures = 0
        openedAt = null
        probing = false
        pause = pauseMs
        return
      }
      failures += 1
      if (wasProbe) pause = Math.min(maxPauseMs, 2 * pause)
      if (wasProbe || (openedAt === null && failures >= threshold)) openedAt = clock.now().getTime()
      probing = false
    },
    get state() {
      if (openedAt === null) return 'closed'
      return isOver() ? 'half-open' : 'open'
    },
  }
}
