const everyMs = 250

/** How late timers come: what keeps the thread from serving requests. */
export interface EventLoopDelay {
  /** The longest since it was last asked for, in seconds. */
  longest(): number
  stop(): void
}

/** Watches the thread until it is stopped; it keeps no process alive. */
export function watchEventLoop(): EventLoopDelay {
  let maxMs = 0
  let due = performance.now() + everyMs
  const timer = setInterval(() => {
    const now = performance.now()
    maxMs = Math.max(maxMs, now - due)
    due = now + everyMs
  }, everyMs)
  timer.unref()
  return {
    longest() {
      const longest = Math.max(maxMs, performance.now() - due) / 1000
      maxMs = 0
      return Math.max(0, longest)
    },
    stop: () => clearInterval(timer),
  }
}

/** For where nobody looks at it. */
export const stillEventLoop: EventLoopDelay = { longest: () => 0, stop: () => {} }
