import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import manifest from '../../package.json' with { type: 'json' }
import { readTestDatabaseUrl } from '../../src/app/env.ts'
import { openDatabase } from '../../src/db/client.ts'
import { MIGRATIONS_FOLDER, migrate } from '../../src/db/migrate.ts'

/** The starts that are kept of an embedded database: with all tables, or as it is before its first migration. */
export type Start = 'migrated' | 'empty'

/** What a worker copies a migrated database from. */
export type DatabaseTemplate = { dumps: Record<Start, string> } & (
  | { engine: 'embedded' }
  | { engine: 'server'; url: string; database: string; prefix: string }
)

declare module 'vitest' {
  export interface ProvidedContext {
    databaseTemplate: DatabaseTemplate
  }
}

const PREFIX = 'switchboard_test'
const KEEP_DUMP_MS = 3_600_000

/**
 * Runs once before all workers: prepares a migrated database for them to copy, as a dump of the embedded one, kept for
 * the next run, and where there is a TEST_DATABASE_URL on that server, whose user may create databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = readTestDatabaseUrl()
  const dumps = await embeddedDumps()
  if (url !== undefined) return setupServer(project, url, dumps)
  project.provide('databaseTemplate', { engine: 'embedded', dumps })
  return async () => {}
}

async function setupServer(
  project: TestProject,
  url: string,
  dumps: Record<Start, string>,
): Promise<() => Promise<void>> {
  const prefix = `${PREFIX}_${randomUUID().slice(0, 8)}`
  const database = `${prefix}_template`
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  await admin`create database ${admin(database)}`
  const handle = await openDatabase({ url: withDatabase(url, database) })
  await migrate(handle)
  await handle.close()
  project.provide('databaseTemplate', { dumps, engine: 'server', url, database, prefix })
  return async () => {
    const rows = await admin<
      { datname: string }[]
    >`select datname from pg_database where starts_with(datname, ${prefix})`
    for (const { datname } of rows) await admin`drop database if exists ${admin(datname)} with (force)`
    await admin.end()
  }
}

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}

async function embeddedDumps(): Promise<Record<Start, string>> {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/switchboard')
  const hash = templateHash()
  const dumps = { empty: join(folder, `empty-${hash}.tar`), migrated: join(folder, `migrated-${hash}.tar`) }
  if (existsSync(dumps.empty) && existsSync(dumps.migrated)) return dumps
  mkdirSync(folder, { recursive: true })
  removeOld(folder)
  const scratch = mkdtempSync(join(tmpdir(), 'switchboard-template-'))
  try {
    await (await openDatabase({ dataDir: scratch })).close()
    await dump(scratch, dumps.empty)
    const handle = await openDatabase({ dataDir: scratch })
    await migrate(handle)
    await handle.close()
    await dump(scratch, dumps.migrated)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return dumps
}

/** Writes the closed database of a data folder to `file`, which is there only when it is whole. */
async function dump(dataDir: string, file: string): Promise<void> {
  const pglite = await PGlite.create(join(dataDir, 'database'))
  const tar = await pglite.dumpDataDir('none')
  await pglite.close()
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, new Uint8Array(await tar.arrayBuffer()))
  renameSync(unfinished, file)
}

/** Dumps of other versions; a recent one may be in use by another run. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (Date.now() - statSync(file).mtimeMs > KEEP_DUMP_MS) rmSync(file, { force: true })
  }
}

/** Changes with the migrations, the engine's version and how it is opened. */
function templateHash(): string {
  const hash = createHash('sha256').update(manifest.dependencies['@electric-sql/pglite'])
  hash.update(readFileSync(join(import.meta.dirname, '../../src/db/embedded.ts')))
  for (const name of readdirSync(MIGRATIONS_FOLDER).sort()) {
    if (name.endsWith('.sql')) hash.update(readFileSync(join(MIGRATIONS_FOLDER, name)))
  }
  return hash.digest('hex').slice(0, 16)
}
