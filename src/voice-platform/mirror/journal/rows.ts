import { randomUUID } from 'node:crypto'
import { and, eq, inArray, lte, or, sql } from 'drizzle-orm'
import type { Database, Executor } from '../../../db/client.ts'
import { inMs } from '../../../db/schedule.ts'
import { workOn } from '../../../db/work/claim.ts'
import type { Timers } from '../../../runtime/timers.ts'
import { endRow } from './end.ts'
import { type Entry, EntryLostError, type LiveAction, type Row, type Target } from './entry.ts'
import { rowInserter } from './insert.ts'
import { withoutNoted } from './kept-intents.ts'
import { laterOf } from './mark.ts'
import { heldBy, liveWrites, nobody } from './table.ts'

interface RowOptions {
  db: Database
  timers: Pick<Timers, 'now'>
  /** How long a row outlives a crash of its holder before another may take it over. */
  leaseMs: number
  /** How long after a write that got no response it may still arrive. */
  graceMs: number
}

/** The unfinished writes that a write supersedes: it sends the whole body anew, or ends the object. */
const superseded: Record<LiveAction, LiveAction[]> = {
  create: ['create', 'update'],
  update: ['create', 'update'],
  delete: ['create', 'update', 'delete'],
}

const maxReason = 500
const ofResource = ({ kind, ref }: Pick<Target, 'kind' | 'ref'>) =>
  and(eq(liveWrites.kind, kind), eq(liveWrites.ref, ref))
const isDue = lte(liveWrites.dueAt, sql`now()`)
const isFree = or(isDue, eq(liveWrites.owner, nobody))

/** The columns of a row that was taken. */
const taken = {
  id: liveWrites.id,
  kind: liveWrites.kind,
  ref: liveWrites.ref,
  action: liveWrites.action,
  owner: liveWrites.owner,
  createdAt: liveWrites.createdAt,
  deleteSent: liveWrites.deleteSent,
  createSent: liveWrites.createSent,
  createsMarked: liveWrites.createsMarked,
  lateMs: sql<number>`coalesce(extract(epoch from ${liveWrites.lateUntil} - now()) * 1000, 0)::float8`,
  attempts: liveWrites.attempts,
  intents: liveWrites.intents,
}

