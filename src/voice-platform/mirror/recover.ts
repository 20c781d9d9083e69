import { reasonOf } from '../../runtime/log.ts'
import { resolveDrift } from '../drift/findings.ts'
import { PlatformError } from '../errors.ts'
import type { CallOptions } from '../transport.ts'
import type { Entry } from './journal/entry.ts'
import { deleteLive, nextPause, type Reapply, type ReapplyOptions } from './reapply.ts'
import type { RemoteKind } from './remote-kind.ts'

/** How long one live call of recovery may take: a platform that hangs is asked again rather than waited for. */
const timeoutMs = 8_000

interface RecoverOptions extends Pick<ReapplyOptions, 'db' | 'journal' | 'bases' | 'log' | 'pauseMs'> {
  reapply: Reapply
  remoteKinds: readonly RemoteKind[]
}

/** Brings both sides of an unfinished write together: the platform then has what the local record says. */
export function createRecover({ db, journal, bases, log, remoteKinds, pauseMs, reapply }: RecoverOptions) {
  const remoteOf = (kind: string) => {
    const remote = remoteKinds.find((one) => one.kind === kind)
    if (!remote) throw new Error(`No remote object of kind ${kind}`)
    return remote
  }

  /** A delete that was sent completes, unless the platform refuses it: then both sides stay. */
  const completeDelete = async (remote: RemoteKind, entry: Entry, call: CallOptions) => {
    if (!entry.deleteSent) return reapply(remote, entry, call)
    const recorded = await remote.local.read(db, entry.ref)
    if (recorded) {
      try {
        await deleteLive(remote, recorded.liveId, call)
      } catch (error) {
        if (error instanceof PlatformError && error.kind === 'rejected') return reapply(remote, entry, call)
        throw error
      }
    }
    await db.transaction(async (tx) => {
      if (recorded) await remote.local.remove(tx, entry.ref)
      await bases.remove(tx, entry.kind, entry.ref)
      await resolveDrift(tx, entry, 'deleted')
      // What a create made that no record names has not been looked for yet.
      await journal.settle(tx, entry, pauseMs, entry.createSent)
    })
  }

  const steps = { create: reapply, update: reapply, delete: completeDelete }

  /**
   * Recovers one row that we hold; one that cannot be recovered now is left for later, with longer and longer pauses.
   * Returns what stopped it.
   */
  return async (entry: Entry): Promise<Error | undefined> => {
    const { kind, ref, action, attempts } = entry
    try {
      await steps[action](remoteOf(kind), entry, { ...entry.call, timeoutMs })
      log.debug(
        { event: 'live_write_reconciled', kind, ref, action, attempts },
        'an unfinished live write was looked at',
      )
      return undefined
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      log.warn({ event: 'live_write_unreconciled', kind, ref, action, err: failure }, 'recovery will try again')
      await journal.release(entry, nextPause(pauseMs, attempts), reasonOf(failure)).catch(() => {})
      return failure
    }
  }
}

export type Recover = ReturnType<typeof createRecover>
