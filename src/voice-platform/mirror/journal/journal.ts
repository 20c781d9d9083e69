import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray, lte, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Executor } from '../../../db/client.ts'
import { enterQueue } from '../../../db/lease/queue.ts'
import { preparedQuery } from '../../../db/prepared/query.ts'
import { preparedStatement } from '../../../db/prepared/statement.ts'
import { type Entry, EntryLostError, type LiveAction, ResourceBusyError, type Row, type Target } from './entry.ts'
import { createHolder } from './hold.ts'
import { liveWrites } from './table.ts'

interface JournalOptions {
  db: Database
  /** How long a row outlives a crash of its holder before another may take it over. */
  leaseMs: number
  /** How long a writer waits for its turn. */
  waitMs: number
}

/** Works on a row that is held, and ends it or leaves it; answers what stopped it. */
type Recover = (entry: Entry) => Promise<Error | undefined>

const firstPauseMs = 10
const maxPauseMs = 250

/** The owner of a row that was left: nobody is at work on it. */
export const nobody = '00000000-0000-0000-0000-000000000000'

/** The unfinished writes that a write supersedes: an update tells the whole twin anew, a delete ends it. */
const superseded: Record<LiveAction, LiveAction[]> = { create: [], update: ['update'], delete: ['update', 'delete'] }

const inMs = (ms: number): SQL<Date> => sql`now() + ${ms} * interval '1 millisecond'`
const heldBy = ({ id, owner }: Pick<Row, 'id' | 'owner'>) => and(eq(liveWrites.id, id), eq(liveWrites.owner, owner))
const ofResource = ({ kind, ref }: Target) => and(eq(liveWrites.kind, kind), eq(liveWrites.ref, ref))
const isDue = lte(liveWrites.dueAt, sql`now()`)

/** The columns of a row that was taken. */
const taken = {
  id: liveWrites.id,
  kind: liveWrites.kind,
  ref: liveWrites.ref,
  action: liveWrites.action,
  owner: liveWrites.owner,
  createdAt: liveWrites.createdAt,
  ageMs: sql<number>`(extract(epoch from now() - ${liveWrites.createdAt}) * 1000)::float8`,
  attempts: liveWrites.attempts,
}

const endEntry = preparedStatement((executor) =>
  executor
    .delete(liveWrites)
    .where(and(eq(liveWrites.id, sql.placeholder('id')), eq(liveWrites.owner, sql.placeholder('owner'))))
    .returning({ id: liveWrites.id }),
)

