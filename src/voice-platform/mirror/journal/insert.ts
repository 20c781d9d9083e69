import { sql } from 'drizzle-orm'
import type { Database } from '../../../db/client.ts'
import { preparedQuery } from '../../../db/prepared/query.ts'
import { inMs } from '../../../db/schedule.ts'
import { batched } from '../../../runtime/batched.ts'
import { liveWrites } from './table.ts'

type NewRow = Pick<typeof liveWrites.$inferSelect, 'id' | 'kind' | 'ref' | 'action' | 'owner' | 'createSent'>

/** Rows of one statement; each number of them is a statement of its own. */
const maxRows = 10

const columns = ['id', 'kind', 'ref', 'action', 'owner', 'createSent'] as const

const insertOf = (rows: number, leaseMs: number) =>
  preparedQuery(`journal_begin_${rows}`, (db, name) =>
    db
      .insert(liveWrites)
      .values(
        Array.from({ length: rows }, (_, at) => ({
          id: sql.placeholder(`id${at}`),
          kind: sql.placeholder(`kind${at}`),
          ref: sql.placeholder(`ref${at}`),
          action: sql.placeholder(`action${at}`),
          owner: sql.placeholder(`owner${at}`),
          createSent: sql.placeholder(`createSent${at}`),
          dueAt: inMs(leaseMs),
        })),
      )
      .onConflictDoNothing()
      .returning({ id: liveWrites.id, createdAt: liveWrites.createdAt })
      .prepare(name),
  )

const placed = (rows: readonly NewRow[]): Record<string, unknown> =>
  Object.fromEntries(rows.flatMap((row, at) => columns.map((column) => [`${column}${at}`, row[column]])))

/**
 * Makes what inserts a row and resolves to its `createdAt`, or to undefined where the resource has one. The rows of new
 * resources, which wait for nobody, are inserted by one statement where they begin in one turn of the event loop, as
 * those of a tRPC batch do.
 */
export function rowInserter(
  db: Database,
  leaseMs: number,
): (row: NewRow, isNew?: boolean) => Promise<Date | undefined> {
  const inserts = Array.from({ length: maxRows }, (_, more) => insertOf(more + 1, leaseMs))
  const insert = async (rows: readonly NewRow[]): Promise<ReadonlyMap<NewRow, Date>> => {
    const inserted = await inserts[rows.length - 1]?.(db).execute(placed(rows))
    const times = new Map(inserted?.map(({ id, createdAt }) => [id, createdAt]))
    return new Map(
      rows.flatMap((row) => {
        const createdAt = times.get(row.id)
        return createdAt ? [[row, createdAt] as const] : []
      }),
    )
  }
  const together = batched(
    () => '',
    (_group: undefined, rows: readonly NewRow[]) => insert(rows),
    maxRows,
  )
  return async (row, isNew) => (isNew ? together(undefined, row) : (await insert([row])).get(row))
}
