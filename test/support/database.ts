import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { inject } from 'vitest'
import { type DatabaseHandle, type DatabaseOptions, openDatabase } from '../../src/db/client.ts'
import { type Start, withDatabase } from './database-template.ts'

let shared: Promise<DatabaseHandle> | undefined

/**
 * The migrated database of this worker, shared by its test files: keep apart by workspaces and keys of your own, and
 * do not close it. It goes away with the worker.
 */
export function testDatabase(): Promise<DatabaseHandle> {
  shared ??= freshDatabase()
  return shared
}

/**
 * A migrated and empty database, for tests that count everything. `close` gives it back to the next who asks: a warm
 * engine costs a tenth of a new one. Who breaks or watches a database makes one with `newDatabase`.
 */
export async function freshDatabase(): Promise<DatabaseHandle> {
  const kept = givenBack.pop()
  if (kept) await empty(kept)
  const handle = kept ?? (await newDatabase())
  let closed = false
  return {
    ...handle,
    async close() {
      if (!closed) givenBack.push(handle)
      closed = true
    },
  }
}

const givenBack: DatabaseHandle[] = []

/** Deletes every row, and lets ids begin anew; triggers and foreign keys sleep meanwhile. */
async function empty({ sql }: DatabaseHandle): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`
    await transaction.unsafe(tables.map(({ name }) => `delete from ${name}`).join(';'))
    await transaction`
      select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
      from pg_sequences where schemaname = 'public'`
  })
}

/** A migrated database of its own, for a test that breaks it or watches its statements. The caller closes it. */
export async function newDatabase(
  options: Pick<DatabaseOptions, 'onQuery' | 'max' | 'prepare'> = {},
): Promise<DatabaseHandle> {
  const template = inject('databaseTemplate')
  if (template.engine === 'embedded') return openDatabase({ ...options, template: embeddedTemplate() })
  const url = await createTestDatabase(template.database)
  return openDatabase({ ...options, url })
}

/** The URL of a new database on the test server, empty without `from`. */
export async function createTestDatabase(from = 'template1'): Promise<string> {
  const template = inject('databaseTemplate')
  if (template.engine === 'embedded') throw new Error('There is no server: the tests run on the embedded database')
  const database = `${template.prefix}_${randomUUID().slice(0, 8)}`
  const admin = postgres(template.url, { max: 1, onnotice: () => {} })
  await admin`create database ${admin(database)} template ${admin(from)}`
  await admin.end()
  return withDatabase(template.url, database)
}

/** A start for an embedded database of one's own. */
export function embeddedTemplate(start: Start = 'migrated'): Blob {
  return new Blob([readFileSync(inject('databaseTemplate').dumps[start])])
}

/** Lays an embedded database out in a data folder, where whoever opens it finds it: no engine is started for that. */
export function layOutDatabase(dataDir: string, start: Start = 'migrated'): void {
  const dump = inject('databaseTemplate').dumps[start]
  const folder = join(dataDir, 'database')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { success } = Bun.spawnSync(['tar', '-xf', dump, '-C', folder], { stderr: 'ignore' })
  if (!success) throw new Error(`${dump} could not be unpacked`)
}

/** Whether the tests run on a PostgreSQL server, for the few that two connections or processes need. */
export function onServer(): boolean {
  return inject('databaseTemplate').engine === 'server'
}
