import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/client.ts'
import { PlatformError } from './errors.ts'
import type { Entry, Journal } from './journal/journal.ts'
import { lookBackFrom, type Twin } from './twin.ts'

const firstPauseMs = 1_000
const longestPauseMs = 5 * 60_000

interface RecoveryOptions {
  db: Database
  journal: Journal
  clock: Clock
  log: Logger
  twins: readonly Twin[]
  /** How long after a create a late twin may still appear. */
  graceMs: number
}

const isGone = (error: unknown) => error instanceof PlatformError && error.kind === 'not_found'

/** Brings both sides of an unfinished write together. */
export function createRecovery({ db, journal, clock, log, twins, graceMs }: RecoveryOptions) {
  const twinOf = (kind: string) => {
    const twin = twins.find((one) => one.kind === kind)
    if (!twin) throw new Error(`No twin of kind ${kind}`)
    return twin
  }

  const deleteLive = async (twin: Twin, liveId: string) => {
    try {
      await twin.live.delete(liveId)
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }

  /** A create that was not recorded is undone: its caller got no answer, or an error. */
  const undoCreate = async (twin: Twin, entry: Entry) => {
    const recorded = await twin.local.read(db, entry.ref)
    const since = lookBackFrom(entry.createdAt)
    let found = await twin.live.find(entry.ref, since)
    while (found && found.id !== recorded?.liveId) {
      await deleteLive(twin, found.id)
      found = await twin.live.find(entry.ref, since)
    }
    const age = clock.now().getTime() - entry.createdAt.getTime()
    if (age < graceMs) return journal.release(entry, graceMs - age, 'waiting for a late twin')
    await journal.close(db, entry)
  }

  /** An update that was not recorded is undone: the live side is told again what the local record says. */
  const reapply = async (twin: Twin, entry: Entry) => {
    const recorded = await twin.local.read(db, entry.ref)
    if (recorded) {
      try {
        await twin.live.update(recorded.liveId, recorded.body)
      } catch (error) {
        if (!isGone(error)) throw error
        log.warn({ kind: entry.kind, ref: entry.ref }, 'the live twin is gone: the next save will say so')
      }
    }
    await journal.close(db, entry)
  }

  /** A delete completes. */
  const completeDelete = async (twin: Twin, entry: Entry) => {
    const recorded = await twin.local.read(db, entry.ref)
    if (recorded) await deleteLive(twin, recorded.liveId)
    await db.transaction(async (tx) => {
      if (recorded) await twin.local.remove(tx, entry.ref)
      await journal.close(tx, entry)
    })
  }

  const steps = { create: undoCreate, update: reapply, delete: completeDelete }

  /** Recovers one row that we hold; one that cannot be recovered now is left for later. */
  const recover = async (entry: Entry): Promise<void> => {
    try {
      await steps[entry.action](twinOf(entry.kind), entry)
      log.info({ kind: entry.kind, ref: entry.ref, action: entry.action }, 'an unfinished live write was recovered')
    } catch (error) {
      const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(entry.attempts, 20))
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ kind: entry.kind, ref: entry.ref, action: entry.action, reason }, 'recovery will try again')
      await journal.release(entry, pause, reason).catch(() => {})
    }
  }

  return { recover, deleteLive }
}

export type Recovery = ReturnType<typeof createRecovery>
