/** An end of time for a piece of work. */
export interface Deadline {
  /** Fires when the time is over. */
  readonly signal: AbortSignal
  /** Begins a new time, in milliseconds from now. */
  set(ms: number): void
  /** The work is done: the signal does not fire any more. */
  end(): void
}

/** A deadline so many milliseconds from now. */
export function createDeadline(ms: number): Deadline {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const set = (from: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(), from)
    timer.unref()
  }
  set(ms)
  return { signal: controller.signal, set, end: () => clearTimeout(timer) }
}
