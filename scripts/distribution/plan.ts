import type { Sql } from 'postgres'
import { type Catalog, type ForeignKey, readCatalog, type Table, type Unique } from './catalog.ts'
import { claimed, everywhere, keptByCode, key, lookedUp } from './rules.ts'

/** How the tables could be spread over servers by workspace. */
export interface Plan {
  /** In this order, on a server with Citus. */
  statements: string[]
  distributed: string[]
  /** Unique keys that become unique within a workspace, and what keeps them unique among all. */
  keys: Map<string, string>
  /** Foreign keys that go, as the code keeps what they say. */
  dropped: string[]
  /** What stays on the first server, and what is in the way. */
  staying: Map<string, string>
}

const isOf = (names: readonly string[], name: string) => names.includes(name)

const withoutKey = ({ uniques }: Table) => uniques.filter(({ columns }) => !columns.includes(key))

/** Why a table cannot be spread; undefined when it can, as far as it goes by itself. */
function obstacleOf(table: Table): string | undefined {
  const { name, hasKey } = table
  if (isOf(claimed, name)) return 'its rows are claimed for all workspaces at once'
  if (isOf(lookedUp, name)) return 'its rows learn their workspace only as they are inserted'
  if (!hasKey) return `its rows do not say their ${key}`
  const own = withoutKey(table).find(({ kept, columns }) => kept === null || columns.includes(''))
  return own && `${own.name} is unique among all workspaces`
}

/** What stays, and what is tied to that by a foreign key that has to stay as well. */
function stayingOf({ tables, foreignKeys }: Catalog): Plan['staying'] {
  const staying: Plan['staying'] = new Map()
  for (const table of tables) {
    const obstacle = obstacleOf(table)
    if (obstacle !== undefined && !isOf(everywhere, table.name)) staying.set(table.name, obstacle)
  }
  const ties = foreignKeys.filter(({ name }) => !isOf(keptByCode, name))
  const tie = (name: string, other: string) => {
    if (staying.has(name) || isOf(everywhere, name) || !staying.has(other)) return false
    staying.set(name, `it is tied to ${other}, which stays`)
    return true
  }
  // Both ways, again and again until nothing more is tied.
  while (ties.filter(({ from, to }) => tie(from, to) || tie(to, from)).length > 0);
  return staying
}

const list = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ')

/** Has a unique key begin with the workspace, which Citus asks of it. */
function rekeyed(table: string, { name, kind, columns, only }: Unique): string[] {
  const all = list([key, ...columns])
  if (kind === 'index') {
    const where = only === null ? '' : ` where ${only}`
    return [`drop index "${name}";`, `create unique index "${name}" on "${table}" (${all})${where};`]
  }
  return [
    `alter table "${table}" drop constraint "${name}";`,
    `alter table "${table}" add constraint "${name}" ${kind === 'primary' ? 'primary key' : 'unique'} (${all});`,
  ]
}

const drop = ({ from, name }: ForeignKey) => `alter table "${from}" drop constraint "${name}";`

/** A row cannot change the workspace that decides where it is, nor follow another that does. */
const unmoved = (one: ForeignKey) => [
  drop(one),
  `alter table "${one.from}" add constraint "${one.name}" ${one.definition.replace(' ON UPDATE CASCADE', '')};`,
]

/**
 * Reads from a database's catalog which of its tables can be spread by workspace: those whose rows say whose they are,
 * whose unique keys have that column or can have it, and which refer to nothing that stays behind.
 */
export async function planOf(sql: Sql<{ bigint: number }>): Promise<Plan> {
  const catalog = await readCatalog(sql)
  const { tables, foreignKeys } = catalog
  const staying = stayingOf(catalog)
  const spread = tables.filter(({ name }) => !staying.has(name) && !isOf(everywhere, name))
  const isSpread = (name: string) => spread.some((table) => table.name === name)
  const dropped = foreignKeys.filter(({ name, from, to }) => isOf(keptByCode, name) && (isSpread(from) || isSpread(to)))
  const following = foreignKeys.filter(
    ({ keyed, definition, from, to }) =>
      keyed && definition.includes(' ON UPDATE CASCADE') && (isSpread(from) || isOf(everywhere, to)),
  )
  const [first] = spread
  return {
    statements: [
      '-- The triggers of a row read what is of the same workspace, or whole on every server.',
      'set citus.enable_unsafe_triggers to on;',
      ...[...dropped.map(drop), ...following.flatMap(unmoved)],
      ...everywhere.map((name) => `select create_reference_table('${name}');`),
      ...spread.flatMap((table) => withoutKey(table).flatMap((unique) => rekeyed(table.name, unique))),
      ...spread.map((table) => {
        const beside = table === first ? '' : `, colocate_with => '${first?.name}'`
        return `select create_distributed_table('${table.name}', '${key}'${beside});`
      }),
    ],
    distributed: spread.map(({ name }) => name),
    keys: new Map(
      spread.flatMap((table) =>
        withoutKey(table).map(({ columns, kept }) => [`${table.name} (${columns.join(', ')})`, String(kept)] as const),
      ),
    ),
    dropped: dropped.map(({ from, name }) => `${from}: ${name}`),
    staying,
  }
}
