import type { Database, Transaction } from '../../../db/client.ts'
import { reasonOf } from '../../../runtime/log.ts'
import type { NoteOutside } from '../../drift/note.ts'
import { PlatformError } from '../../errors.ts'
import type { Bases } from '../agreement/bases.ts'
import type { Survey } from '../agreement/survey.ts'
import type { Entry, LiveAction } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import type { Reapply } from '../reapply.ts'
import type { Reconcile } from '../reconcile.ts'
import type { LiveObject } from '../remote-kind.ts'

/** How long the look-up after a write without a response may take. */
export const lookUpTimeoutMs = 5_000

export const isUnknown = (error: unknown): boolean => error instanceof PlatformError && error.kind === 'unknown'

interface StepOptions {
  db: Database
  journal: Journal
  bases: Bases
  survey: Survey
  noteOutside: NoteOutside
  reconcile: Reconcile
  reapply: Reapply
  /** How long until a row that is left is looked at for the first time. */
  pauseMs: number
  /** Starts recovery at once. */
  wake(): void
}

/** The steps that the live writes share, as each ends the journal row or leaves it. */
export function createSteps({ pauseMs, wake, ...parts }: StepOptions) {
  const { db, journal } = parts
  /** Leaves the row to recovery, which starts at once. Returns whether the row says so. */
  const handOver = async (entry: Entry, error: unknown, action: LiveAction = entry.action): Promise<boolean> => {
    // Out of reach, the row runs out by itself.
    const left = await journal.release(entry, 0, reasonOf(error), action).catch(() => false)
    wake()
    return left
  }

  /** After a failure that changed nothing: ends the row, unless a write may still arrive. Returns whether it did. */
  const abandon = async (entry: Entry, error: unknown): Promise<boolean> => {
    if (entry.inherited || entry.inDoubt) return handOver(entry, error, 'update')
    return journal.settle(db, entry, pauseMs).then(
      () => true,
      () => false,
    )
  }

  return {
    ...parts,
    handOver,
    abandon,

    /**
     * Records the outcome and ends the row in one transaction; `computed` when only the commit was left. With `look`
     * the row stays until recovery has looked at the remote object.
     */
    async record<T>(
      entry: Entry,
      commit: (tx: Transaction) => Promise<T>,
      computed: (result: T) => void = () => {},
      look = false,
    ) {
      return db.transaction(async (tx) => {
        const result = await commit(tx)
        await journal.settle(tx, entry, pauseMs, look)
        computed(result)
        return result
      })
    },

    /** A live write whose outcome decides: certain failures end the row, unknown ones are looked up. */
    async attempt(
      entry: Entry,
      write: () => Promise<LiveObject>,
      lookUp: () => Promise<LiveObject | undefined>,
    ): Promise<LiveObject> {
      try {
        entry.assertHeld()
        return await write()
      } catch (error) {
        if (!isUnknown(error)) {
          await abandon(entry, error)
          throw error
        }
        entry.call.onDoubt()
        const done = await lookUp().catch(() => undefined)
        if (done) return done
        await handOver(entry, error)
        throw error
      }
    },
  }
}

export type Steps = ReturnType<typeof createSteps>
