import { inArray, type SQL, sql } from 'drizzle-orm'
import { type PgColumn, type PgTable, QueryBuilder } from 'drizzle-orm/pg-core'
import type { Database } from './client.ts'

const rowsAtOnce = 2_000

/** Rows that are to go. */
interface Purge {
  table: PgTable
  /** The primary key. */
  id: PgColumn
  which: SQL | undefined
  /** Rows are old in the order of their ids: the first that stays ends it, so that no row behind it is read. */
  inOrder?: boolean
}

/** Deletes rows a batch at a time, so that no statement takes long and holds much. Returns how many there were. */
export async function purge(
  db: Database,
  { table, id, which, inOrder = false }: Purge,
  atOnce: number = rowsAtOnce,
): Promise<number> {
  for (let gone = 0; ; ) {
    const found = new QueryBuilder().select({ id }).from(table)
    const old = inOrder
      ? sql`(select f.id from (select * from ${table} order by ${id} limit ${atOnce}) f where ${which})`
      : found.where(which).limit(atOnce)
    const deleted = await db.delete(table).where(inArray(id, old)).returning({ id })
    gone += deleted.length
    if (deleted.length < atOnce) return gone
  }
}
