import type { Sql } from 'postgres'

/** The column that says whose a row is. */
export const key = 'workspace_id'

/** Small, read by everybody and seldom written: whole on every server. */
const everywhere = ['resellers', 'workspaces', 'users', 'base_configs', 'layer2_presets', 'personalities'] as const

/** Texts that this server makes at random, so that no two workspaces ever have the same. */
const random = ['holds.turn_id'] as const

/** Work of all workspaces that is claimed with one statement, which locks rows; Citus locks those of one server at a time. */
const claimed = ['webhook_deliveries'] as const

interface Unique {
  name: string
  primary: boolean
  columns: string[]
  /** Whether all of them are made at random. */
  random: boolean
}

interface Table {
  name: string
  hasKey: boolean
  uniques: Unique[]
  /** Tables that it refers to, and that refer to it. */
  neighbours: string[]
}

/** How the tables could be spread over servers by workspace. */
export interface Plan {
  /** In this order, on a server with Citus. */
  statements: string[]
  distributed: string[]
  /** Unique keys that become unique within a workspace; what is random stays unique in all. */
  keys: string[]
  /** What stays on the first server, and what is in the way. */
  staying: Map<string, string>
}

async function readTables(sql: Sql<{ bigint: number }>): Promise<Table[]> {
  return await sql<Table[]>`
    select c.relname as name,
      exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = ${key} and a.attnotnull) as "hasKey",
      coalesce((select json_agg(json_build_object('name', n.conname, 'primary', n.contype = 'p', 'columns', n.columns,
          'random', n.random) order by n.conname)
        from (select u.conname, u.contype, (select json_agg(a.attname order by a.attnum) from pg_attribute a
              where a.attrelid = u.conrelid and a.attnum = any(u.conkey)) as columns,
            (select bool_and(a.atttypid = 'uuid'::regtype or c.relname || '.' || a.attname = any(${[...random]}))
              from pg_attribute a where a.attrelid = u.conrelid and a.attnum = any(u.conkey)) as random
          from pg_constraint u where u.conrelid = c.oid and u.contype in ('p', 'u')
          union all
          select i.indexrelid::regclass::text, 'i', '["an expression or a part"]'::json, false from pg_index i
          where i.indrelid = c.oid and i.indisunique
            and not exists (select 1 from pg_constraint o where o.conindid = i.indexrelid)) n), '[]') as uniques,
      array(select distinct case when f.conrelid = c.oid then f.confrelid::regclass::text else f.conrelid::regclass::text end
        from pg_constraint f where f.contype = 'f' and c.oid in (f.conrelid, f.confrelid)) as neighbours
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by c.relname`
}

const isEverywhere = (name: string) => everywhere.some((known) => known === name)

/** Why a table cannot be spread; undefined when it can, as far as its own keys go. */
function obstacleOf({ name, hasKey, uniques }: Table): string | undefined {
  if (claimed.some((known) => known === name)) return 'its rows are claimed for all workspaces at once'
  if (!hasKey) return `its rows do not say their ${key}`
  const own = uniques.find(({ columns, random: isRandom }) => !columns.includes(key) && !isRandom)
  return own && `${own.name} is unique among all workspaces`
}

const list = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ')

/** Has every unique key begin with the workspace, which Citus asks of it. */
const rekeyed = ({ name, uniques }: Table) =>
  uniques
    .filter(({ columns }) => !columns.includes(key))
    .flatMap(({ name: constraint, primary, columns }) => [
      `alter table "${name}" drop constraint "${constraint}";`,
      `alter table "${name}" add constraint "${constraint}" ${primary ? 'primary key' : 'unique'} (${list([key, ...columns])});`,
    ])

/**
 * Reads from a database's catalog which of its tables can be spread by workspace as they are: those whose rows say whose they
 * are, whose unique keys have that column or can have it, and which refer to nothing that stays behind.
 */
export async function planOf(sql: Sql<{ bigint: number }>): Promise<Plan> {
  const tables = await readTables(sql)
  const staying = new Map<string, string>()
  for (const table of tables) {
    const obstacle = obstacleOf(table)
    if (obstacle !== undefined && !isEverywhere(table.name)) staying.set(table.name, obstacle)
  }
  for (let moved = true; moved; ) {
    moved = false
    for (const { name, neighbours } of tables) {
      const behind = neighbours.find((other) => staying.has(other))
      if (staying.has(name) || isEverywhere(name) || behind === undefined) continue
      staying.set(name, `it is tied to ${behind}, which stays`)
      moved = true
    }
  }
  const spread = tables.filter(({ name }) => !staying.has(name) && !isEverywhere(name))
  const [first] = spread
  return {
    statements: [
      ...everywhere.map((name) => `select create_reference_table('${name}');`),
      ...spread.flatMap(rekeyed),
      ...spread.map((table) => {
        const beside = table === first ? '' : `, colocate_with => '${first?.name}'`
        return `select create_distributed_table('${table.name}', '${key}'${beside});`
      }),
    ],
    distributed: spread.map(({ name }) => name),
    keys: spread.flatMap(({ name, uniques }) =>
      uniques.filter(({ columns }) => !columns.includes(key)).map(({ columns }) => `${name} (${columns.join(', ')})`),
    ),
    staying,
  }
}
