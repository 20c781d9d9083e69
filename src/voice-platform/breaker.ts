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

/** Leave for one call to start. */
export interface Pass {
  /**
   * Says what became of the call, once. `none`: it ended without telling anything about the platform, such as one that its caller
   * cancelled.
   */
  report(result: 'responded' | 'failed' | 'none'): void
}

/** Stops calls to a platform that keeps failing. */
export interface Breaker {
  /** A pass for a call that may start now, undefined for one that may not; when half open, there is one for a probe only. */
  tryEnter(): Pass | undefined
  readonly state: 'closed' | 'open' | 'half-open'
}

/**
 * Makes a circuit breaker: closed until `threshold` failures in a row, then open for a pause, then one probe decides. A
 * platform that is back soon is called soon, and one that stays away ever less. Whichever call gets a response closes it; of
 * failures, those count that began after it last opened or closed.
 */
export function createBreaker({ clock, threshold, pauseMs, maxPauseMs }: BreakerOptions): Breaker {
  let failures = 0
  let openedAt: number | null = null
  let probe: Pass | undefined
  let pause = pauseMs
  /** How often it has opened or closed. */
  let changes = 0

  const isOver = () => openedAt !== null && clock.now().getTime() - openedAt >= pause

  const open = () => {
    openedAt = clock.now().getTime()
    changes += 1
  }

  const close = () => {
    if (openedAt !== null) changes += 1
    openedAt = null
    probe = undefined
    failures = 0
    pause = pauseMs
  }

  const newPass = (): Pass => {
    const startedAt = changes
    const pass: Pass = {
      report(result) {
        const isProbe = pass === probe
        if (isProbe) probe = undefined
        if (result === 'responded') return close()
        if (result === 'none' || startedAt !== changes) return
        failures += 1
        if (isProbe) pause = Math.min(maxPauseMs, 2 * pause)
        if (isProbe || failures >= threshold) open()
      },
    }
    return pass
  }

  return {
    tryEnter() {
      if (openedAt === null) return newPass()
      if (probe || !isOver()) return undefined
      probe = newPass()
      return probe
    },
    get state() {
      if (openedAt === null) return 'closed'
      return isOver() ? 'half-open' : 'open'
    },
  }
}
