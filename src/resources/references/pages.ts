import { and, gt, lte, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Transaction } from '../../db/client.ts'
import type { assistants } from '../assistants/table.ts'
import type { phoneNumbers } from '../phone-numbers/table.ts'
import type { squads } from '../squads/table.ts'

/** So many rows are read at once. */
export const pageSize = 100

/** Rows after an id in the order of their keys, in which everybody takes them, some at a time. */
async function* pagesAfter<Row extends { id: number }>(
  from: number,
  read: (after: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = from; ; ) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < pageSize) return
    after = last.id
  }
}

/**
 * So many records are looked through by one statement: all of an installation would take longer than a statement may.
 */
const lookedThrough = 500

/**
 * Records of a table in the order of their keys, a page after the other, found among few at a time.
 * @param within the condition of the workspaces whose are looked through
 * @param read those that are meant, at most `pageSize`, of those that a condition leaves
 */
export async function* pagesOfRecords<Row extends { id: number }>(
  tx: Transaction,
  table: typeof assistants | typeof phoneNumbers | typeof squads,
  within: (workspaceId: AnyPgColumn) => SQL | undefined,
  read: (between: SQL | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  const { id } = table
  const theirs = within(table.workspaceId)
  for (let from = 0; ; ) {
    const [last] = await tx
      .select({ id })
      .from(table)
      .where(and(theirs, gt(id, from)))
      .orderBy(id)
      .offset(lookedThrough - 1)
      .limit(1)
    const upTo = last && lte(id, last.id)
    yield* pagesAfter(from, (after) => read(and(theirs, gt(id, after), upTo)))
    if (!last) return
    from = last.id
  }
}
