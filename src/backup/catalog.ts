import type postgres from 'postgres'
import type { TableShape } from './format.ts'

/** One connection, within a transaction. */
export type Connection = postgres.ISql<{ bigint: number }>

/** Who is at work right now, and when the next backup is due: of no use in another place. */
const passing = ['leases', 'migration_lock', 'backups']

/** A quoted name. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Makes the text of every type the same on every server, and lets a transaction wait for whoever reads. */
export async function setForms(sql: Connection): Promise<void> {
  for (const setting of [
    "timezone = 'UTC'",
    "datestyle = 'ISO, MDY'",
    "intervalstyle = 'postgres'",
    "bytea_output = 'hex'",
    'extra_float_digits = 1',
    'idle_in_transaction_session_timeout = 0',
  ]) {
    await sql.unsafe(`set local ${setting}`)
  }
}

/** The names of all tables of the installation, also of those that no archive holds. */
export async function tableNames(sql: Connection): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`
  return rows.map(({ name }) => name)
}

/** The tables that an archive holds, with the columns that are stored; others are computed from them. */
export async function tableShapes(sql: Connection): Promise<TableShape[]> {
  const rows = await sql<{ table: string; name: string; type: string }[]>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attgenerated = ''
    order by c.relname, a.attnum`
  const columns = Map.groupBy(rows, ({ table }) => table)
  const kept = (await tableNames(sql)).filter((name) => !passing.includes(name))
  return kept.map((name) => ({
    name,
    columns: (columns.get(name) ?? []).map((column) => ({ name: column.name, type: column.type })),
  }))
}

/** What the sequences have given last, by name; those that gave nothing yet are left out. */
export async function sequences(sql: Connection): Promise<Record<string, number>> {
  const rows = await sql<{ name: string; last: number }[]>`
    select sequencename as name, last_value as last from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

/** Moments of the migrations that the database has, oldest first; none where it is new. */
export async function migrationsOf(sql: Connection): Promise<number[]> {
  const [found] = await sql<{ found: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null as found`
  if (!found?.found) return []
  const rows = await sql<{ at: number }[]>`select created_at as at from drizzle.__drizzle_migrations order by 1`
  return rows.map(({ at }) => at)
}
