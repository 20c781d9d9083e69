import { and, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import type { BackgroundPart } from '../../db/work/background.ts'
import { type Claimed, ClaimLostError, workOn } from '../../db/work/claim.ts'
import type { Clock } from '../../runtime/clock.ts'
import { reasonOf } from '../../runtime/log.ts'
import { systemTimers, type Timers } from '../../runtime/timers.ts'
import type { Sweep } from './sweep.ts'
import { driftSweeps } from './table.ts'

interface ScanOptions {
  db: Database
  clock: Clock
  log: Logger
  sweep: Sweep
  /** Minutes between two sweeps; 0: only those that are asked for. */
  minutes: number
  /**
   * Milliseconds from the start of a look at everything, among more than a thousand objects, to one that is asked for;
   * a second at most after other sweeps. Default 30 s.
   */
  requestsMs?: number
  /** How long a sweep outlives a crash of its process. */
  leaseMs?: number
  /** Has what is due looked for now. */
  wake(): void
  timers?: Timers
}

/** How far the sweep is: the one that runs or waits, or else the last one. `requested`: one waits. */
export type ScanProgress = Pick<
  typeof driftSweeps.$inferSelect,
  'requested' | 'startedAt' | 'finishedAt' | 'checked' | 'lastError'
> & { running: boolean }

/** The sweep as background work, on one instance at a time. */
export interface DriftScan extends Required<Omit<BackgroundPart, 'start'>> {
  /** Has everything looked at soon; one that waits already is the same. */
  request(): Promise<ScanProgress>
  progress(): Promise<ScanProgress>
  /** Does the sweep that is due now. */
  sweepNow(): Promise<void>
}

const only = 1
const fullEveryMs = 60 * 60 * 1000
/** So many objects come with one page each, so that looking at all of them costs no more. */
const maxAlwaysFull = 1_000
/** From the start of a sweep that is no look at so many to one that is asked for. */
const maxShortMs = 1_000

/** Whether a sweep began and did not end: that of a process that died or was stopped, or one that failed. */
const isCutShort = ({ startedAt, finishedAt }: typeof driftSweeps.$inferSelect) =>
  startedAt !== null && finishedAt === null
const cutShort = and(isNotNull(driftSweeps.startedAt), isNull(driftSweeps.finishedAt))

/** Makes the sweep due every so many minutes, and when it is asked for. */
export function createScan(options: ScanOptions): DriftScan {
  const { db, clock, log, sweep, minutes, leaseMs = 8_000, wake, timers = systemTimers } = options
  const { requestsMs = 30_000 } = options
  const shortMs = Math.min(requestsMs, maxShortMs)
  /** When a sweep that is asked for may begin. */
  const soonAfter = (wasLarge: SQL | boolean) =>
    sql`greatest(now(), ${driftSweeps.startedAt} +
      case when ${wasLarge} then ${requestsMs}::int else ${shortMs}::int end * interval '1 millisecond')`
  const wasLarge = sql`${driftSweeps.fullAt} >= ${driftSweeps.startedAt} and ${driftSweeps.fullCount} > ${maxAlwaysFull}::int`
  const every = minutes > 0 ? sql`now() + ${minutes} * interval '1 minute'` : sql`now() + interval '100 years'`
  const work = workOn({
    table: driftSweeps,
    id: driftSweeps.id,
    dueAt: driftSweeps.dueAt,
    owner: driftSweeps.owner,
    attempts: driftSweeps.attempts,
    lastError: driftSweeps.lastError,
    leaseMs,
    open: minutes > 0 ? undefined : or(eq(driftSweeps.requested, true), cutShort),
  })
  const ended = new AbortController()

  const ensure = () => db.insert(driftSweeps).values({ id: only, dueAt: every }).onConflictDoNothing()

  const progress = async (): Promise<ScanProgress> => {
    await ensure()
    const [row] = await db.select().from(driftSweeps).where(eq(driftSweeps.id, only))
    if (!row) throw new Error('The sweep has no row')
    const { startedAt, finishedAt, checked, lastError, owner } = row
    const requested = row.requested || isCutShort(row)
    return { requested, startedAt, finishedAt, checked, lastError, running: owner !== null }
  }

  const isFull = (row: Claimed<typeof driftSweeps>) =>
    row.requested ||
    isCutShort(row) ||
    !row.fullAt ||
    row.fullCount <= maxAlwaysFull ||
    row.fullAt.getTime() < clock.now().getTime() - fullEveryMs

  const run = async (row: Claimed<typeof driftSweeps>) => {
    const lost = new AbortController()
    const endRenewal = timers.every(leaseMs / 3, () => {
      work.renew(db, row).then(
        (ours) => ours || lost.abort(new ClaimLostError('The sweep was taken over')),
        () => {},
      )
    })
    try {
      const full = isFull(row)
      // Who asks from now on asks for another one. Until this one has ended, the row says that it did not.
      await work.settle(db, row, {
        owner: row.owner,
        requested: false,
        startedAt: sql`now()`,
        finishedAt: null,
        checked: 0,
      })
      const { cursors, passedOver, checked } = await sweep({
        cursors: row.cursors,
        passedOver: row.passedOver,
        full,
        call: { signal: AbortSignal.any([lost.signal, ended.signal]) },
        async progress(sofar) {
          lost.signal.throwIfAborted()
          ended.signal.throwIfAborted()
          await db.update(driftSweeps).set({ checked: sofar }).where(eq(driftSweeps.id, only))
        },
      })
      await work.settle(db, row, {
        dueAt: sql`case when ${driftSweeps.requested} then ${soonAfter(full && checked > maxAlwaysFull)} else ${every} end`,
        attempts: 0,
        lastError: null,
        finishedAt: sql`now()`,
        checked,
        cursors,
        passedOver,
        ...(full && { fullAt: sql`now()`, fullCount: checked }),
      })
    } catch (error) {
      if (error instanceof ClaimLostError) return
      log.warn({ event: 'drift_sweep_failed', err: error }, 'a sweep for drift did not end')
      await work.backOff(db, row, reasonOf(error)).catch(() => {})
    } finally {
      endRenewal()
    }
  }

  const sweepNow = async () => {
    const [row] = ended.signal.aborted ? [] : await work.claim(db, 1)
    if (row) await run(row)
  }

  return {
    progress,
    sweepNow,
    async request() {
      await db
        .insert(driftSweeps)
        .values({ id: only, dueAt: sql`now()`, requested: true })
        .onConflictDoUpdate({
          target: driftSweeps.id,
          set: {
            requested: true,
            dueAt: sql`case when ${driftSweeps.owner} is null then ${soonAfter(wasLarge)} else ${driftSweeps.dueAt} end`,
          },
        })
      wake()
      return progress()
    },
    work: { name: 'drift', nextDue: work.nextDue, counts: work.counts, run: sweepNow },
    async prepare(alone) {
      await ensure()
      // Another interval than before holds from now on.
      await db
        .update(driftSweeps)
        .set({ dueAt: sql`least(${driftSweeps.dueAt}, ${every})` })
        .where(isNull(driftSweeps.owner))
      if (alone) await work.releaseAll(db)
    },
    async stop() {
      ended.abort(new Error('The server is stopping.'))
    },
  }
}
