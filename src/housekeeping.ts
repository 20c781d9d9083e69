import { sweepIdempotencyKeys } from './api/idempotency/replay.ts'
import type { Dependencies } from './dependencies.ts'

const everyMs = 60 * 60 * 1000

/** Drops what has run out, at once and every hour. Returns what ends it. */
export function startHousekeeping({ db, clock, log }: Dependencies): () => void {
  const sweep = () =>
    sweepIdempotencyKeys(db, clock.now()).catch((error) => log.warn({ err: error }, 'housekeeping failed'))
  const timer = setInterval(sweep, everyMs)
  void sweep()
  return () => clearInterval(timer)
}
