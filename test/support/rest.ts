import { systemTimers, type Timers } from '../../src/runtime/timers.ts'
import type { TestClock } from './app.ts'

const restMs = 60_000

/** Timers of which those that wait for an agent to rest ring by hand; everything else goes on by itself. */
export function restingTimers(clock: TestClock) {
  const waiting = new Set<() => void>()
  const timers: Timers = {
    ...systemTimers,
    after(ms, run) {
      if (ms > restMs || ms < restMs / 2) return systemTimers.after(ms, run)
      waiting.add(run)
      return () => waiting.delete(run)
    },
  }
  return {
    timers,
    /** How many agents are waited for. */
    waiting: () => waiting.size,
    /** Lets a minute pass, and rings what waits. */
    rest(ms = restMs) {
      clock.advance(ms)
      const due = [...waiting]
      waiting.clear()
      for (const run of due) run()
    },
  }
}
