import { and, count, desc, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { createThreadShare } from '../runtime/thread-share.ts'

/** How many rows one statement adds up: the embedded database holds the thread for some milliseconds. */
export const rowsAtOnce = 1_000

/** One statement of all sums, before timers and sockets have their turn. */
const thread = createThreadShare(1)

/**
 * What groups of a slice have beside their sums: how many rows, the first of them, and the row with which the slice
 * ends.
 */
interface Group {
  total: number
  first: Date
  lastId: string | number
}

/** A table that is added up: what tells its rows apart, and when they were made. */
interface Dated {
  id: PgColumn
  createdAt: PgColumn
}

/** The order of a walk, and what it selects of each group of a `slice`, which is sorted by `first`. */
export const newestFirst = ({ id, createdAt }: Dated) => ({
  order: [desc(createdAt), id] as const,
  columns: {
    total: count(),
    first: sql`min(created_at)`.mapWith(createdAt) as SQL<Date>,
    lastId: sql<string>`(select id from slice order by created_at, id desc limit 1)`,
  },
})

/** The rows that follow one. */
const after = ({ id, createdAt }: Dated, { first, lastId }: Group) =>
  and(lte(createdAt, first), sql`(${lt(createdAt, first)} or ${id} > ${lastId})`)

/**
 * Reads the rows of a table in slices of `atOnce`, newest first, each with a statement of its own: groups of them that
 * are added up, the one with the oldest row first. A row that changes meanwhile counts once, as it was before or after;
 * one that is added meanwhile is newer than what is still to be read.
 */
export async function* slicesOf<Row extends Group>(
  table: Dated,
  atOnce: number,
  read: (rest: SQL | undefined) => PromiseLike<Row[]>,
): AsyncGenerator<Row[]> {
  let rest: SQL | undefined
  for (;;) {
    await thread(1)
    const groups = await read(rest)
    yield groups
    const [oldest] = groups
    const length = groups.reduce((sum, { total }) => sum + total, 0)
    if (!oldest || length < atOnce) return
    rest = after(table, oldest)
  }
}
