import type { z } from 'zod'
import type { DatabaseHandle } from '../db/client.ts'
import { MIGRATIONS_FOLDER } from '../db/migrate.ts'
import type { Progress } from '../runtime/progress.ts'
import type { Files } from '../storage/files.ts'
import { type Connection, setForms, tableShapes } from './catalog.ts'
import {
  BackupError,
  type Entry,
  filesFolder,
  Header,
  headerName,
  Manifest,
  manifestName,
  type TableShape,
  tableOf,
} from './format.ts'
import { inParts, insertRows } from './rows.ts'
import { dropAll, isEmpty, makeTables, putBack, refuseRunningServers, setAside } from './schema.ts'
import { createSum } from './sum.ts'

export interface RestoreParts {
  database: DatabaseHandle
  files: Pick<Files, 'put' | 'stream' | 'delete'>
  /**
   * Throws when a text that was sealed with the archive's key does not open; see `requireKey`. Not asked unless given.
   */
  checkKey?: (sealed: string) => void
  /** Drops what the database holds; refuses to unless given. */
  replace?: boolean
  progress: Progress
}

const maxFileBytes = 64 * 1024 * 1024
/** What a row may have, in characters: the largest that a server writes is the kept response of a batch. */
const maxRowLength = 32 * 1024 * 1024
const lockMs = 10_000

/**
 * Makes a database what an archive says, in one transaction: who is killed in the middle leaves it as it was. The
 * tables are as the archive's version had them: `migrate` brings them up to date.
 * @throws BackupError when the archive is not whole or not what it says, or the database is not empty.
 * Throws what `checkKey` throws.
 */
export async function restore(entries: AsyncIterable<Entry>, parts: RestoreParts): Promise<Manifest> {
  const apart = parts.database.apart(lockMs)
  const stored: string[] = []
  try {
    return await apart.sql.begin(async (sql) => {
      await setForms(sql)
      if (!parts.database.embedded) await refuseRunningServers(sql)
      if (!parts.replace && !(await isEmpty(sql))) {
        throw new BackupError('The database is not empty. With --replace, what it holds is dropped.')
      }
      return await restoreWithin(sql, entries, parts, stored)
    })
  } catch (error) {
    for (const key of stored) await parts.files.delete(key, { share: 'background' }).catch(() => {})
    throw error
  } finally {
    await apart.close()
  }
}

/** The whole body of an entry that has to fit into memory. */
async function bytesOf({ name, size, body }: Entry): Promise<Uint8Array<ArrayBuffer>> {
  if (size > maxFileBytes) throw new BackupError(`${name} is larger than anything that an archive holds.`)
  if (body instanceof Uint8Array) return new Uint8Array(body)
  try {
    return await new Response(body as BodyInit).bytes()
  } catch (cause) {
    throw new BackupError('The archive is broken, or was cut off.', { cause })
  }
}

/**
 * What an entry says, as JSON of its schema. Throws BackupError in the schema's words where it has some, else in ours.
 */
async function parsed<T>(entry: Entry, schema: z.ZodType<T>): Promise<T> {
  const text = new TextDecoder().decode(await bytesOf(entry))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new BackupError(`${entry.name} is no JSON.`, { cause })
  }
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const [issue] = error.issues
  throw new BackupError(
    issue?.code === 'invalid_value' ? issue.message : `${entry.name} is not what a backup says of itself.`,
    { cause: error },
  )
}

async function begin(sql: Connection, first: Entry, { checkKey }: RestoreParts): Promise<Map<string, TableShape>> {
  if (first.name !== headerName) throw new BackupError('This is no backup of Switchboard.')
  const header = await parsed(first, Header)
  if (header.secrets_key !== null) checkKey?.(header.secrets_key)
  await dropAll(sql)
  await makeTables(sql, header.migrations, MIGRATIONS_FOLDER)
  const made = new Map((await tableShapes(sql)).map((shape) => [shape.name, shape]))
  for (const { name, columns } of header.tables) {
    const known = new Set(made.get(name)?.columns.map((column) => column.name))
    const foreign = columns.find((column) => !known.has(column.name))
    if (foreign)
      throw new BackupError(`The archive has a column that its migrations do not make: ${name}.${foreign.name}.`)
  }
  return new Map(header.tables.map((table) => [table.name, { ...table, columns: typed(table, made) }]))
}

