import { type Sleep, sleep } from './sleep.ts'

/** Waiting and its chance, injected so that tests and simulations decide when something happens. */
export interface Timers {
  /** Milliseconds from some point on; it never goes back. */
  now(): number
  /** Calls `run` after `ms`, 24 days at most; returns what takes that back. */
  after(ms: number, run: () => void): () => void
  /** Calls `run` every `ms`; returns what ends that. */
  every(ms: number, run: () => void): () => void
  sleep: Sleep
  /** A number from 0 to 1, 1 excluded, for waits that should not end together. */
  chance(): number
}

/** Longer ones would end at once. */
const maxMs = 2 ** 31 - 1

const start = (ms: number, run: () => void) => setTimeout(run, Math.min(ms, maxMs))

/** The timers of this process. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = start(ms, run)
    return () => clearTimeout(timer)
  },
  every(ms, run) {
    const timer = setInterval(run, ms)
    return () => clearInterval(timer)
  },
  sleep,
  chance: Math.random,
}

/** Those that keep no process from its end. */
export const unheldTimers: Pick<Timers, 'after'> = {
  after(ms, run) {
    const timer = start(ms, run)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
