import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Database, Executor } from '../../db/client.ts'
import { enterQueue } from '../../db/lease-queue.ts'
import { preparedQuery } from '../../db/prepared.ts'
import { liveWrites } from './table.ts'

export type LiveAction = 'create' | 'update' | 'delete'

/** A journal row that this process holds. */
export interface Entry {
  id: string
  kind: string
  ref: string
  action: LiveAction
  owner: string
  createdAt: Date
  attempts: number
}

/** Another write of the same resource did not end in time. */
export class ResourceBusyError extends Error {
  override readonly name = 'ResourceBusyError'
}

/** The row is no longer ours: recovery took the write over, so nothing of it may be saved. */
export class EntryLostError extends Error {
  override readonly name = 'EntryLostError'
}

interface JournalOptions {
  db: Database
  /** How long a row outlives a crash of its holder before another may take it over. */
  leaseMs: number
  /** How long a writer waits for its turn. */
  waitMs: number
}

const firstPauseMs = 10
const longestPauseMs = 250

/** The journal of live writes: one row per resource, held like a lease. Due times are the database's clock. */
export function createJournal({ db, leaseMs, waitMs }: JournalOptions) {
  const inMs = (ms: number): SQL<Date> => sql`now() + ${ms} * interval '1 millisecond'`
  const held = ({ id, owner }: Pick<Entry, 'id' | 'owner'>) => and(eq(liveWrites.id, id), eq(liveWrites.owner, owner))

  const insertEntry = preparedQuery('journal_begin', (database, name) =>
    database
      .insert(liveWrites)
      .values({
        id: sql.placeholder('id'),
        kind: sql.placeholder('kind'),
        ref: sql.placeholder('ref'),
        action: sql.placeholder('action'),
        owner: sql.placeholder('owner'),
        dueAt: inMs(leaseMs),
      })
      .onConflictDoNothing()
      .returning({ createdAt: liveWrites.createdAt })
      .prepare(name),
  )

  const open = async (kind: string, ref: string, action: LiveAction): Promise<Entry | undefined> => {
    const id = randomUUID()
    const owner = randomUUID()
    const [row] = await insertEntry(db).execute({ id, kind, ref, action, owner })
    return row && { id, kind, ref, action, owner, createdAt: row.createdAt, attempts: 0 }
  }

  /** Takes over a row whose holder is gone. */
  const claim = async (which: SQL | undefined): Promise<Entry | undefined> => {
    const owner = randomUUID()
    const [row] = await db
      .update(liveWrites)
      .set({ owner, dueAt: inMs(leaseMs) })
      .where(and(which, lt(liveWrites.dueAt, sql`now()`)))
      .returning()
    return row
  }

  const renewed = (entry: Entry) => {
    const timer = setInterval(() => {
      // Out of reach, the row runs out by itself; `close` decides in the end whether it is still ours.
      db.update(liveWrites)
        .set({ dueAt: inMs(leaseMs) })
        .where(held(entry))
        .catch(() => {})
    }, leaseMs / 3)
    return () => clearInterval(timer)
  }

  return {
    /**
     * Runs `work` as the only writer of the resource, with its row in the journal. A row left by a crash is handed to
     * `recover` first. `work` ends the row itself (`close`), or leaves it for recovery (`release`).
     * @throws ResourceBusyError when the turn did not come in time.
     */
    async turn<T>(
      target: { kind: string; ref: string; action: LiveAction },
      recover: (entry: Entry) => Promise<void>,
      work: (entry: Entry) => Promise<T>,
    ): Promise<T> {
      const { kind, ref, action } = target
      const busy = () => new ResourceBusyError(`${kind} ${ref}`)
      const giveUp = new AbortController()
      const timer = setTimeout(() => giveUp.abort(busy()), waitMs)
      const leave = await enterQueue(db, `${kind}:${ref}`, giveUp.signal).finally(() => clearTimeout(timer))
      const deadline = performance.now() + waitMs
      try {
        for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
          const entry = await open(kind, ref, action)
          if (entry) {
            const stop = renewed(entry)
            return await work(entry).finally(stop)
          }
          const left = await claim(and(eq(liveWrites.kind, kind), eq(liveWrites.ref, ref)))
          if (left) {
            const stop = renewed(left)
            await recover(left).finally(stop)
          }
          if (performance.now() > deadline) throw busy()
          await sleep(pauseMs * (0.5 + Math.random()))
        }
      } finally {
        leave()
      }
    },

    /**
     * Ends a row within the transaction that records the outcome.
     * @throws EntryLostError when recovery took it over meanwhile; the transaction must not be committed then.
     */
    async close(executor: Executor, entry: Entry): Promise<void> {
      const gone = await executor.delete(liveWrites).where(held(entry)).returning({ id: liveWrites.id })
      if (gone.length === 0) throw new EntryLostError(`${entry.kind} ${entry.ref}`)
    },

    /** Leaves a row for recovery, due in `ms`; `error` is kept for operators. */
    async release(entry: Entry, ms: number, error: string): Promise<void> {
      await db
        .update(liveWrites)
        .set({ dueAt: inMs(ms), lastError: error.slice(0, 500), attempts: sql`${liveWrites.attempts} + 1` })
        .where(held(entry))
    },

    /** Runs `recover` on each row that is due, and renews it meanwhile. Returns how many there were. */
    async recoverDue(recover: (entry: Entry) => Promise<void>, limit: number): Promise<number> {
      const due = await db
        .select({ id: liveWrites.id })
        .from(liveWrites)
        .where(lte(liveWrites.dueAt, sql`now()`))
        .orderBy(liveWrites.dueAt)
        .limit(limit)
      for (const { id } of due) {
        const entry = await claim(eq(liveWrites.id, id))
        if (!entry) continue
        const stop = renewed(entry)
        await recover(entry).finally(stop)
      }
      return due.length
    },

    /** Makes every row due: for the start on an embedded database, when no other process can be at work. */
    async releaseAll(): Promise<void> {
      await db.update(liveWrites).set({ dueAt: sql`now() - interval '1 second'` })
    },
  }
}

export type Journal = ReturnType<typeof createJournal>
