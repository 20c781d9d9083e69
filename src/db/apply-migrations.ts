import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import type { Sql } from 'postgres'

/** How a migration begins that is no transaction. */
const inTurns = '-- In turns:'

/**
 * Applies what a database has not seen of `folder`, in its order. Each migration is a transaction, so that its locks
 * end with it. One that begins with `-- In turns:` is none: each of its statements stands alone, and an update is sent
 * again until it changes no row; it may end anywhere, and the next try does what is left. `signal` ends it between two
 * of either, with its reason.
 */
export async function applyMigrations(
  sql: Sql<{ bigint: number }>,
  folder: string,
  signal?: AbortSignal,
): Promise<void> {
  await sql`create schema if not exists drizzle`
  await sql`
    create table if not exists drizzle.__drizzle_migrations
      (id serial primary key, hash text not null, created_at bigint)`
  const [seen] = await sql<{ newest: number | null }[]>`
    select max(created_at) as newest from drizzle.__drizzle_migrations`
  const newest = seen?.newest ?? 0
  for (const migration of readMigrationFiles({ migrationsFolder: folder })) {
    if (migration.folderMillis <= newest) continue
    signal?.throwIfAborted()
    if (migration.sql[0]?.trimStart().startsWith(inTurns)) await applyInTurns(sql, migration, signal)
    else await applyAtOnce(sql, migration)
  }
}

async function applyAtOnce(sql: Sql<{ bigint: number }>, { sql: statements, ...migration }: MigrationMeta) {
  await sql.begin(async (tx) => {
    for (const statement of statements) await tx.unsafe(statement)
    await note(tx, migration)
  })
}

async function applyInTurns(
  sql: Sql<{ bigint: number }>,
  { sql: statements, ...migration }: MigrationMeta,
  signal: AbortSignal | undefined,
) {
  for (const statement of statements) {
    for (let changed = true; changed; ) {
      signal?.throwIfAborted()
      const { command, count } = await sql.unsafe(statement)
      changed = command === 'UPDATE' && count > 0
    }
  }
  await note(sql, migration)
}

type Noted = Pick<MigrationMeta, 'hash' | 'folderMillis'>

const note = (sql: Pick<Sql, 'unsafe'>, { hash, folderMillis }: Noted) =>
  sql.unsafe('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, folderMillis])
