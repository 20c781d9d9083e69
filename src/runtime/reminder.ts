/** Says when something that goes on is to be told again. */
export interface Reminder {
  /** Whether it is to be told now: at first, then after pauses that double. */
  isDue(): boolean
  /** It is over. Returns whether it was due. */
  end(): boolean
}

/** @param now milliseconds from some point on */
export function createReminder(now: () => number, firstMs = 10_000, maxMs = 300_000): Reminder {
  let pause = firstMs
  let next: number | undefined
  return {
    isDue() {
      if (next !== undefined && now() < next) return false
      pause = next === undefined ? firstMs : Math.min(pause * 2, maxMs)
      next = now() + pause
      return true
    },
    end() {
      const wasDue = next !== undefined
      next = undefined
      return wasDue
    },
  }
}
