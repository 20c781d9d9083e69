import type { Transaction } from '../../../db/client.ts'
import { resolveDrift } from '../../drift/findings.ts'
import { orGone, PlatformError } from '../../errors.ts'
import type { Entry } from '../journal/entry.ts'
import { OutcomeUnknownError } from '../outcome.ts'
import { deleteLive } from '../reapply.ts'
import type { RemoteKind } from '../remote-kind.ts'
import { isUnknown, lookUpTimeoutMs, type Steps } from './steps.ts'

/** Whether the platform itself said that it failed: what it says is believed where nothing else can be learnt. */
const saidSo = (error: unknown): boolean =>
  isUnknown(error) && error instanceof PlatformError && error.status !== undefined

/** The steps of a delete. */
export interface LiveRemoval<T> {
  /** Throws what forbids the delete, asked as the only writer. */
  check?(): Promise<void>
  /** Takes the record away, in the transaction that ends the journal row. */
  save(tx: Transaction): Promise<T>
}

/** The delete of a live object and its record, as their only writer. */
export function createRemove({ db, asOnlyWriter, journal, bases, record, handOver, abandon }: Steps) {
  /** Whether the object is there after a delete that failed; undefined when nobody can tell. */
  const remains = async (remote: RemoteKind, liveId: string, entry: Entry, error: unknown) => {
    if (!isUnknown(error) && !entry.deleteSent) return true
    const options = { ...entry.call, timeoutMs: lookUpTimeoutMs }
    // Whatever it looks like.
    return orGone(remote.live.get(liveId, options)).then(
      (live) => live !== undefined,
      () => (saidSo(error) && !entry.deleteSent ? true : undefined),
    )
  }

  const deleteRemote = async (remote: RemoteKind, liveId: string, entry: Entry) => {
    let isNoted = entry.deleteSent
    try {
      await journal.noteSent(entry, 'deleteSent')
      isNoted = true
      entry.assertHeld()
    } catch (error) {
      const ended = await abandon(entry, error)
      // Whoever took the row over completes a delete that it says was sent.
      throw isNoted && !ended ? new OutcomeUnknownError(error) : error
    }
    try {
      await deleteLive(remote, liveId, entry.call)
    } catch (error) {
      const there = await remains(remote, liveId, entry, error)
      if (there === false) return
      // From here on nothing deletes it any more, as long as the journal says so.
      const ended = there ? await abandon(entry, error) : await handOver(entry, error).then(() => false)
      throw ended ? error : new OutcomeUnknownError(error)
    }
  }

  return <T>(remote: RemoteKind, ref: string, { check, save }: LiveRemoval<T>): Promise<T> =>
    asOnlyWriter({ kind: remote.kind, ref, action: 'delete' }, async (entry) => {
      const recorded = await remote.local
        .read(db, ref)
        .then(async (read) => {
          await check?.()
          return read
        })
        .catch(async (error) => {
          await (entry.deleteSent ? handOver(entry, error) : abandon(entry, error))
          throw error
        })
      if (recorded) await deleteRemote(remote, recorded.liveId, entry)
      try {
        return await record(entry, {
          async save(tx) {
            await bases.remove(tx, remote.kind, ref)
            await resolveDrift(tx, { kind: remote.kind, ref }, 'deleted')
            return save(tx)
          },
          // What a create made that no record names has not been looked for yet.
          look: entry.createSent,
        })
      } catch (error) {
        await handOver(entry, error)
        throw recorded ? new OutcomeUnknownError(error) : error
      }
    })
}
