import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { ifInTime } from '../runtime/deadline.ts'
import { createReminder } from '../runtime/reminder.ts'
import type { Timers } from '../runtime/timers.ts'
import type { Database, DatabaseHandle } from './client.ts'
import { isUnreachable } from './unreachable.ts'

/** How long a read waits for the replica to have what the primary has. */
const maxWaitMs = 100
const pollMs = 4
/** How long a replica that did not catch up in time is left alone. */
const pauseMs = 1_000

/** What a standby says when it ends a query that is in the way of what it replays. */
const conflicts = new Set(['40001', '40P01'])

const isConflict = (error: unknown): boolean => {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if ('code' in inner && conflicts.has(String(inner.code))) return true
  }
  return false
}

/** Reads from a standby that follows the database. */
export interface Replica {
  /**
   * Runs a read on the standby, once that has all that was committed before this call, so that whoever wrote reads
   * what they wrote, whichever instance took the write. Where the standby is late, away, or ends the read, and where
   * the read writes after all, it runs on the database itself. Throws what it throws there.
   */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>
  /** How many reads ran where. */
  readonly reads: { readonly replica: number; readonly primary: number }
}

/** Calls that begin while one runs share the next one: what it finds is never older than they are. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const start = (): Promise<T> => {
    const own = ask().finally(() => {
      if (running === own) running = undefined
    })
    running = own
    return own
  }
  return () => {
    if (!running) return start()
    next ??= running.then(afterwards, afterwards)
    return next
  }
  function afterwards() {
    next = undefined
    return start()
  }
}

/** Positions in the log of changes, as numbers; null where a server has none of that kind. */
const committed = sql`select pg_wal_lsn_diff(case current_setting('synchronous_commit') when 'off'
  then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end, '0/0')::bigint as position`
const replayed = sql`select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint as position`

async function positionOf(db: Database, query: typeof committed): Promise<number | null> {
  const [row] = await db.execute<{ position: number | null }>(query)
  return row?.position ?? null
}

/** Puts a standby of `primary` beside it. The log says that it is away, and that it is back. */
export function createReplica(
  primary: Database,
  standby: Pick<DatabaseHandle, 'db'>,
  timers: Timers,
  log: Logger,
): Replica {
  const away = createReminder(timers.now)
  const line = { setting: 'DATABASE_REPLICA_URL' }
  const noteAway = (error: unknown) => {
    if (away.isDue())
      log.warn({ event: 'replica_away', ...line, err: error }, 'lists are read from the database: the standby is away')
  }
  const noteBack = () => {
    if (away.end()) log.info({ event: 'replica_back', ...line }, 'lists are read from the standby again')
  }
  const askStandby = async () => {
    try {
      const position = await positionOf(standby.db, replayed)
      if (position === null) noteAway(new Error('It follows no server.'))
      else noteBack()
      return position
    } catch (error) {
      noteAway(error)
      throw error
    }
  }
  const reads = { replica: 0, primary: 0 }
  const toReach = shared(() => positionOf(primary, committed))
  const reached = shared(askStandby)
  let pausedUntil = 0

  /** Whether the standby has all that was committed when this was called. */
  const hasCaughtUp = async (isLate: () => boolean) => {
    let [wanted, has] = await Promise.all([toReach(), reached()])
    while (!isLate() && has !== null && wanted !== null && has < wanted) {
      await timers.sleep(pollMs)
      has = await reached()
    }
    return has !== null && wanted !== null && has >= wanted
  }

  const isReady = async (): Promise<boolean> => {
    const from = timers.now()
    if (from < pausedUntil) return false
    let isLate = false
    const ready = await ifInTime(
      hasCaughtUp(() => isLate).catch(() => false),
      maxWaitMs,
      timers,
    )
    isLate = ready === undefined
    if (!ready) pausedUntil = timers.now() + pauseMs
    return ready === true
  }

  return {
    reads,
    async read(work) {
      if (await isReady()) {
        try {
          const result = await work(standby.db)
          reads.replica += 1
          return result
        } catch (error) {
          if (!isUnreachable(error) && !isConflict(error)) throw error
          if (!isConflict(error)) noteAway(error)
          pausedUntil = timers.now() + pauseMs
        }
      }
      reads.primary += 1
      return work(primary)
    },
  }
}
