import { systemTimers, type Timers } from './timers.ts'

/** Waits for `work` for `ms` at most; then rejects with what `late` gives. The work itself goes on. */
export async function unlessLate<T>(
  work: Promise<T>,
  ms: number,
  late: () => Error,
  timers: Pick<Timers, 'after'> = systemTimers,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const cancel = timers.after(ms, () => reject(late()))
  return Promise.race([work, promise]).finally(cancel)
}

/** What `work` gives; undefined when that takes more than `ms`. The work itself goes on. Throws what it throws. */
export async function ifInTime<T>(
  work: Promise<T>,
  ms: number,
  timers: Pick<Timers, 'after'> = systemTimers,
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const cancel = timers.after(ms, () => resolve(undefined))
  return Promise.race([work, promise]).finally(cancel)
}

/** Settles like `work`, or rejects with the reason of `signal` when that comes first. The work itself goes on. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  return Promise.race([promise, work]).finally(() => signal.removeEventListener('abort', abort))
}

/** A time for work that listens to a signal. */
export interface Deadline {
  /** Aborts when the time is over, or when the caller's signal does. */
  readonly signal: AbortSignal
  /** The time begins anew, with another length where one is given. Does nothing once it is over or ended. */
  restart(ms?: number): void
  /** The work is done: neither a timer nor the caller's signal, which may last for longer, holds anything of it. */
  end(): void
}

interface DeadlineOptions {
  /** What the signal aborts with when the time is over; an AbortError unless given. */
  reason?: () => Error
  /** Whose signal ends the time early, with its own reason. */
  caller?: AbortSignal | null
  /** This process's unless given. */
  timers?: Pick<Timers, 'after'>
}

/** A time of `ms` milliseconds from now. Whoever makes it calls `end`. */
export function createDeadline(ms: number, { reason, caller, timers = systemTimers }: DeadlineOptions = {}): Deadline {
  const controller = new AbortController()
  let isOver = false
  const end = () => {
    isOver = true
    cancel()
    caller?.removeEventListener('abort', follow)
  }
  const abort = (why: unknown) => {
    end()
    controller.abort(why)
  }
  const follow = () => abort(caller?.reason)
  const start = (length: number) => timers.after(length, () => abort(reason?.()))
  let cancel = start(ms)
  if (caller?.aborted) follow()
  else caller?.addEventListener('abort', follow)
  return {
    signal: controller.signal,
    restart(length = ms) {
      if (isOver) return
      cancel()
      cancel = start(length)
    },
    end,
  }
}
