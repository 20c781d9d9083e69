import { parseSync } from 'libpg-query'
import { listOf, nodeOf, textOf } from './syntax.ts'

/** Those of `tables` that a statement inserts rows into without saying whose they are. */
export function unnamedInserts(statement: string, tables: readonly string[]): string[] {
  const unnamed: string[] = []
  const visit = (value: unknown): void => {
    const { InsertStmt: insert, ...others } = nodeOf(value)
    const { relation, cols, selectStmt } = nodeOf(insert)
    const table = textOf(nodeOf(relation).relname)
    if (tables.includes(table)) {
      const at = listOf(cols).findIndex((column) => textOf(nodeOf(column.ResTarget).name) === 'workspace_id')
      const rows = listOf(nodeOf(nodeOf(selectStmt).SelectStmt).valuesLists)
      const isLeft = rows.some((row) => listOf(nodeOf(row.List).items)[at]?.SetToDefault !== undefined)
      if (at === -1 || isLeft) unnamed.push(table)
    }
    for (const inner of [...Object.values(others), ...Object.values(nodeOf(insert))]) {
      if (Array.isArray(inner)) inner.forEach(visit)
      else if (typeof inner === 'object') visit(inner)
    }
  }
  for (const { stmt } of parseSync(statement).stmts ?? []) visit(stmt)
  return unnamed
}
