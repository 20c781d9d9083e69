import { and, asc, eq, getTableColumns, getTableName, gt, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '../db/client.ts'
import { noProgress, type Progress } from '../runtime/progress.ts'
import { mapSecrets } from './leaves.ts'
import { isSealed, type Vault } from './vault.ts'

const pageSize = 100

/** A column that holds sealed texts: itself one (`text`), or with some anywhere inside (`jsonb`). */
export interface SecretColumn {
  table: PgTable
  /** The primary key. */
  id: PgColumn
  column: PgColumn
  /** What its texts are sealed with; see `Vault.seal`. */
  context: string
  /** A body among whose texts some are secrets: earlier releases stored those as they were given. */
  isBody?: boolean
}

/** How many rows had secrets that were sealed anew, of all that may hold some. */
export interface Rotation {
  resealed: number
  rows: number
}

const resealText = (vault: Vault, text: string, context: string): string =>
  vault.isCurrent(text) ? text : vault.seal(vault.open(text, context), context)

/** A value with every sealed text in it sealed by the current key; the same value when all are already. */
function reseal(vault: Vault, value: unknown, context: string): unknown {
  if (typeof value === 'string') return isSealed(value) ? resealText(vault, value, context) : value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const changed = entries.map(([key, item]) => [key, reseal(vault, item, context)] as const)
  if (changed.every(([, item], index) => item === entries[index]?.[1])) return value
  return Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed)
}

/**
 * A column's stored value with every secret in it sealed by the current key; the same value when all are already. What
 * looks like a sealed text where a body has no secret is its owner's own.
 */
export function sealedValue(vault: Vault, value: unknown, column: Pick<SecretColumn, 'context' | 'isBody'>): unknown {
  const { context, isBody } = column
  if (!isBody) return reseal(vault, value, context)
  return mapSecrets(value, (text) => (isSealed(text) ? resealText(vault, text, context) : vault.seal(text, context)))
}

/**
 * Seals every stored secret of `columns` with the vault's current key, a page of rows at a time, while the server may
 * be running: also those that an earlier release stored as they were given. Throws SealedSecretError for a secret that
 * no key opens; what was done before it stays, and it can be run again.
 */
export async function rotateSecrets(
  db: Database,
  vault: Vault,
  columns: readonly SecretColumn[],
  progress: Progress = noProgress,
): Promise<Rotation> {
  const done: Rotation = { resealed: 0, rows: 0 }
  for (const column of columns) {
    let last: unknown
    do {
      const before = done.rows
      last = await sealPage(db, column, { seal: (value) => sealedValue(vault, value, column), after: last, done })
      progress.note(`rows of ${getTableName(column.table)}`, done.rows - before)
    } while (last !== undefined)
  }
  progress.end()
  return done
}

/** The name by which drizzle knows a column. */
function propertyOf({ table, column }: SecretColumn): string {
  const found = Object.entries(getTableColumns(table)).find(([, candidate]) => candidate.name === column.name)
  if (!found) throw new Error(`The column ${column.name} is not of its table`)
  return found[0]
}

/** Past what a column's type makes of it: the value as it is stored. */
const stored = (column: PgColumn): SQL<unknown> => sql`${column}`

function toStored(column: PgColumn, value: unknown): SQL {
  const type = column.getSQLType()
  return sql`${type === 'jsonb' ? JSON.stringify(value) : value}::${sql.raw(type)}`
}

/** A page of rows to be sealed. */
interface Page {
  /** A stored value as it is to be stored. */
  seal: (value: unknown) => unknown
  /** The last key of the page before; undefined at the first. */
  after: unknown
  /** Where rows are counted. */
  done: Rotation
}

/**
 * Seals a page of rows, each as `seal` says. Rows are held while they are sealed, so that a change at the same time is
 * not undone. Returns the last key of the page; undefined when no rows are left.
 */
export function sealPage(db: Database, at: SecretColumn, { seal, after, done }: Page): Promise<unknown> {
  const { table, id, column } = at
  const property = propertyOf(at)
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({ id, value: stored(column) })
      .from(table)
      .where(and(isNotNull(column), after === undefined ? undefined : gt(id, after)))
      .orderBy(asc(id))
      .limit(pageSize)
      .for('no key update')
    for (const row of rows) {
      const value = seal(row.value)
      done.rows++
      if (value === row.value) continue
      await tx
        .update(table)
        .set({ [property]: toStored(column, value) })
        .where(eq(id, row.id))
      done.resealed++
    }
    return rows.length === pageSize ? rows.at(-1)?.id : undefined
  })
}
