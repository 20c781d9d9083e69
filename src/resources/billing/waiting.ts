import { createDeadline } from '../../runtime/deadline.ts'
import { systemTimers } from '../../runtime/timers.ts'
import type { Spender } from './payer.ts'

const maxMs = 3_000
const pauseMs = 50

/** A wait for money that others hold. */
export interface Wait {
  /** Aborted when the client went away, or after three seconds. */
  readonly abandon: AbortSignal
  pause(): Promise<void>
}

/** Runs `work`, which waits by the spender's timers. */
export async function waiting<Result>(
  { timers = systemTimers, signal }: Spender,
  work: (wait: Wait) => Promise<Result>,
): Promise<Result> {
  const { signal: abandon, end } = createDeadline(maxMs, { caller: signal, timers })
  return work({ abandon, pause: () => timers.sleep(pauseMs) }).finally(end)
}
