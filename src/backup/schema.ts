import { readMigrationFiles } from 'drizzle-orm/migrator'
import { type Connection, quoted, tableNames, tableShapes } from './catalog.ts'
import { BackupError } from './format.ts'

/** Whether no table has a row, so that nothing is lost. */
export async function isEmpty(sql: Connection): Promise<boolean> {
  for (const { name } of await tableShapes(sql)) {
    const found = await sql.unsafe(`select 1 from ${quoted(name)} limit 1`)
    if (found.length > 0) return false
  }
  return true
}

/** Drops every table and function of the installation. */
export async function dropAll(sql: Connection): Promise<void> {
  for (const name of await tableNames(sql)) await sql.unsafe(`drop table ${quoted(name)} cascade`)
  const functions = await sql<{ signature: string }[]>`
    select p.oid::regprocedure::text as signature from pg_proc p
    where p.pronamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`
  for (const { signature } of functions) await sql.unsafe(`drop function ${signature} cascade`)
  await sql`drop schema if exists drizzle cascade`
}

/**
 * Makes the tables as they were after the last of `moments`, with the migrations of this version.
 * @throws BackupError when this version does not know that migration.
 */
export async function makeTables(sql: Connection, moments: readonly number[], folder: string): Promise<void> {
  const newest = Math.max(0, ...moments)
  const migrations = readMigrationFiles({ migrationsFolder: folder })
  if (newest > 0 && !migrations.some(({ folderMillis }) => folderMillis === newest)) {
    throw new BackupError('A newer version of Switchboard made this archive: restore it with that one.')
  }
  await sql`create schema if not exists drizzle`
  await sql`
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`
  for (const { sql: statements, hash, folderMillis } of migrations) {
    if (folderMillis > newest) break
    for (const statement of statements) await sql.unsafe(statement)
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`
  }
  // Rows that migrations bring along are in the archive as well, or were deleted.
  const made = await tableNames(sql)
  if (made.length > 0) await sql.unsafe(`truncate ${made.map(quoted).join(', ')}`)
}

interface SetAside {
  /** Statements that make again what was taken away. */
  statements: string[]
}

/**
 * Takes away what would slow down or refuse rows that come table by table: foreign keys, indexes that keep no rule, and
 * triggers. `putBack` makes them again, and so checks every row.
 */
export async function setAside(sql: Connection): Promise<SetAside> {
  const keys = await sql<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0`
  const indexes = await sql<{ name: string; definition: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace and not i.indisunique and c.relkind = 'i'
      and not c.relispartition`
  const tables = await tableNames(sql)
  for (const { table, name } of keys) await sql.unsafe(`alter table ${table} drop constraint ${quoted(name)}`)
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  for (const name of tables) await sql.unsafe(`alter table ${quoted(name)} disable trigger user`)
  return {
    statements: [
      ...indexes.map(({ definition }) => definition),
      ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${quoted(name)} ${definition}`),
      ...tables.map((name) => `alter table ${quoted(name)} enable trigger user`),
    ],
  }
}

/** Makes again what was set aside. Throws where a row breaks a rule, as PostgreSQL says it. */
export async function putBack(sql: Connection, { statements }: SetAside): Promise<void> {
  for (const statement of statements) await sql.unsafe(statement)
}

/** How often another look is taken, and how many seconds lie between two. */
const [looks, lookSeconds] = [15, 0.2]

/**
 * Refuses while a server works with the database: it would go on with what is no longer there.
 * A process that was just killed stays in the database's list for a moment, and is waited for: three seconds at most.
 * @throws BackupError naming the servers.
 */
export async function refuseRunningServers(sql: Connection): Promise<void> {
  let names = await runningServers(sql)
  for (let look = 1; names.length > 0 && look < looks; look++) {
    await sql`select pg_sleep(${lookSeconds})`
    names = await runningServers(sql)
  }
  if (names.length > 0) {
    throw new BackupError(`Stop these servers first, which work with the database: ${names.join(', ')}.`)
  }
}

async function runningServers(sql: Connection): Promise<string[]> {
  // A transaction is shown the list as it was at its first look, unless it drops that.
  await sql`select pg_stat_clear_snapshot()`
  const rows = await sql<{ name: string }[]>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'switchboard %'
      and application_name <> current_setting('application_name')
    order by 1`
  return rows.map(({ name }) => name)
}