/** The columns of an archive with the types of the tables here: no text of an archive becomes part of a statement. */
const typed = ({ name, columns }: TableShape, made: Map<string, TableShape>): TableShape['columns'] => {
  const types = new Map(made.get(name)?.columns.map((column) => [column.name, column.type]))
  return columns.map((column) => ({ name: column.name, type: types.get(column.name) ?? 'text' }))
}

async function restoreWithin(
  sql: Connection,
  entries: AsyncIterable<Entry>,
  parts: RestoreParts,
  stored: string[],
): Promise<Manifest> {
  const { progress } = parts
  const rows = new Map<string, ReturnType<typeof createSum>>()
  const files = createSum()
  let shapes: Map<string, TableShape> | undefined
  let aside: Awaited<ReturnType<typeof setAside>> | undefined
  let manifest: Manifest | undefined
  for await (const entry of entries) {
    if (!shapes || !aside) {
      shapes = await begin(sql, entry, parts)
      aside = await setAside(sql)
      continue
    }
    if (manifest) throw new BackupError(`${entry.name} comes after the manifest.`)
    const table = tableOf(entry.name)
    if (entry.name === manifestName) {
      manifest = await parsed(entry, Manifest)
    } else if (table !== undefined) {
      const shape = shapes.get(table)
      if (!shape) throw new BackupError(`${entry.name} is of no table that the archive names.`)
      const lines = new TextDecoder()
        .decode(await bytesOf(entry))
        .trimEnd()
        .split('\n')
      if (lines.some((line) => line.length > maxRowLength)) {
        throw new BackupError(`${entry.name} has a row that is larger than anything that an archive holds.`)
      }
      const sum = rows.get(table) ?? createSum()
      rows.set(table, sum)
      for (const line of lines) sum.add(line)
      for (const part of inParts(lines)) await insertRows(sql, shape, part)
      progress.note(`rows of ${table}`, lines.length)
    } else if (entry.name.startsWith(filesFolder)) {
      const key = entry.name.slice(filesFolder.length)
      const content = await bytesOf(entry)
      const there = await parts.files.stream(key, { share: 'background' })
      await there?.body.cancel()
      if (!there) stored.push(key)
      await parts.files.put(key, content, { share: 'background' })
      files.add(`${key} ${new Bun.CryptoHasher('sha256').update(content).digest('hex')}`)
      progress.note('files', 1)
    } else {
      throw new BackupError(`${entry.name} does not belong into a backup.`)
    }
  }
  if (!shapes || !aside || !manifest) throw new BackupError('The archive is not whole: it ends before its manifest.')
  compare(manifest, new Map([...rows].map(([name, sum]) => [name, sum.result()])), files.result())
  progress.end()
  await putBack(sql, aside)
  await setSequences(sql, manifest)
  return manifest
}

type Counted = ReturnType<ReturnType<typeof createSum>['result']>

/** Makes sure that what was found is what a manifest says. Throws BackupError. */
export function compare({ tables, files }: Manifest, rows: Map<string, Counted>, stored: Counted): void {
  const none = createSum().result()
  const differ = (a: Counted, b: Counted) => a.count !== b.count || a.hash !== b.hash
  for (const name of new Set([...Object.keys(tables), ...rows.keys()])) {
    const [sum, found] = [tables[name] ?? none, rows.get(name) ?? none]
    if (differ(sum, found)) {
      throw new BackupError(`${name} is not what the manifest says: ${found.count} rows of ${sum.count}, or others.`)
    }
  }
  if (differ(files, stored)) {
    throw new BackupError(`The files are not what the manifest says: ${stored.count} of ${files.count}, or others.`)
  }
}

/** Numbers are given out from where they were, also after rows that are gone. */
async function setSequences(sql: Connection, { sequences }: Manifest): Promise<void> {
  for (const [name, last] of Object.entries(sequences)) {
    await sql`select setval(c.oid::regclass, ${last}, true) from pg_class c
      where c.relname = ${name} and c.relkind = 'S' and c.relnamespace = current_schema()::regnamespace`
  }
}
