import { systemTimers, type Timers } from '../../src/runtime/timers.ts'
import type { TestClock } from './app.ts'

const restMs = 60_000

/**
 * Timers of which those that wait for an agent ring when the clock is past their time and `rest` is called; others go
 * on.
 */
export function restingTimers(clock: TestClock) {
  const waiting = new Map<() => void, number>()
  const timers: Timers = {
    ...systemTimers,
    after(ms, run) {
      if (ms < restMs / 2) return systemTimers.after(ms, run)
      waiting.set(run, clock.now().getTime() + ms)
      return () => waiting.delete(run)
    },
  }
  return {
    timers,
    /** How many agents are waited for. */
    waiting: () => waiting.size,
    /** In how many milliseconds the first of them is looked at. */
    nextIn: () => Math.min(...waiting.values()) - clock.now().getTime(),
    /** Lets a minute pass, and rings what is due. */
    rest(ms = restMs) {
      clock.advance(ms)
      const due = [...waiting].filter(([, at]) => at <= clock.now().getTime())
      for (const [run] of due) {
        waiting.delete(run)
        run()
      }
    },
    /** What waits is lost, as when the server is started again. */
    clear: () => waiting.clear(),
  }
}
