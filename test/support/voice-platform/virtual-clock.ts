import type { Clock } from '../../../src/runtime/clock.ts'
import type { Sleep } from '../../../src/runtime/sleep.ts'

/** Time that passes only when a test lets it: waiting takes no real time. */
export interface VirtualClock extends Clock {
  sleep: Sleep
  /** Moves the time on by itself to whatever is waited for, until the promise has settled; its result either way. */
  settle<T>(promise: Promise<T>): Promise<T>
  pass(ms: number): void
  /** Milliseconds since the start. */
  readonly elapsed: number
}

/** Makes a virtual clock that starts at a fixed moment. */
export function createVirtualClock(start = new Date('2030-01-01T00:00:00.000Z')): VirtualClock {
  let elapsed = 0
  let timers: { at: number; ring: () => void }[] = []
  const now = () => new Date(start.getTime() + elapsed)

  return {
    now,
    get elapsed() {
      return elapsed
    },
    pass(ms) {
      elapsed += ms
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const timer = { at: elapsed + ms, ring: resolve }
        timers.push(timer)
        const cancel = () => {
          timers = timers.filter((other) => other !== timer)
          resolve()
        }
        if (signal?.aborted) cancel()
        signal?.addEventListener('abort', cancel, { once: true })
      }),
    async settle(promise) {
      let settled = false
      const done = () => {
        settled = true
      }
      promise.then(done, done)
      while (!settled) {
        for (let turn = 0; turn < 20 && !settled; turn += 1) await new Promise(setImmediate)
        const [next] = timers.sort((a, b) => a.at - b.at)
        if (settled || !next) continue
        timers = timers.filter((timer) => timer !== next)
        elapsed = Math.max(elapsed, next.at)
        next.ring()
      }
      return promise
    },
  }
}
