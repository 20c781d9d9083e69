import { Column, getTableColumns, is, Param, Placeholder, SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Executor } from '../client.ts'
import { driverOf } from '../driver.ts'

interface Statement {
  sql: string
  /** What makes each parameter of the values that are given. */
  params: ((values: Record<string, unknown>) => unknown)[]
}

function parameterOf(param: unknown): Statement['params'][number] {
  const placeholder = is(param, Param) ? param.value : param
  if (!is(placeholder, Placeholder)) return () => param
  const { name } = placeholder
  return (values) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The statement needs a value for ${name}`)
    return value !== null && is(param, Param) ? param.encoder.mapToDriverValue(value) : value
  }
}

function statementOf(query: { toSQL(): { sql: string; params: unknown[] } }): Statement {
  const { sql, params } = query.toSQL()
  return { sql, params: params.map(parameterOf) }
}

const run = (executor: Executor, statement: Statement, values: Record<string, unknown>, prepare = true) =>
  driverOf(executor).unsafe(statement.sql, statement.params.map((make) => make(values)) as never[], { prepare })

type Query = Parameters<typeof statementOf>[0]
type Build = (executor: Executor) => Query

/**
 * Declares a hot statement, at module level, that may run inside a transaction: its SQL is built once, and planned once
 * per connection. What it returns comes as the driver gives it, by the names of the columns.
 */
export function preparedStatement<Row>(
  build: (executor: Executor) => PromiseLike<Row[]> & Query,
): (executor: Executor, values: Record<string, unknown>) => Promise<Row[]> {
  let statement: Statement | undefined
  return async (executor, values) => {
    statement ??= statementOf(build(executor))
    return (await run(executor, statement, values)) as unknown as Row[]
  }
}

/** What a select gives, by name. */
export type Columns = Record<string, PgColumn | SQL>

/** The same, where those of a table may stand under a name of its own. */
export type NestedColumns = Record<string, PgColumn | SQL | Columns>

const isColumn = (column: PgColumn | SQL | Columns): column is PgColumn | SQL => is(column, Column) || is(column, SQL)

const isMapped = (column: PgColumn | SQL): column is PgColumn =>
  column instanceof Column && column.mapFromDriverValue !== Column.prototype.mapFromDriverValue

/**
 * How a row is read, column by column: most values are what the driver gives. A joined table whose first column is null
 * has no row, and is null.
 */
function reader<Row>(columns: NestedColumns): (values: unknown[], from?: number) => Row {
  let width = 0
  const fields = Object.entries(columns).map(([name, column]) => {
    const at = width
    width += isColumn(column) ? 1 : Object.keys(column).length
    if (!isColumn(column)) return { name, at, nested: reader(column) }
    return { name, at, column: isMapped(column) ? column : undefined }
  })
  return (values, from = 0) => {
    const row: Record<string, unknown> = {}
    for (const { name, at, column, nested } of fields) {
      const value = values[from + at]
      if (value === null) row[name] = null
      else if (nested) row[name] = nested(values, from + at)
      else row[name] = column ? column.mapFromDriverValue(value) : value
    }
    return row as Row
  }
}

/**
 * Declares a hot select of these columns, in their order, likewise. `plannedFor: 'values'` has it planned each time for
 * the values that it is given: where one plan for all would be bad for most, as for what is looked for among the texts
 * of many tenants.
 */
export function preparedSelect<Row>(
  columns: NestedColumns,
  build: Build,
  { plannedFor = 'all' }: { plannedFor?: 'all' | 'values' } = {},
): (executor: Executor, values: Record<string, unknown>) => Promise<Row[]> {
  const read = reader<Row>(columns)
  let statement: Statement | undefined
  return async (executor, values) => {
    statement ??= statementOf(build(executor))
    const rows: unknown[][] = await run(executor, statement, values, plannedFor === 'all').values()
    return rows.map((row) => read(row))
  }
}

/** As many as an exact number has bits. */
const maxColumns = 53

type BuildWrite<Table extends PgTable> = (executor: Executor, values: Table['$inferInsert']) => Query

/** The statements that write one row, one for each set of columns that comes up. */
function writeStatements<Table extends PgTable>(
  table: Table,
  isGiven: (value: unknown) => boolean,
  build: BuildWrite<Table>,
) {
  const names = Object.keys(getTableColumns(table))
  if (names.length > maxColumns) throw new Error('This table has too many columns')
  /** By the columns that are given, a bit for each. */
  const statements = new Map<number, Statement>()
  return (executor: Executor, given: Record<string, unknown>): Statement => {
    let key = 0
    for (const column of names) key = key * 2 + (isGiven(given[column]) ? 1 : 0)
    let statement = statements.get(key)
    if (!statement) {
      const columns = names.filter((column) => isGiven(given[column]))
      const placeholders = Object.fromEntries(columns.map((column) => [column, sql.placeholder(column)]))
      statement = statementOf(build(executor, placeholders as Table['$inferInsert']))
      statements.set(key, statement)
    }
    return statement
  }
}

/** What an insert names: columns whose value is null are left out, so that they get their default. */
const hasValue = (value: unknown) => value != null
/** What an update sets. */
const isSet = (value: unknown) => value !== undefined

/**
 * Declares the insert of one row, likewise; it resolves to the row's id. The database looks up the columns that are
 * `found`, by values of other names.
 */
export function preparedInsert<
  Table extends PgTable & { id: PgColumn },
  Found extends keyof Table['$inferInsert'] = never,
>(
  table: Table,
  found?: Record<Found, SQL>,
): (executor: Executor, values: Omit<Table['$inferInsert'], Found> & Record<string, unknown>) => Promise<number> {
  const statementFor = writeStatements(table, hasValue, (executor, values) =>
    executor
      .insert(table)
      .values({ ...values, ...found })
      .returning({ id: table.id }),
  )
  return async (executor, values) => {
    const [row] = await run(executor, statementFor(executor, values), values)
    if (!row) throw new Error('The insert made no row')
    return row.id
  }
}

/** Declares the insert of one row that gives these columns, in their order, of what is made of it. */
export function preparedInsertAs<Table extends PgTable, Row>(
  table: Table,
  columns: Columns,
  build: BuildWrite<Table>,
): (executor: Executor, values: Table['$inferInsert']) => Promise<Row> {
  const read = reader<Row>(columns)
  const statementFor = writeStatements(table, hasValue, build)
  return async (executor, values) => {
    const [row]: unknown[][] = await run(executor, statementFor(executor, values), values).values()
    if (!row) throw new Error('The insert made no row')
    return read(row)
  }
}

/**
 * Declares the update of one row, likewise, of the columns that are not undefined; `which` has the values of the other
 * placeholders. It gives these columns, in their order, or undefined where there is no such row.
 */
export function preparedUpdateAs<Table extends PgTable, Row>(
  table: Table,
  columns: Columns,
  build: (executor: Executor, values: Partial<Table['$inferInsert']>) => Query,
): (
  executor: Executor,
  values: Partial<Table['$inferInsert']>,
  which: Record<string, unknown>,
) => Promise<Row | undefined> {
  const read = reader<Row>(columns)
  const statementFor = writeStatements(table, isSet, build)
  return async (executor, values, which) => {
    const statement = statementFor(executor, values)
    const [row]: unknown[][] = await run(executor, statement, { ...values, ...which }).values()
    return row && read(row)
  }
}