/** The statements on journal rows. All their times are the database's clock. */
export function createRows({ db, timers, leaseMs, graceMs }: RowOptions) {
  const insertRow = rowInserter(db, leaseMs)

  /** What a writer sent before its row ran out may still arrive. */
  const lateOfOwner = sql`${liveWrites.dueAt} + ${graceMs} * interval '1 millisecond'`
  const lateWhenTaken = sql`case when ${liveWrites.owner} = ${nobody} then ${liveWrites.lateUntil}
    else greatest(${liveWrites.lateUntil}, ${lateOfOwner}) end`
  const unfinished = workOn({
    table: liveWrites,
    id: liveWrites.id,
    dueAt: liveWrites.dueAt,
    owner: liveWrites.owner,
    attempts: liveWrites.attempts,
    lastError: liveWrites.lastError,
    leaseMs,
    nobody,
    onClaim: { lateUntil: lateWhenTaken },
  })
  const asOurs = () => ({ owner: randomUUID(), dueAt: inMs(leaseMs), lateUntil: lateWhenTaken })

  return {
    /** Writes the row of a resource that has none. */
    async open({ kind, ref, action, isNew }: Target): Promise<Row | undefined> {
      const id = randomUUID()
      const owner = randomUUID()
      const askedAt = timers.now()
      const createSent = action === 'create'
      const createdAt = await insertRow({ id, kind, ref, action, owner, createSent }, isNew)
      const fresh = {
        deleteSent: false,
        createSent,
        createsMarked: false,
        lateMs: 0,
        attempts: 0,
        intents: [],
        inherited: false,
      }
      return createdAt && { id, kind, ref, action, owner, createdAt, askedAt, ...fresh }
    },

    /** Takes over a row that nobody is at work on and that this write supersedes. */
    async inherit(target: Target): Promise<Row | undefined> {
      const { action } = target
      const askedAt = timers.now()
      const [row] = await db
        .update(liveWrites)
        .set({ ...asOurs(), action, ...(action === 'create' && { createSent: true, createsMarked: false }) })
        .where(and(ofResource(target), inArray(liveWrites.action, superseded[action]), isFree))
        .returning(taken)
      return row && { ...row, inherited: true, askedAt }
    },

    /** Takes over the unfinished delete that stands before another write, to recover it. */
    async claimDelete(target: Target): Promise<Row | undefined> {
      const askedAt = timers.now()
      const [row] = await db
        .update(liveWrites)
        .set(asOurs())
        .where(and(ofResource(target), eq(liveWrites.action, 'delete'), isFree))
        .returning(taken)
      return row && { ...row, inherited: false, askedAt }
    },

    /** Takes over the row that is due the longest, to recover it. */
    async claimDue(): Promise<Row | undefined> {
      const askedAt = timers.now()
      const [row] = await unfinished.claim(db, 1)
      if (!row) return undefined
      // Both times are the database's: it was claimed one lease before it is due again.
      const lateMs = Math.max(0, (row.lateUntil?.getTime() ?? 0) - (row.dueAt.getTime() - leaseMs))
      return { ...row, lateMs, inherited: false, askedAt }
    },

    nextDue: unfinished.nextDue,
    counts: unfinished.counts,

    /**
     * Whether the row still is ours, for another `leaseMs`; it waits for a transaction that is about to end it. Within
     * a transaction it stays ours until that ends.
     */
    async renew(row: Row, executor: Executor = db): Promise<boolean> {
      const renewed = await executor
        .update(liveWrites)
        .set({ dueAt: inMs(leaseMs) })
        .where(heldBy(row))
        .returning({ id: liveWrites.id })
      return renewed.length > 0
    },

    /**
     * Notes that a create or delete is about to be sent, `isMarked` where its body has a mark.
     * @throws EntryLostError when the row is another's by now.
     */
    async noteSent(entry: Entry, what: 'createSent' | 'deleteSent', isMarked = false): Promise<void> {
      const areMarked = sql`${isMarked}::boolean and (${liveWrites.createsMarked} or not ${liveWrites.createSent})`
      const noted = await db
        .update(liveWrites)
        .set({ [what]: true, ...(what === 'createSent' && { createsMarked: areMarked }) })
        .where(heldBy(entry))
        .returning({ id: liveWrites.id })
      if (noted.length === 0) throw new EntryLostError(entry)
    },

    /**
     * Ends a row within the transaction that records the outcome. While a write that got no response may still arrive,
     * it is left to be looked at again, first in `ms`; so is a row with `look`, whose remote object nobody has looked
     * at yet.
     * @throws EntryLostError when another took it over meanwhile; the transaction must not be committed then.
     */
    async settle(executor: Executor, entry: Entry, ms: number, look = false): Promise<void> {
      const { id, owner, action, createSent, inDoubt } = entry
      // Nothing late can bring back what was deleted, except a create.
      const always = action === 'delete' && !createSent
      if (always || !(inDoubt || look)) {
        const ended = await endRow(executor, { id, owner, always })
        if (ended.length > 0) return
      }
      const left = await executor
        .update(liveWrites)
        .set({
          action: 'update',
          deleteSent: false,
          owner: nobody,
          dueAt: inMs(ms),
          attempts: 0,
          lastError: null,
          ...(inDoubt ? { lateUntil: laterOf(graceMs) } : { intents: withoutNoted(entry) }),
        })
        .where(heldBy(entry))
        .returning({ id: liveWrites.id })
      if (left.length === 0) throw new EntryLostError(entry)
    },

    /**
     * Leaves a row for recovery, due in `ms`; `reason` is kept for operators. `agreed` when both sides agree on all
     * that this holder sent. Returns whether the row was ours.
     */
    async release(entry: Entry, ms: number, reason: string, action: LiveAction, agreed: boolean): Promise<boolean> {
      const left = await db
        .update(liveWrites)
        .set({
          action,
          ...(action !== 'delete' && { deleteSent: false }),
          owner: nobody,
          dueAt: inMs(ms),
          lastError: reason.slice(0, maxReason),
          attempts: sql`${liveWrites.attempts} + 1`,
          ...(entry.inDoubt && { lateUntil: laterOf(graceMs) }),
          ...(agreed && !entry.inDoubt && { intents: withoutNoted(entry) }),
        })
        .where(heldBy(entry))
        .returning({ id: liveWrites.id })
      return left.length > 0
    },

    /** Makes every row due: for the start on an embedded database, when no other process can be at work. */
    async releaseAll(): Promise<void> {
      await db
        .update(liveWrites)
        .set({ owner: nobody, dueAt: sql`now() - interval '1 second'`, lateUntil: lateWhenTaken })
    },
  }
}
