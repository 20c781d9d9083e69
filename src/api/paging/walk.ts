import { and, asc, desc, type SQL, sql } from 'drizzle-orm'
import { type PgColumn, type PgTable, QueryBuilder } from 'drizzle-orm/pg-core'
import type { AccountContext } from '../context.ts'
import { checkPageWeight } from '../page-weight.ts'
import { offsetOf, pagination } from '../schemas.ts'
import { type Key, nextCursor, positionIn } from './cursor.ts'

/** The part of a list to read: all in its order, or what comes after the entry with these keys. */
export interface Window {
  after: readonly Key[] | undefined
  limit: number
  offset: number
}

/** A list as its service reads it, by pages and by cursor alike. */
export interface Listed<Row> {
  read(window: Window): PromiseLike<Row[]>
  /** Bytes of text of what `read` would give, for lists whose entries can be large. */
  weigh?(window: Window): PromiseLike<number>
  /** What the list is sorted by, of a row; the last tells all rows apart. */
  keysOf(row: Row): readonly Key[]
}

interface PageQuery {
  page: number
  per_page: number
  cursor?: string
}

/** A column, or an expression with the way to make its value of a key. */
type Sorter = PgColumn | SQL | { by: SQL; keyAs(key: Key): SQL }

const isMade = (sorter: Sorter): sorter is { by: SQL; keyAs(key: Key): SQL } => 'keyAs' in sorter

const joined = (parts: readonly unknown[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )

/** An order by these, all in one direction; the last one tells all rows apart. */
export function sortedBy(direction: 'asc' | 'desc', ...sorters: readonly Sorter[]) {
  const columns = sorters.map((sorter) => (isMade(sorter) ? sorter.by : sorter))
  const madeOf = (key: Key, at: number) => {
    const sorter = sorters[at]
    return sorter && isMade(sorter) ? sorter.keyAs(key) : key
  }
  return {
    order: columns.map((column) => (direction === 'asc' ? asc(column) : desc(column))),
    /** The condition of what comes after a row with these keys. */
    after(keys: readonly Key[] | undefined): SQL | undefined {
      if (keys === undefined) return undefined
      const than = direction === 'asc' ? sql`>` : sql`<`
      return sql`(${joined(columns)}) ${than} (${joined(keys.map(madeOf))})`
    },
  }
}

/**
 * Which rows a list has, and in which order. `key` tells them apart, and an index has it with what selects and sorts
 * them.
 */
interface Indexed {
  table: PgTable
  key: PgColumn
  where: SQL | undefined
  sorted: ReturnType<typeof sortedBy>
}

/** The condition of the rows of a window. Those before it are passed over in the index: none of them is read. */
export function rowsOf({ table, key, where, sorted }: Indexed, { after, limit, offset }: Window): SQL | undefined {
  const following = and(where, sorted.after(after))
  if (offset === 0) return following
  const all = new QueryBuilder().select({ key }).from(table).where(following)
  const page = all
    .orderBy(...sorted.order)
    .limit(limit)
    .offset(offset)
  // An array is made once; a subquery could be read again for each row of the list.
  return and(where, sql`${key} = any(array(${page}))`)
}

/** Reads a part of a list, unless it has too much text for one response: 422 on `per_page`. */
async function readLight<Row>({ read, weigh }: Listed<Row>, window: Window): Promise<Row[]> {
  if (weigh) checkPageWeight(await weigh(window))
  return read(window)
}

/**
 * A page of a list whose length is told (contract: rest 24), or with `cursor` the entries that come next (contract:
 * rest 35): then the length is that at the first of them. Throws 422 on `cursor`, and on `per_page` for a page that is
 * too large.
 */
export async function pageOfList<Row>(
  ctx: AccountContext,
  query: PageQuery,
  list: Listed<Row> & { total(): PromiseLike<number> },
) {
  const { keysOf, total } = list
  const { per_page: perPage } = query
  const position = positionIn(ctx, query)
  if (position === undefined) {
    const [rows, length] = await Promise.all([
      readLight(list, { after: undefined, limit: perPage, offset: offsetOf(query) }),
      total(),
    ])
    return { rows, pagination: pagination(query, length, rows.length) }
  }
  const { keys, before } = position
  const [found, length] = await Promise.all([
    readLight(list, { after: keys, limit: perPage + 1, offset: 0 }),
    position.total ?? total(),
  ])
  const rows = found.slice(0, perPage)
  const last = rows.at(-1)
  const ended = found.length <= perPage || last === undefined
  const seen = before + rows.length
  const page = { page: Math.floor(before / perPage) + 1, per_page: perPage }
  return {
    rows,
    pagination: {
      ...pagination(page, length, 0),
      ...(rows.length > 0 && { from: before + 1, to: seen }),
      next_cursor: ended ? null : nextCursor(ctx, query, { keys: keysOf(last), before: seen, total: length }),
    },
  }
}

/** How many entries a list without pages has at once. */
export const maxListed = 1000

/**
 * A list without pages: its first entries, or with `cursor` what comes next; `has_more` where there are entries after
 * these. Throws 422 on `cursor`.
 */
export async function wholeList<Row>(ctx: AccountContext, query: { cursor?: string }, list: Listed<Row>) {
  const { has_more: more, ...found } = await sliceOfList(ctx, { ...query, page: 1, per_page: maxListed }, list)
  return { ...found, ...(more && { has_more: more }) }
}

/**
 * A page of a list that says no more than whether there is more (contract: rest 25), or with `cursor` what comes next.
 */
export async function sliceOfList<Row>(ctx: AccountContext, query: PageQuery, list: Listed<Row>) {
  const { keysOf } = list
  const { per_page: perPage } = query
  const position = positionIn(ctx, query)
  const found = await readLight(list, {
    after: position?.keys,
    // One more than the page holds, so that whether there is more is known without counting.
    limit: perPage + 1,
    offset: position === undefined ? offsetOf(query) : 0,
  })
  const rows = found.slice(0, perPage)
  const more = found.length > perPage
  if (position === undefined) return { rows, has_more: more }
  const last = rows.at(-1)
  const next = more && last !== undefined ? nextCursor(ctx, query, { keys: keysOf(last), before: 0 }) : null
  return { rows, has_more: more, next_cursor: next }
}
