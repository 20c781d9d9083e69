import { atOnce } from '../../../db/at-once.ts'
import type { Database, Executor, Transaction } from '../../../db/client.ts'
import { enterQueue } from '../../../db/lease/queue.ts'
import { isNoneFound } from '../../../db/one-found.ts'
import { together } from '../../../db/together.ts'
import { reasonOf } from '../../../runtime/log.ts'
import type { Timers } from '../../../runtime/timers.ts'
import type { NoteOutside } from '../../drift/note.ts'
import { PlatformError } from '../../errors.ts'
import type { Bases } from '../agreement/bases.ts'
import type { Survey } from '../agreement/survey.ts'
import { comparable } from '../comparable.ts'
import { endOrFail } from '../journal/end.ts'
import { type Entry, type LiveAction, ResourceBusyError, type Row, type Target } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import type { Reapply } from '../reapply.ts'
import type { Recover } from '../recover.ts'
import type { LiveObject } from '../remote-kind.ts'

/** How long the look-up after a write without a response may take. */
export const lookUpTimeoutMs = 5_000

/** Whether a call to the platform had no response, so that nobody knows what became of it. */
export const isUnknown = (error: unknown): boolean => error instanceof PlatformError && error.kind === 'unknown'

interface StepOptions {
  db: Database
  journal: Journal
  bases: Bases
  survey: Survey
  noteOutside: NoteOutside
  recover: Recover
  reapply: Reapply
  timers: Timers
  /** How long a writer waits to be the only one. */
  waitMs: number
  /** How long until a row that is left is looked at for the first time. */
  pauseMs: number
  /** Starts recovery at once. */
  wake(): void
}

/** How an outcome is recorded. */
interface Recording<T> {
  save(tx: Transaction): Promise<T>
  agree?(tx: Transaction): Promise<void>
  computed?(result: T): void
  /** The row stays until recovery has looked at the remote object. */
  look?: boolean
}

/** The statements that record an outcome, the first of which gives it; none needs the result of another. */
export type Statements<T> = readonly [Promise<T>, ...Promise<unknown>[]]

/** The pauses of a writer that waits for another. */
const firstPauseMs = 10
const maxPauseMs = 250

/**
 * The steps that the live writes share: each begins with a journal row, and ends the row or leaves it.
 */
export function createSteps({ timers, waitMs, pauseMs, wake, ...parts }: StepOptions) {
  const { db, journal, recover } = parts

  /**
   * The row of a resource: a new one, that of an unfinished write which this one supersedes, or after recovering it.
   */
  const take = async (target: Target, signal: AbortSignal): Promise<Row> => {
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
      const row = (await journal.open(target)) ?? (await journal.inherit(target))
      if (row) return row
      const left = target.action === 'delete' ? undefined : await journal.claimDelete(target)
      const failure = left && (await journal.withLease(left, recover))
      if (failure) throw failure
      await timers.sleep(pause * (0.5 + timers.chance()), signal)
      signal.throwIfAborted()
    }
  }

  /** Leaves the row to recovery, which starts at once. Returns whether the row says so. */
  const handOver = async (entry: Entry, error: unknown, action: LiveAction = entry.action): Promise<boolean> => {
    // Out of reach, the row runs out by itself.
    const left = await journal.release(entry, 0, reasonOf(error), { action }).catch(() => false)
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

    /**
     * Runs `work` as the only writer of the resource, with its row in the journal. What an unfinished write left is
     * superseded by this one (`entry.inherited`), or recovered first. `work` ends the row itself, or leaves it for
     * recovery.
     * @throws ResourceBusyError when other writers did not end in time; what stopped the recovery.
     */
    async asOnlyWriter<T>(target: Target, work: (entry: Entry) => Promise<T>): Promise<T> {
      const { controller, done } = journal.abandonable()
      const endWait = timers.after(waitMs, () => controller.abort(new ResourceBusyError(target)))
      const waited = () => {
        endWait()
        done()
      }
      let leave = () => {}
      try {
        leave = await enterQueue(db, `${target.kind}:${target.ref}`, controller.signal)
        const row = await take(target, controller.signal)
        waited()
        return await journal.withLease(row, work)
      } finally {
        waited()
        leave()
      }
    },

    handOver,
    abandon,

    /**
     * Records the outcome and ends the row in one transaction; `computed` when only the commit was left. `agree` notes
     * what both sides agree on then.
     */
    async record<T>(
      entry: Entry,
      { save, agree = async () => {}, computed = () => {}, look }: Recording<T>,
    ): Promise<T> {
      return db.transaction(async (tx) => {
        const result = await save(tx)
        await together(agree(tx), journal.settle(tx, entry, pauseMs, look))
        computed(result)
        return result
      })
    },

    /**
     * The same of a record that only has to be inserted, in one message. Resolves to undefined, with nothing kept,
     * where the row cannot just be deleted: it is another's, or marked.
     */
    async recordAtOnce<T>(
      entry: Entry,
      statements: (executor: Executor) => Statements<T>,
    ): Promise<{ result: T } | undefined> {
      if (entry.inherited || entry.inDoubt) return undefined
      try {
        const [result] = await atOnce(db, (executor) => [...statements(executor), endOrFail(executor, entry)] as const)
        return { result }
      } catch (error) {
        if (isNoneFound(error)) return undefined
        throw error
      }
    },

    /** A live write whose outcome decides: certain failures end the row, unknown ones are looked up. */
    async attempt(
      entry: Entry,
      write: () => Promise<LiveObject>,
      lookUp: () => Promise<LiveObject | undefined>,
    ): Promise<LiveObject> {
      try {
        entry.assertHeld()
        return comparable(await write())
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