/** The journal of live writes: one row per resource, held like a lease. All its times are the database's clock. */
export function createJournal({ db, leaseMs, waitMs }: JournalOptions) {
  /** Rows that were lost while a live write may have been sent; see `release`. */
  const lost = new Map<string, Row>()

  const renew = async (row: Row): Promise<boolean> => {
    const renewed = await db
      .update(liveWrites)
      .set({ dueAt: inMs(leaseMs) })
      .where(heldBy(row))
      .returning({ id: liveWrites.id })
    return renewed.length > 0
  }

  const { hold, abandon, abandonable } = createHolder(renew, leaseMs)

  const insertRow = preparedQuery('journal_begin', (database, name) =>
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

  const open = async ({ kind, ref, action }: Target): Promise<Row | undefined> => {
    const id = randomUUID()
    const owner = randomUUID()
    const [row] = await insertRow(db).execute({ id, kind, ref, action, owner })
    return row && { id, kind, ref, action, owner, createdAt: row.createdAt, ageMs: 0, attempts: 0, inherited: false }
  }

  /** Takes over a row that nobody is at work on and that this write supersedes. */
  const inherit = async (target: Target): Promise<Row | undefined> => {
    const { action } = target
    const actions = superseded[action]
    if (actions.length === 0) return undefined
    const [row] = await db
      .update(liveWrites)
      .set({ owner: randomUUID(), action, createdAt: sql`now()`, dueAt: inMs(leaseMs) })
      .where(and(ofResource(target), inArray(liveWrites.action, actions), or(isDue, eq(liveWrites.owner, nobody))))
      .returning(taken)
    return row && { ...row, inherited: true }
  }

  /** Takes over a row to recover it. */
  const claim = async (which: SQL | undefined): Promise<Row | undefined> => {
    const [row] = await db
      .update(liveWrites)
      .set({ owner: randomUUID(), dueAt: inMs(leaseMs) })
      .where(which)
      .returning(taken)
    return row && { ...row, inherited: false }
  }

  const take = async (target: Target, recover: Recover, abandon: AbortSignal): Promise<Row> => {
    // A create that was left waits for a late twin until it is due; the others may be tried at once. What is superseded
    // is inherited only: it may be left between the two statements.
    const mayRecover = and(
      ofResource(target),
      notInArray(liveWrites.action, superseded[target.action]),
      or(isDue, and(eq(liveWrites.owner, nobody), ne(liveWrites.action, 'create'))),
    )
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      const row = (await open(target)) ?? (await inherit(target))
      if (row) return row
      const left = await claim(mayRecover)
      const failure = left && (await hold(left, recover))
      if (failure) throw failure
      const jittered = pauseMs * (0.5 + Math.random())
      await sleep(jittered, undefined, { signal: abandon }).catch(() => abandon.throwIfAborted())
    }
  }

  return {
    /**
     * Runs `work` as the only writer of the resource, with its row in the journal. What an unfinished write left is
     * superseded by this one (`entry.inherited`), or handed to `recover` first. `work` ends the row itself (`close`),
     * or leaves it for recovery (`release`).
     * @throws ResourceBusyError when the turn did not come in time; what stopped `recover`.
     */
    async turn<T>(target: Target, recover: Recover, work: (entry: Entry) => Promise<T>): Promise<T> {
      const { controller, done } = abandonable()
      const timer = setTimeout(() => controller.abort(new ResourceBusyError(target)), waitMs)
      const waited = () => {
        clearTimeout(timer)
        done()
      }
      let leave = () => {}
      try {
        leave = await enterQueue(db, `${target.kind}:${target.ref}`, controller.signal)
        const row = await take(target, recover, controller.signal)
        waited()
        return await hold(row, work)
      } finally {
        waited()
        leave()
      }
    },

    /** Whether the row still is ours; it waits for a transaction that is about to end it. */
    renew,

    /**
     * Ends a row within the transaction that records the outcome.
     * @throws EntryLostError when another took it over meanwhile; the transaction must not be committed then.
     */
    async close(executor: Executor, entry: Entry): Promise<void> {
      const { id, owner } = entry
      const gone = await endEntry(executor, { id, owner })
      if (gone.length === 0) throw new EntryLostError(entry)
    },

    /**
     * Leaves a row in the transaction that records an update, due in `ms`: the record is looked at once more, unless
     * another write comes first.
     * @throws EntryLostError like `close`.
     */
    async watch(executor: Executor, entry: Entry, ms: number): Promise<void> {
      const left = await executor
        .update(liveWrites)
        .set({ owner: nobody, dueAt: inMs(ms), attempts: 0, lastError: null })
        .where(heldBy(entry))
        .returning({ id: liveWrites.id })
      if (left.length === 0) throw new EntryLostError(entry)
    },

    /**
     * Leaves a row for recovery, due in `ms`; `reason` is kept for operators. A row that was lost is opened again as
     * soon as the resource is free, because a write of ours may have arrived after those of whoever took it over.
     */
    async release(entry: Entry, ms: number, reason: string, action: LiveAction = entry.action): Promise<void> {
      const left = await db
        .update(liveWrites)
        .set({
          action,
          owner: nobody,
          dueAt: inMs(ms),
          lastError: reason.slice(0, 500),
          attempts: sql`${liveWrites.attempts} + 1`,
        })
        .where(heldBy(entry))
        .returning({ id: liveWrites.id })
      if (left.length === 0) lost.set(entry.id, entry)
    },

    /** Runs `recover` on each row that is due, one after the other. Returns how many there were. */
    async recoverDue(recover: Recover, limit: number): Promise<number> {
      for (const row of lost.values()) {
        const reopened = await open(row)
        if (!reopened) continue
        lost.delete(row.id)
        await hold(reopened, recover)
      }
      const due = await db
        .select({ id: liveWrites.id })
        .from(liveWrites)
        .where(isDue)
        .orderBy(liveWrites.dueAt)
        .limit(limit)
      for (const { id } of due) {
        const row = await claim(and(eq(liveWrites.id, id), isDue))
        if (row) await hold(row, recover)
      }
      return due.length
    },

    /** Makes every row due: for the start on an embedded database, when no other process can be at work. */
    async releaseAll(): Promise<void> {
      await db.update(liveWrites).set({ owner: nobody, dueAt: sql`now() - interval '1 second'` })
    },

    abandon,
  }
}

export type Journal = ReturnType<typeof createJournal>
