import { eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database } from '../db/client.ts'
import { tryLease } from '../db/lease/lease.ts'
import type { BackgroundPart } from '../db/work/background.ts'
import { isObject } from '../json/object.ts'
import type { Timers } from '../runtime/timers.ts'
import { mapSecrets } from './leaves.ts'
import { installation } from './mark/table.ts'
import { type Rotation, type SecretColumn, sealPage } from './rotate.ts'
import { isSealed, type Vault } from './vault.ts'

interface SealingOptions {
  db: Database
  vault: Vault
  log: Logger
  timers: Pick<Timers, 'after'>
  columns: readonly SecretColumn[]
}

/** How far the rows of earlier releases are sealed: whole columns, and the last row of the one that is under way. */
interface Position {
  done: readonly string[]
  under?: { column: string; after: unknown }
}

const name = 'sealed-rows'
/** How long the work outlives a crash of its process; it is renewed while it runs. */
const leaseMs = 60_000
/** When another process is at work, or something failed. */
const againMs = 60_000

async function readPosition(db: Database): Promise<Position> {
  const [row] = await db.select({ value: installation.value }).from(installation).where(eq(installation.name, name))
  const { done, under }: Record<string, unknown> = row ? JSON.parse(row.value) : {}
  const columns = Array.isArray(done) ? done.filter((column) => typeof column === 'string') : []
  const isUnderWay = isObject(under) && typeof under.column === 'string'
  return { done: columns, ...(isUnderWay && { under: { column: String(under.column), after: under.after } }) }
}

async function savePosition(db: Database, position: Position): Promise<void> {
  const value = JSON.stringify(position)
  await db
    .insert(installation)
    .values({ name, value })
    .onConflictDoUpdate({ target: installation.name, set: { value } })
}

/**
 * Seals what earlier releases stored in these columns as it was given, a page of rows at a time, from where it was left
 * before. Returns how many rows that were; each column is looked through once in the life of a database.
 */
export async function sealOldRows(
  { db, vault, columns }: Pick<SealingOptions, 'db' | 'vault' | 'columns'>,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const counted: Rotation = { resealed: 0, rows: 0 }
  let position = await readPosition(db)
  // What is sealed already is newer, whatever its key.
  const sealed = (column: SecretColumn) => (text: string) => (isSealed(text) ? text : vault.seal(text, column.context))
  for (const column of columns.filter(({ isBody, context }) => isBody && !position.done.includes(context))) {
    const { under } = position
    let after = under?.column === column.context ? under.after : undefined
    do {
      if (isStopping()) return counted.resealed
      after = await sealPage(db, column, { seal: (value) => mapSecrets(value, sealed(column)), after, done: counted })
      if (after !== undefined) await savePosition(db, { ...position, under: { column: column.context, after } })
    } while (after !== undefined)
    position = { done: [...position.done, column.context] }
    await savePosition(db, position)
  }
  return counted.resealed
}

/** Seals the rows of earlier releases in the background, in one process at a time. */
export function sealingPart(options: SealingOptions): BackgroundPart {
  const { db, log, timers } = options
  let isStopping = false
  let forget = () => {}
  let work: Promise<void> | undefined
  const run = async () => {
    const leased = await tryLease(db, name, { ttlMs: leaseMs }, async () => {
      const rows = await sealOldRows(options, () => isStopping)
      if (rows > 0) log.info({ event: 'rows_sealed', rows }, 'secrets of an earlier release were sealed')
    })
    if (!leased.acquired) again()
  }
  const start = () => {
    work = run().catch((error) => {
      log.warn({ event: 'rows_unsealed', err: error }, 'secrets of an earlier release could not be sealed yet')
      again()
    })
  }
  const again = () => {
    if (!isStopping) forget = timers.after(againMs, start)
  }
  return {
    start,
    async stop() {
      isStopping = true
      forget()
      await work
    },
  }
}
