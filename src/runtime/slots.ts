/** Bounds how much of one kind of work runs at once, so that it leaves connections to other kinds. */
export interface Slots {
  /**
   * Runs `work` while it holds a slot of `key`, such as a workspace. Throws 429 with Retry-After when none is free:
   * nothing queues.
   */
  run<T>(key: string | number, work: () => Promise<T>): Promise<T>
  /** Throws 429 when `run` would do so now. */
  requireRoom(key: string | number): void
}

/** Slots for work that is done soon, so that callers wait for one. */
export interface Queue {
  /**
   * Runs `work` while it holds a slot of `key`. Throws 429 with Retry-After when none is free before `signal` aborts.
   */
  run<T>(key: string | number, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}
