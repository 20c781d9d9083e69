import type { Database } from '../../../db/client.ts'
import type { Timers } from '../../../runtime/timers.ts'
import type { Vault } from '../../../secrets/vault.ts'
import { type Intent, openIntents, sealIntent } from '../agreement/intents.ts'
import { type Entry, EntryLostError, type LiveAction, type Row } from './entry.ts'
import { keepIntent } from './kept-intents.ts'
import { createLeases } from './lease.ts'
import { markUnfinished } from './mark.ts'
import { createRows } from './rows.ts'

interface JournalOptions {
  db: Database
  /** How long a row outlives a crash of its holder before another may take it over. */
  leaseMs: number
  /** How long after a write that got no response it may still arrive. */
  graceMs: number
  vault: Vault
  timers: Timers
}

/** Works on a row that is held, and ends it or leaves it; returns what stopped it. */
type Recover = (entry: Entry) => Promise<Error | undefined>

/** The journal of live writes: one row per resource, held like a lease. */
export function createJournal({ db, vault, timers, leaseMs, graceMs }: JournalOptions) {
  const rows = createRows({ db, timers, leaseMs, graceMs })
  const { withLease, abandon, abandonable } = createLeases(rows.renew, leaseMs, timers)
  /** Rows that were lost while a live write may have been sent, and could not be marked yet. */
  const lost = new Map<string, Row>()

  const markLost = async (row: Row) => {
    lost.set(row.id, row)
    await markUnfinished(db, { ...row, ms: graceMs })
    lost.delete(row.id)
  }

  return {
    ...rows,
    withLease,
    abandonable,

    /** Keeps what an update is about to send, unless it says no more than one that is kept. Throws EntryLostError. */
    async noteIntent(entry: Entry, intent: Intent): Promise<void> {
      const isKept = openIntents(vault, entry.intents).some(({ sent }) => Bun.deepEquals(sent, intent.sent))
      if (intent.outside || !isKept) return keepIntent(db, entry, sealIntent(vault, intent))
      if (!(await rows.renew(entry))) throw new EntryLostError(entry)
    },

    /**
     * For what was sent to end a row and had no response: if it has not ended it by now, it fails. The row is looked at
     * again in any case.
     */
    fence: (entry: Entry): Promise<void> => markUnfinished(db, { ...entry, ms: graceMs }),

    /**
     * Leaves a row for recovery, due in `ms`; `reason` is kept for operators. A row that was lost is marked again,
     * because a write of ours may arrive after those of whoever took it over; `agreed` when both sides agree on all
     * that this holder sent. Returns whether the row was ours.
     */
    async release(
      entry: Entry,
      ms: number,
      reason: string,
      { action = entry.action, agreed = false }: { action?: LiveAction; agreed?: boolean } = {},
    ): Promise<boolean> {
      const ours = await rows.release(entry, ms, reason, action, agreed)
      if (!ours) await markLost(entry)
      return ours
    },

    /** Runs `recover` on the row that is due the longest. Returns false when none is. `found` is called before. */
    async recoverNext(recover: Recover, found: () => void): Promise<boolean> {
      for (const row of lost.values()) await markLost(row)
      const row = await rows.claimDue()
      if (!row) return false
      found()
      await withLease(row, recover)
      return true
    },

    abandon,
  }
}

export type Journal = ReturnType<typeof createJournal>
