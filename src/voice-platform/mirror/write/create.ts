import { isRefusal } from '../../../db/at-once.ts'
import type { Executor, Transaction } from '../../../db/client.ts'
import { PlatformError } from '../../errors.ts'
import { agreedOn } from '../agreement/base.ts'
import { type Entry, EntryLostError } from '../journal/entry.ts'
import { OutcomeUnknownError } from '../outcome.ts'
import { deleteLive, deleteStrays, readLive } from '../reapply.ts'
import { type LiveObject, lookBackFrom, type RemoteKind } from '../remote-kind.ts'
import { lookUpTimeoutMs, type Statements, type Steps } from './steps.ts'

/** Finds the record of a create, if it was saved. */
type Made<T> = () => Promise<{ result: T } | undefined>

/** The steps of a create. */
export interface LiveCreate<Body extends object, T> {
  /**
   * The record of the same create that was asked for before and is saved by now; looked for by the only
   * writer.
   */
  find?(): Promise<T | undefined>
  /** What the remote object is made of. */
  body: Body
  /**
   * Tells the platform what else comes with the object, before the record is saved. Where it fails, the object is
   * deleted again, as when the record cannot be saved.
   */
  also?(live: LiveObject): Promise<void>
  /** Writes the record, in the transaction that ends the journal row. */
  save(tx: Transaction, live: LiveObject): Promise<T>
  /** Where all that `save` does is to insert: the statements of it, which are sent with those that end the row. */
  inserts?: { statements(executor: Executor, live: LiveObject): Statements<T>; made: Made<T> }
  /** Nobody knows of the record before. */
  isNew?: boolean
}

/** The create of a live object and its record, as their only writer. */
export function createCreate({
  db,
  asOnlyWriter,
  journal,
  bases,
  record,
  recordAtOnce,
  attempt,
  handOver,
  abandon,
}: Steps) {
  /** What `find` finds: nothing is sent then, and the row ends. */
  const findMade = async <T>(entry: Entry, find: () => Promise<T | undefined>): Promise<T | undefined> => {
    try {
      const made = await find()
      if (made) await abandon(entry, 'it was made before')
      return made
    } catch (error) {
      await abandon(entry, error)
      throw error
    }
  }

  /** What earlier creates of the same record made and did not record goes first. */
  const clear = async (remote: RemoteKind, entry: Entry) => {
    if (!entry.inherited) return
    try {
      const recorded = await remote.local.read(db, entry.ref)
      await deleteStrays(remote, entry, recorded?.liveId, entry.call)
    } catch (error) {
      await handOver(entry, error)
      throw error
    }
  }

  /**
   * Deletes the remote object of a record that was not saved, unless a record has it: another process may have made it,
   * and recorded it before, or the platform responded with that of another record. Resolves to the record when `made`
   * finds that only the database's response was lost.
   */
  const undo = async <T>(
    remote: RemoteKind,
    entry: Entry,
    live: LiveObject,
    made: Made<T> | undefined,
    error: unknown,
  ): Promise<T> => {
    let open: boolean | undefined
    let reason = error
    try {
      if (made) await journal.fence(entry)
      open = await journal.renew(entry)
      const isRecorded = (await remote.local.read(db, entry.ref))?.liveId === live.id
      const recorded = isRecorded && !open ? await made?.() : undefined
      if (recorded) return recorded.result
      if (!isRecorded && (await remote.local.recorded(db, { liveIds: [live.id] })).length > 0) {
        reason = new PlatformError('unavailable', 'The voice platform responded with an object that was there before.')
      } else if (!isRecorded) await deleteLive(remote, live.id, entry.call)
      if (open) await journal.settle(db, entry, 0)
    } catch {
      // Lists may not show the object yet: recovery looks for it as long as for one that is still to be made.
      entry.call.onDoubt()
      await handOver(entry, error)
    }
    if (made && !open) throw new OutcomeUnknownError(error)
    // Whatever the save met then, it met the record of who took the create over.
    throw open === false ? new EntryLostError(entry) : reason
  }

  return <Body extends object, T>(
    remote: RemoteKind<Body>,
    ref: string,
    { find, body, also, save, inserts, isNew }: LiveCreate<Body, T>,
  ): Promise<T> =>
    asOnlyWriter({ kind: remote.kind, ref, action: 'create', isNew: isNew && !find }, async (entry) => {
      const known = find && (await findMade(entry, find))
      if (known) return known
      await clear(remote, entry)
      let isFound = false
      const lookUp = async () => {
        const options = { ...entry.call, timeoutMs: lookUpTimeoutMs }
        const [listed] = await remote.live.find(ref, lookBackFrom(entry.createdAt), options)
        // What a list shows may be gone: an earlier one of the same record.
        const made = listed && (await readLive(remote, listed.id, options))
        isFound = made !== undefined
        return made
      }
      const live = await attempt(entry, () => remote.live.create(body, entry.call), lookUp)
      /** Finds the record, where only the database's response may be missing. */
      let made: Made<T> | undefined
      const agreed = agreedOn({ liveId: live.id, composed: body, sent: body }, live, remote.agreement.all)
      // An object that was looked up may have been changed outside by then.
      const base = isFound ? { ...agreed, seen: undefined } : agreed
      const agree = (executor: Executor) => bases.save(executor, remote.kind, ref, base)
      try {
        await also?.(live)
        if (inserts) {
          made = inserts.made
          const recorded = await recordAtOnce(entry, (executor) => [
            ...inserts.statements(executor, live),
            agree(executor),
          ])
          if (recorded) return recorded.result
          made = undefined
        }
        return await record(entry, {
          save: (tx) => save(tx, live),
          agree,
          computed(result) {
            made = async () => ({ result })
          },
        })
      } catch (error) {
        return undo(remote, entry, live, isRefusal(error) ? undefined : made, error)
      }
    })
}
