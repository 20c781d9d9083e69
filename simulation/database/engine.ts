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
set synchronous_commit = off;
select set_config('simulation.now', '2030-01-01T00:00:00Z', false);
do $$
declare one record;
begin
  for one in select table_name, column_name from information_schema.columns
    where table_schema = 'public' and column_default in ('now()', 'pg_catalog.now()')
  loop
    execute format('alter table %I alter column %I set default simulation.now()', one.table_name, one.column_name);
  end loop;
  for one in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
  loop
    execute format('alter table %I set (autovacuum_enabled = false, toast.autovacuum_enabled = false)', one.relname);
  end loop;
end $$;`

/** Who empties a database holds this lock of it as long as its connection lasts. */
const lock = 'switchboard simulation'
/** How long the connection of a run that just ended may still be there. */
const lockWaitMs = 5_000

/** Another simulation empties this database, and would undo what this one does. */
export class DatabaseInUseError extends Error {
  constructor() {
    super('Another simulation uses this database: no two may share one.')
  }
}

/**
 * Claims a database for one run, until its one connection is closed.
 * @throws DatabaseInUseError when another run has it, after waiting `waitMs` for that to end.
 */
export async function claimDatabase({ sql }: DatabaseHandle, waitMs = lockWaitMs): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${waitMs}ms`}, false)`
  try {
    await sql`select pg_advisory_lock(hashtextextended(${lock}, 0))`
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === '55P03' ? new DatabaseInUseError() : error
  }
  await sql`select set_config('lock_timeout', '0', false)`
}

/** Takes an empty, migrated database of its own over. */
export async function createEngine(handle: DatabaseHandle): Promise<Engine> {
  const { sql } = handle
  await sql.unsafe(clock)
  // A table that was never vacuumed is planned as a larger one: the first seed would find rows in another order than
  // the rest.
  await sql`vacuum`
  /** The tables that ever had a row since they were emptied. */
  const written = async () => {
    const tables = await sql<{ name: string }[]>`
      select oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`
    return tables.map(({ name }) => name)
  }
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
    // A truncate of all tables takes as long as a seed. Vacuumed ones are as empty, so that rows are found in the same
    // order.
    async reset() {
      const names = await written()
      if (names.length === 0) return
      await sql.begin(async (transaction) => {
        await transaction`set local session_replication_role = replica`
        await transaction.unsafe(names.map((name) => `delete from ${name}`).join(';'))
      })
      await sql.unsafe(`vacuum (truncate true) ${names.join(', ')}`)
      const left = await written()
      if (left.length > 0) await sql.unsafe(`truncate ${left.join(', ')} cascade`)
      await sql`select setval(seqrelid::regclass, seqstart, false) from pg_sequence join pg_class on oid = seqrelid
        where relnamespace = 'public'::regnamespace`
    },
    close: () => handle.close(),
  }
}
