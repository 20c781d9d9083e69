import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { pgTableCreator, text, timestamp } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { z } from 'zod'
import { sleep } from '../runtime/sleep.ts'
import { applyMigrations } from './apply-migrations.ts'
import type { DatabaseHandle } from './client.ts'
import { withLease } from './lease/lease.ts'
import { leaseStore } from './lease/store.ts'

/** Where `bun run generate` writes. */
export const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../drizzle')

/** A crashed migrator blocks the next one for as long as this; a running one renews. */
const LOCK_TTL_MS = 15_000
const LOCK_WAIT_MS = 300_000

/** The lock row is needed before there is a `leases`, so it has a table of its own, of the same type. */
const migrationLock = pgTableCreator(() => 'migration_lock')('leases', {
  key: text('key').primaryKey(),
  owner: text('owner').notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})

/**
 * Brings the database up to the migrations in `folder`. Instances that start at once take turns, by a lock row.
 * A table that is in use is waited for in short turns, for five minutes.
 * @throws LeaseTimeoutError when another instance migrates for more than five minutes; the reason of `signal`.
 */
export async function migrate(
  handle: DatabaseHandle,
  folder: string = MIGRATIONS_FOLDER,
  { lockTimeoutMs = LOCK_TIMEOUT_MS, before = async () => {}, say = () => {}, signal }: MigrateOptions = {},
): Promise<void> {
  if (!(await migrationsPending(handle, folder))) return
  const run = async () => {
    const newest = await newestApplied(handle)
    const apply = () =>
      handle.embedded
        ? applyMigrations(handle.sql, folder, signal)
        : applyPatiently(handle, folder, { lockTimeoutMs, signal })
    if (newest === undefined) return apply()
    const names = namesAfter(newest, folder)
    if (names.length === 0) return
    signal?.throwIfAborted()
    await before()
    signal?.throwIfAborted()
    await saying(names, say, apply)
  }
  if (handle.embedded) return run()
  await createLockTable(handle)
  const options = { ttlMs: LOCK_TTL_MS, waitMs: LOCK_WAIT_MS, signal, store: leaseStore(migrationLock) }
  await withLease(handle.db, 'migrate', options, run)
}

interface MigrateOptions {
  /** How long a migration waits for a table each time. */
  lockTimeoutMs?: number
  /** Before a database that has tables gets others; what it throws is thrown, and nothing is changed. */
  before?: () => Promise<void>
  /** Hears what is done to a database that has tables, and how long it takes. */
  say?: (line: string) => void
  /** Ends it between two migrations, or while it waits. */
  signal?: AbortSignal
}

const Journal = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })) })

/** The names of the migrations whose timestamp (milliseconds since 1970) is later. */
function namesAfter(newest: number, folder: string): string[] {
  const { entries } = Journal.parse(JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')))
  return entries.filter(({ when }) => when > newest).map(({ tag }) => tag)
}

const SAY_EVERY_MS = 10_000

async function saying(names: string[], say: (line: string) => void, apply: () => Promise<void>): Promise<void> {
  const from = Date.now()
  const seconds = () => Math.round((Date.now() - from) / 1000)
  say(`The database is brought up to date: ${names.join(', ')}.`)
  const again = setInterval(() => say(`It has been brought up to date for ${seconds()} seconds.`), SAY_EVERY_MS)
  try {
    await apply()
    say(`The database was brought up to date in ${seconds()} seconds.`)
  } finally {
    clearInterval(again)
  }
}

/** A migration that waits for a lock holds up whoever asks for that table after it, so it waits a little, often. */
const LOCK_TIMEOUT_MS = 3_000
const LOCK_RETRY_MS = 500

async function applyPatiently(
  handle: DatabaseHandle,
  folder: string,
  { lockTimeoutMs, signal }: { lockTimeoutMs: number; signal: AbortSignal | undefined },
): Promise<void> {
  const until = Date.now() + LOCK_WAIT_MS
  const apart = handle.apart(lockTimeoutMs)
  try {
    for (;;) {
      try {
        return await applyMigrations(apart.sql, folder, signal)
      } catch (error) {
        if (!isPostgresError(error, LOCK_NOT_AVAILABLE) || Date.now() >= until) throw error
        await sleep(LOCK_RETRY_MS)
      }
    }
  } finally {
    await apart.close()
  }
}

/** Whether `folder` has a migration that the database has not seen. A newer database is not behind. */
export async function migrationsPending(handle: DatabaseHandle, folder: string = MIGRATIONS_FOLDER): Promise<boolean> {
  return ((await newestApplied(handle)) ?? 0) < newestMigration(folder)
}

/** The timestamp of the newest migration that a database has; undefined where it is new. */
async function newestApplied(handle: DatabaseHandle): Promise<number | undefined> {
  const applied = await handle.sql<{ newest: number | null }[]>`
    select max(created_at) as newest from drizzle.__drizzle_migrations`.catch((error: unknown) => {
    if (isPostgresError(error, UNDEFINED_TABLE)) return []
    throw error
  })
  return applied[0]?.newest ?? undefined
}

/** How a database and the migrations of `folder` compare. */
export interface MigrationState {
  applied: number
  /** Those of `folder` that are still to come. */
  pending: number
  /** Applied by a newer version. */
  unknown: number
}

/** How far an upgrade is. */
export async function migrationState(
  handle: DatabaseHandle,
  folder: string = MIGRATIONS_FOLDER,
): Promise<MigrationState> {
  const known = readMigrationFiles({ migrationsFolder: folder }).map(({ folderMillis }) => folderMillis)
  const rows = await handle.sql<{ at: string }[]>`
    select created_at::text as at from drizzle.__drizzle_migrations`.catch((error: unknown) => {
    if (isPostgresError(error, UNDEFINED_TABLE)) return []
    throw error
  })
  const applied = rows.map(({ at }) => Number(at))
  const [newest, last] = [Math.max(0, ...applied), Math.max(0, ...known)]
  return {
    applied: applied.length,
    pending: known.filter((at) => at > newest).length,
    unknown: applied.filter((at) => at > last).length,
  }
}

const newestByFolder = new Map<string, number>()

function newestMigration(folder: string): number {
  const known = newestByFolder.get(folder)
  if (known !== undefined) return known
  const newest = readMigrationFiles({ migrationsFolder: folder }).at(-1)?.folderMillis ?? 0
  newestByFolder.set(folder, newest)
  return newest
}

const LOCK_NOT_AVAILABLE = '55P03'
const UNDEFINED_TABLE = '42P01'
const UNIQUE_VIOLATION = '23505'
const DUPLICATE_TABLE = '42P07'
/** Of the row type that each table has. */
const DUPLICATE_TYPE = '42710'

/** `if not exists` does not hold between two sessions that create it at the same instant: the later one fails. */
async function createLockTable(handle: DatabaseHandle): Promise<void> {
  await handle.sql`
    create table if not exists migration_lock
      (key text primary key, owner text not null, expires_at timestamptz not null)`.catch((error: unknown) => {
    if (!isPostgresError(error, UNIQUE_VIOLATION, DUPLICATE_TABLE, DUPLICATE_TYPE)) throw error
  })
}

function isPostgresError(error: unknown, ...codes: string[]): boolean {
  return error instanceof postgres.PostgresError && codes.includes(error.code)
}
