import { getTableName } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { DatabaseHandle } from '../db/client.ts'
import type { Progress } from '../runtime/progress.ts'
import type { Files } from '../storage/files.ts'
import { type Connection, migrationsOf, sequences, setForms, tableShapes } from './catalog.ts'
import {
  archiveFormat,
  type Entry,
  filesFolder,
  type Header,
  headerName,
  type Manifest,
  manifestName,
  rowsName,
} from './format.ts'
import { readRows } from './rows.ts'
import { createSum, type Sum } from './sum.ts'

export interface DumpParts {
  database: DatabaseHandle
  files: Files
  /** Every column that names stored files. */
  fileColumns: readonly PgColumn[]
  version: string
  now: Date
  progress: Progress
}

const json = (name: string, value: unknown): Entry => {
  const body = new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`)
  return { name, size: body.length, body }
}

/**
 * Everything that an installation holds, as one moment had it, entry by entry: rows first, then the files that they
 * name. Sealed values stay sealed, and no key is among them. At most a few megabytes are in memory.
 */
export async function* dump(parts: DumpParts): AsyncGenerator<Entry> {
  const apart = parts.database.apart(0)
  const sql = await apart.sql.reserve()
  try {
    await sql`begin isolation level repeatable read read only`
    await setForms(sql)
    yield* dumpWithin(sql, parts)
  } finally {
    await sql`rollback`.catch(() => {})
    sql.release()
    await apart.close()
  }
}

async function secretsKeyMark(sql: Connection): Promise<string | null> {
  const [known] = await sql<{ found: boolean }[]>`select to_regclass('installation') is not null as found`
  if (!known?.found) return null
  const [row] = await sql<{ value: string }[]>`select value from installation where name = 'secrets-key'`
  return row?.value ?? null
}

async function* dumpWithin(sql: Connection, parts: DumpParts): AsyncGenerator<Entry> {
  const { progress } = parts
  const shapes = await tableShapes(sql)
  const header: Header = {
    format: archiveFormat,
    version: parts.version,
    made_at: parts.now.toISOString(),
    secrets_key: await secretsKeyMark(sql),
    migrations: await migrationsOf(sql),
    tables: shapes,
  }
  yield json(headerName, header)

  const tables: Manifest['tables'] = {}
  for (const shape of shapes) {
    const sum = createSum()
    let part = 0
    for await (const lines of readRows(sql, shape)) {
      for (const line of lines) sum.add(line)
      const body = new TextEncoder().encode(`${lines.join('\n')}\n`)
      yield { name: rowsName(shape.name, ++part), size: body.length, body }
      progress.note(`rows of ${shape.name}`, lines.length)
    }
    tables[shape.name] = sum.result()
  }

  const stored = createSum()
  const counted = { bytes: 0, missing: 0 }
  const has = ({ table, name }: PgColumn) =>
    shapes.some((shape) => shape.name === getTableName(table) && shape.columns.some((column) => column.name === name))
  yield* dumpFiles(sql, { ...parts, fileColumns: parts.fileColumns.filter(has) }, stored, counted)
  const manifest: Manifest = {
    tables,
    files: { ...stored.result(), bytes: counted.bytes },
    missing_files: counted.missing,
    sequences: await sequences(sql),
  }
  progress.end()
  yield json(manifestName, manifest)
}

/** A file that was deleted since the snapshot, or that the store lost, is counted and left out. */
async function* dumpFiles(
  sql: Connection,
  { files, fileColumns, progress }: DumpParts,
  sum: Sum,
  counted: { bytes: number; missing: number },
): AsyncGenerator<Entry> {
  for (const { table, name } of fileColumns) {
    const keys = { name: getTableName(table), columns: [{ name, type: 'text' }] }
    for await (const lines of readRows(sql, keys)) {
      for (const line of lines) {
        const [key]: (string | null)[] = JSON.parse(line)
        const found = key ? await files.stream(key, { share: 'background' }) : undefined
        if (!key) continue
        if (!found) {
          counted.missing++
          continue
        }
        const hasher = new Bun.CryptoHasher('sha256')
        const body = found.body.pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            transform(chunk, controller) {
              hasher.update(chunk)
              controller.enqueue(chunk)
            },
          }),
        )
        yield { name: `${filesFolder}${key}`, size: found.size, body }
        sum.add(`${key} ${hasher.digest('hex')}`)
        counted.bytes += found.size
        progress.note('files', 1)
      }
    }
  }
}

/** How many rows each table has, and the sum of their hashes, as the database has them now. */
export async function sumsOf(database: DatabaseHandle): Promise<Manifest['tables']> {
  const sql = await database.sql.reserve()
  try {
    await sql`begin isolation level repeatable read read only`
    await setForms(sql)
    const sums: Manifest['tables'] = {}
    for (const shape of await tableShapes(sql)) {
      const sum = createSum()
      for await (const lines of readRows(sql, shape)) for (const line of lines) sum.add(line)
      sums[shape.name] = sum.result()
    }
    return sums
  } finally {
    await sql`rollback`.catch(() => {})
    sql.release()
  }
}
