import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Timers } from '../runtime/timers.ts'
import type { DatabaseHandle } from './client.ts'
import type { BackgroundPart } from './work/background.ts'

const lookEveryMs = 10_000
/** Between two looks at whether it is quiet, so that no interval of callers hides from them. */
const listenEveryMs = 1_000
/** Nobody is likely to wait for the thread when nothing was asked for as long as this. */
const quietMs = 2_000
/** For as long a table is left that could not be vacuumed. */
const leaveMs = 3_600_000
/** A vacuum of a table beyond 2 GB would hold the thread for too long. */
const maxBlocks = 262_144
/** So few changed rows are vacuumed in some milliseconds. */
const changedRows = 1_000
/** Blocks of 8 KB that no vacuum has seen: changes are counted since the start alone. */
const unseenBlocks = 128

const changed = sql`pg_stat_get_ins_since_vacuum(oid) + pg_stat_get_dead_tuples(oid)`
const blocks = sql`pg_relation_size(oid) / current_setting('block_size')::int`
/** The table in which most has changed, if that is enough, of all but those that are left. */
const nextTable = (left: readonly string[]) => sql`select oid::regclass::text as name from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relpages < ${maxBlocks}
    and oid::regclass::text <> all(${sql.param(left)}::text[]) and (${changed} >= ${changedRows}
    or ${blocks} - relallvisible > greatest(${unseenBlocks}, relpages / 10))
  order by ${changed} desc limit 1`

type Kept = Pick<DatabaseHandle, 'db' | 'pool' | 'quietFor'>

/**
 * Vacuums the tables of an embedded database, one at a time, whenever it is quiet: nobody else does, and counting from
 * an index would read their rows. Statistics are not gathered. A server does this by itself.
 */
export function vacuumPart(
  { db, pool, quietFor }: Kept,
  log: Logger,
  timers: Pick<Timers, 'every' | 'now'>,
): BackgroundPart {
  let running: Promise<void> | undefined
  let end = () => {}
  let lookedAt = Number.NEGATIVE_INFINITY
  /** Until when tables are left. */
  const leftUntil = new Map<string, number>()
  const isQuiet = () => quietFor !== undefined && quietFor() >= quietMs && pool().busy + pool().waiting === 0
  const vacuum = async () => {
    for (const [name, until] of leftUntil) if (timers.now() >= until) leftUntil.delete(name)
    const [table] = await db.execute<{ name: string }>(nextTable([...leftUntil.keys()]))
    if (!table) return
    try {
      await db.execute(sql`vacuum ${sql.raw(table.name)}`)
    } catch (error) {
      leftUntil.set(table.name, timers.now() + leaveMs)
      throw error
    }
  }
  const look = () => {
    if (running || timers.now() - lookedAt < lookEveryMs || !isQuiet()) return
    lookedAt = timers.now()
    running = vacuum()
      .catch((error: unknown) => log.warn({ event: 'vacuum_failed', err: error }, 'a table could not be vacuumed'))
      .finally(() => {
        running = undefined
      })
  }
  return {
    start() {
      if (quietFor) end = timers.every(listenEveryMs, look)
    },
    async stop() {
      end()
      await running
    },
  }
}
