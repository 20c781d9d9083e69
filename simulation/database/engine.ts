import type { DatabaseHandle } from '../../src/db/client.ts'

/** The one real database of a simulation, whose clock is the simulated one. */
export interface Engine {
  /** Runs a statement now, at the simulated moment `at`. */
  run(statement: string, params: unknown[], options: { values: boolean; prepare: boolean; at?: Date }): Promise<unknown>
  /** Empties every table, as if nothing had ever happened. */
  reset(): Promise<void>
  readonly handle: DatabaseHandle
  close(): Promise<void>
}

/** What `now()` is in every statement and default: PostgreSQL looks in this schema before its own. */
const clock = `
create schema if not exists simulation;
create or replace function simulation.now() returns timestamptz language sql stable
  as $$ select current_setting('simulation.now')::timestamptz $$;
set search_path = simulation, public, pg_catalog;
select set_config('simulation.now', '2030-01-01T00:00:00Z', false);
do $$
declare one record;
begin
  for one in select table_name, column_name from information_schema.columns
    where table_schema = 'public' and column_default in ('now()', 'pg_catalog.now()')
  loop
    execute format('alter table %I alter column %I set default simulation.now()', one.table_name, one.column_name);
  end loop;
end $$;`

/** Takes an empty, migrated database of its own over. */
export async function createEngine(handle: DatabaseHandle): Promise<Engine> {
  const { sql } = handle
  await sql.unsafe(clock)
  const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
  const names = tables.map(({ name }) => `"${name}"`).join(', ')
  let shown = ''
  return {
    handle,
    async run(statement, params, { values, prepare, at }) {
      const moment = at?.toISOString() ?? shown
      // Both go in one message; an error of the statement is the caller's.
      const set = moment === shown ? undefined : sql`select set_config('simulation.now', ${moment}, false)`.execute()
      shown = moment
      const query = sql.unsafe(statement, params as never[], { prepare })
      const [result] = await Promise.all([(values ? query.values() : query).execute(), set])
      return result
    },
    async reset() {
      await sql.unsafe(`truncate ${names} restart identity cascade`)
    },
    close: () => handle.close(),
  }
}
