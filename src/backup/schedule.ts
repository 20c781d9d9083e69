import { isNull, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database } from '../db/client.ts'
import type { BackgroundPart } from '../db/work/background.ts'
import { ClaimLostError, workOn } from '../db/work/claim.ts'
import type { WorkKind } from '../db/work/poller.ts'
import { createDeadline } from '../runtime/deadline.ts'
import { reasonOf } from '../runtime/log.ts'
import type { Timers } from '../runtime/timers.ts'
import { backups } from './table.ts'

interface ScheduleOptions {
  db: Database
  log: Logger
  /** Hours from one backup to the next. */
  hours: number
  timers: Pick<Timers, 'after'>
  /** Makes one and says where it is; ends early, by throwing, when the signal fires. */
  make(signal: AbortSignal): Promise<string>
}

const only = 1
/** One that takes longer is ended, and tried again like one that failed. */
const maxHours = 12
const hourMs = 60 * 60_000
/** How long a claim outlives a crash of its process. */
const leaseMs = 8_000
const again = sql`now() + interval '15 minutes'`

/**
 * Makes backups again and again, on one instance at a time; one that fails is tried again a quarter of an hour later.
 */
export function backupSchedule({ db, log, hours, timers, make }: ScheduleOptions): BackgroundPart & { work: WorkKind } {
  const next = sql`now() + ${hours} * interval '1 hour'`
  const { id, dueAt, owner, attempts, lastError } = backups
  const work = workOn({ table: backups, id, dueAt, owner, attempts, lastError, leaseMs })
  const ended = new AbortController()

  const makeInTime = async () => {
    const limit = Math.max(hours, maxHours)
    const reason = () => new Error(`The backup took more than ${limit} hours.`)
    const { signal, end } = createDeadline(limit * hourMs, { reason, caller: ended.signal, timers })
    return make(signal).finally(end)
  }

  const run = async () => {
    const [row] = ended.signal.aborted ? [] : await work.claim(db, 1)
    if (!row) return
    try {
      const archive = await work.keeping(db, row, makeInTime)
      await work.settle(db, row, { dueAt: next, attempts: 0, lastError: null, finishedAt: sql`now()`, archive })
      log.info({ event: 'backup_made', archive }, 'a backup was made')
    } catch (error) {
      if (error instanceof ClaimLostError) return
      if (ended.signal.aborted) return work.release(db, row)
      log.error({ event: 'backup_failed', err: error }, 'a backup could not be made')
      await work.settle(db, row, { dueAt: again, lastError: reasonOf(error) })
    }
  }

  return {
    work: { name: 'backup', nextDue: work.nextDue, counts: work.counts, run },
    async prepare(alone) {
      await db.insert(backups).values({ id: only, dueAt: next }).onConflictDoNothing()
      // Another interval than before holds from now on.
      await db
        .update(backups)
        .set({ dueAt: sql`least(${dueAt}, ${next})` })
        .where(isNull(owner))
      if (alone) await work.releaseAll(db)
    },
    stop() {
      ended.abort(new Error('The server is stopping.'))
    },
  }
}
