import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Executor } from './client.ts'

interface Statement {
  sql: string
  params: unknown[]
}

const run = <Row>(executor: Executor, name: string, statement: Statement, values: Record<string, unknown>) =>
  executor._.session
    .prepareQuery<{ execute: Row[]; all: Row[]; values: unknown[][] }>(statement, undefined, name, false)
    .execute(values)

/**
 * Declares a hot statement, at module level, that may run inside a transaction: its SQL is built once, and planned once
 * per connection. What it returns comes as the driver gives it, by the names of the columns.
 */
export function preparedStatement<Row>(
  name: string,
  build: (executor: Executor) => PromiseLike<Row[]> & { toSQL(): Statement },
): (executor: Executor, values: Record<string, unknown>) => Promise<Row[]> {
  let statement: Statement | undefined
  return (executor, values) => {
    statement ??= build(executor).toSQL()
    return run(executor, name, statement, values)
  }
}

/**
 * Declares the insert of one row, likewise; it resolves to the row's id. Columns whose value is null are left out, so
 * that they get their default. There is one statement for each set of columns that comes up.
 */
export function preparedInsert<Table extends PgTable & { id: PgColumn }>(
  name: string,
  table: Table,
): (executor: Executor, values: Table['$inferInsert']) => Promise<number> {
  const statements = new Map<string, Statement>()
  return async (executor, values) => {
    const given: Record<string, unknown> = values
    let key = ''
    for (const column in given) if (given[column] != null) key += `${column},`
    let statement = statements.get(key)
    if (!statement) {
      const columns = Object.keys(given).filter((column) => given[column] != null)
      const placeholders = Object.fromEntries(columns.map((column) => [column, sql.placeholder(column)]))
      statement = executor
        .insert(table)
        .values(placeholders as Table['$inferInsert'])
        .returning({ id: table.id })
        .toSQL()
      statements.set(key, statement)
    }
    const [row] = await run<{ id: number }>(executor, name, statement, given)
    if (!row) throw new Error(`${name} inserted nothing`)
    return row.id
  }
}
