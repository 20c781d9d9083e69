import type { Clock } from '../runtime/clock.ts'
import type { Sleep } from '../runtime/sleep.ts'

/** When the breaker opens and for how long. */
export interface BreakerOptions {
  clock: Clock
  sleep: Sleep
  /** Failures in a row that open it. */
  threshold: number
  /** Milliseconds until one probe is let through; twice as many after each probe that failed. */
  pauseMs: number
  maxPauseMs: number
  /** How far off a probe may be that a call waits for, and how long it then waits for what becomes of it. */
  waitMs: number
}

/** Leave for one call to start. */
export interface Pass {
  /**
   * Says what became of the call, once. `none`: it ended without telling anything about the platform, such as one that
   * its caller cancelled.
   */
  report(result: 'responded' | 'failed' | 'none'): void
}

/** As many calls wait at once. */
const maxWaiting = 1_000

/** Stops calls to a platform that keeps failing. */
export interface Breaker {
  /**
   * A pass for a call that may start, undefined for one that may not, or that `signal` ends. While the breaker is open,
   * the call waits for the next probe where that is due soon, and is the probe or waits for what becomes of it,
   * `withinMs` at most.
   */
  enter(withinMs: number, signal?: AbortSignal): Promise<Pass | undefined>
  readonly state: 'closed' | 'open' | 'half-open'
}

/**
 * Makes a circuit breaker: closed until `threshold` failures in a row, then open for a pause, then one probe decides. A
 * platform that is back soon is called soon, and one that stays away ever less. Whichever call gets a response closes
 * it; of failures, those count that began after it last opened or closed. A call that meets it open shortly before a
 * probe waits for that, so that none is refused for long by a platform that is back.
 */
export function createBreaker({ clock, sleep, threshold, pauseMs, maxPauseMs, waitMs }: BreakerOptions): Breaker {
  let failures = 0
  let openedAt: number | null = null
  let probe: { pass: Pass; startedAt: number } | undefined
  let pause = pauseMs
  /** How often it has opened or closed. */
  let changes = 0
  /** What ends the waits of calls that did not start. */
  const waiting = new Set<() => void>()

  const now = () => clock.now().getTime()
  const isOver = () => openedAt !== null && now() - openedAt >= pause

  const open = () => {
    openedAt = now()
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
        const isProbe = pass === probe?.pass
        if (isProbe) probe = undefined
        count(result, isProbe, startedAt)
        for (const end of waiting) end()
      },
    }
    return pass
  }

  const count = (result: Parameters<Pass['report']>[0], isProbe: boolean, startedAt: number) => {
    if (result === 'responded') return close()
    if (result === 'none' || startedAt !== changes) return
    failures += 1
    if (isProbe) pause = Math.min(maxPauseMs, 2 * pause)
    if (isProbe || failures >= threshold) open()
  }

  const tryEnter = (): Pass | undefined => {
    if (openedAt === null) return newPass()
    if (probe || !isOver()) return undefined
    probe = { pass: newPass(), startedAt: now() }
    return probe.pass
  }

  /** Milliseconds until the next probe may start, or until that under way counts as late. */
  const untilProbe = () => (probe ? probe.startedAt + waitMs : (openedAt ?? 0) + pause) - now()

  /** Waits `ms`, or until something has become of a call. */
  const change = async (ms: number, signal: AbortSignal | undefined) => {
    const ended = new AbortController()
    const end = () => ended.abort()
    waiting.add(end)
    await sleep(ms, signal ? AbortSignal.any([signal, ended.signal]) : ended.signal)
    waiting.delete(end)
  }

  return {
    async enter(withinMs, signal) {
      const since = changes
      const until = now() + withinMs
      for (;;) {
        const pass = tryEnter()
        if (pass) return pass
        const ms = untilProbe()
        const isSoon = ms > 0 && ms <= Math.min(waitMs, until - now())
        // Since it has changed and is still open, the probe failed.
        if (!isSoon || changes !== since || waiting.size >= maxWaiting) return undefined
        await change(ms, signal)
        if (signal?.aborted) return undefined
      }
    },
    get state() {
      if (openedAt === null) return 'closed'
      return isOver() ? 'half-open' : 'open'
    },
  }
}
