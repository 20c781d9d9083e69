import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Timers } from '../runtime/timers.ts'
import type { DatabaseHandle } from './client.ts'
import type { BackgroundPart } from './work/background.ts'

const lookEveryMs = 10_000
/** Nobody is likely to wait for the thread when nothing was asked for as long as this. */
const quietMs = 2_000
/** So few changed rows are vacuumed in some milliseconds. */
const changedRows = 1_000
/** Blocks of 8 KB that no vacuum has seen: changes are counted since the start alone. */
const unseenBlocks = 128

const changed = sql`pg_stat_get_ins_since_vacuum(oid) + pg_stat_get_dead_tuples(oid)`
const blocks = sql`pg_relation_size(oid) / current_setting('block_size')::int`
/** The table in which most has changed, if that is enough. */
const nextTable = sql`select oid::regclass::text as name from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and (${changed} >= ${changedRows}
    or ${blocks} - relallvisible > greatest(${unseenBlocks}, relpages / 10))
  order by ${changed} desc limit 1`

type Kept = Pick<DatabaseHandle, 'db' | 'pool' | 'quietFor'>

/**
 * Vacuums the tables of an embedded database, one at a time, whenever it is quiet: nobody else does, and counting from an
 * index would read their rows. Statistics are not gathered. A server does this by itself.
 */
export function vacuumPart({ db, pool, quietFor }: Kept, log: Logger, timers: Pick<Timers, 'every'>): BackgroundPart {
  let running: Promise<void> | undefined
  let end = () => {}
  const isQuiet = () => quietFor !== undefined && quietFor() >= quietMs && pool().busy + pool().waiting === 0
  const vacuum = async () => {
    const [table] = await db.execute<{ name: string }>(nextTable)
    if (table) await db.execute(sql`vacuum ${sql.raw(table.name)}`)
  }
  const look = () => {
    if (running || !isQuiet()) return
    running = vacuum()
      .catch((error: unknown) => log.warn({ event: 'vacuum_failed', err: error }, 'a table could not be vacuumed'))
      .finally(() => {
        running = undefined
      })
  }
  return {
    start() {
      if (quietFor) end = timers.every(lookEveryMs, look)
    },
    async stop() {
      end()
      await running
    },
  }
}
