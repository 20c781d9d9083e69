import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import { PlatformError } from '../errors.ts'
import type { Entry } from './journal/entry.ts'
import type { Journal } from './journal/journal.ts'
import { lookBackFrom, type RemoteKind } from './remote-kind.ts'

const maxPauseMs = 5 * 60_000

interface RecoveryOptions {
  db: Database
  journal: Journal
  log: Logger
  remoteKinds: readonly RemoteKind[]
  /** How long after a write that got no answer it may still arrive. */
  graceMs: number
  /** How long a row that cannot be recovered is left at first; doubled each time. */
  pauseMs: number
}

/** Brings both sides of an unfinished write together. */
export function createRecovery({ db, journal, log, remoteKinds, graceMs, pauseMs }: RecoveryOptions) {
  const twinOf = (kind: string) => {
    const twin = remoteKinds.find((one) => one.kind === kind)
    if (!twin) throw new Error(`No twin of kind ${kind}`)
    return twin
  }

  /** Ends a row, unless the write that it stands for may still arrive: then it is looked at once more. */
  const closeAfterGrace = (entry: Entry) =>
    entry.ageMs < graceMs
      ? journal.release(entry, graceMs - entry.ageMs, 'waiting for a late write')
      : journal.close(db, entry)

  /** A create that was not recorded is undone: its caller got no answer, or an error. */
  const undoCreate = async (twin: RemoteKind, entry: Entry) => {
    const recorded = await twin.local.read(db, entry.ref)
    const since = lookBackFrom(entry.createdAt)
    const find = () => twin.live.find(entry.ref, since, { signal: entry.signal })
    const arrived = await find()
    for (let found = arrived; found && found.id !== recorded?.liveId; found = await find()) {
      await deleteLive(twin, found.id, entry)
    }
    // A row stands for one create: once that has arrived, there is no other to wait for.
    await (arrived ? journal.close(db, entry) : closeAfterGrace(entry))
  }

  /** The live side is told again what the local record says, whatever became of the write. */
  const reapply = async (twin: RemoteKind, entry: Entry) => {
    const recorded = await twin.local.read(db, entry.ref)
    if (!recorded) return journal.close(db, entry)
    const { liveId, body } = recorded
    const { signal } = entry
    try {
      const live = await twin.live.get(liveId, { signal })
      entry.assertHeld()
      if (twin.live.differs(body, live).length > 0) await twin.live.update(liveId, body, { signal })
    } catch (error) {
      if (!isGone(error)) throw error
      log.warn({ kind: entry.kind, ref: entry.ref }, 'the live twin is gone: the next save will say so')
    }
    await closeAfterGrace(entry)
  }

  /** A delete completes, unless the platform refuses it: then both sides stay. */
  const completeDelete = async (twin: RemoteKind, entry: Entry) => {
    const recorded = await twin.local.read(db, entry.ref)
    if (recorded) {
      try {
        await deleteLive(twin, recorded.liveId, entry)
      } catch (error) {
        if (error instanceof PlatformError && error.kind === 'rejected') return reapply(twin, entry)
        throw error
      }
    }
    await db.transaction(async (tx) => {
      if (recorded) await twin.local.remove(tx, entry.ref)
      await journal.close(tx, entry)
    })
  }

  const steps = { create: undoCreate, update: reapply, delete: completeDelete }

  /**
   * Recovers one row that we hold; one that cannot be recovered now is left for later, with longer and longer pauses.
   * Answers what stopped it.
   */
  return async (entry: Entry): Promise<Error | undefined> => {
    const { kind, ref, action } = entry
    try {
      await steps[action](twinOf(kind), entry)
      log.info({ kind, ref, action }, 'an unfinished live write was looked at')
      return undefined
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      const pause = Math.min(maxPauseMs, pauseMs * 2 ** Math.min(entry.attempts, 20))
      log.warn({ kind, ref, action, reason: failure.message }, 'recovery will try again')
      await journal.release(entry, pause, failure.message).catch(() => {})
      return failure
    }
  }
}

const isGone = (error: unknown) => error instanceof PlatformError && error.kind === 'not_found'

/** Deletes a live object; one that is gone already is fine. */
export async function deleteLive(twin: RemoteKind, liveId: string, { signal }: Pick<Entry, 'signal'>): Promise<void> {
  try {
    await twin.live.delete(liveId, { signal })
  } catch (error) {
    if (!isGone(error)) throw error
  }
}
