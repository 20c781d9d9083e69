import type { Timers } from '../../../runtime/timers.ts'
import { type Entry, EntryLostError, type Row } from './entry.ts'

/** Keeps rows ours while work goes on. */
export interface Leases {
  /** Runs `work` with a row that is ours, and renews it meanwhile. */
  withLease<T>(row: Row, work: (entry: Entry) => Promise<T>): Promise<T>
  /** Ends with the process: aborts whatever is held or waited for, now and from now on. */
  abandon(reason: Error): void
  /** A controller that `abandon` aborts too; `done` lets go of it. */
  abandonable(): { controller: AbortController; done(): void }
}

/** Makes leases; `renew` moves the end of a row and says whether it still is ours. */
export function createLeases(renew: (row: Row) => Promise<boolean>, leaseMs: number, timers: Timers): Leases {
  const controllers = new Set<AbortController>()
  let abandoned: Error | undefined

  const abandonable = () => {
    const controller = new AbortController()
    controllers.add(controller)
    if (abandoned) controller.abort(abandoned)
    return { controller, done: () => void controllers.delete(controller) }
  }

  return {
    abandonable,

    async withLease(row, work) {
      const { controller, done } = abandonable()
      const everyMs = leaseMs / 3
      let heldAt = row.askedAt
      let inDoubt = false
      const keep = async () => {
        const askedAt = timers.now()
        try {
          if (await renew(row)) heldAt = askedAt
          else controller.abort(new EntryLostError(row))
        } catch {
          // The database is out of reach: the next tick tries again, and closing the row decides in the end.
        }
      }
      const endRenewal = timers.every(everyMs, () => void keep())
      const assertHeld = () => {
        controller.signal.throwIfAborted()
        if (timers.now() - heldAt >= leaseMs) throw new EntryLostError(row)
      }
      try {
        // The process may have stood still before it heard that the row is its own: another may hold it by now.
        if (timers.now() - heldAt >= everyMs) await keep()
        const onDoubt = () => {
          inDoubt = true
        }
        return await work({
          ...row,
          noted: [],
          call: { signal: controller.signal, onDoubt },
          get inDoubt() {
            return inDoubt
          },
          assertHeld,
        })
      } finally {
        endRenewal()
        done()
      }
    },

    abandon(reason) {
      abandoned = reason
      for (const controller of controllers) controller.abort(reason)
    },
  }
}
