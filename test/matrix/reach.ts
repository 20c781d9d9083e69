import { parseSync } from 'libpg-query'
import { listOf, type Node, nodeOf, textOf } from './syntax.ts'

/** What decides whose rows a condition finds. */
export interface Keys {
  /** Every column, by table: what a name without a table means. */
  columns: ReadonlyMap<string, ReadonlySet<string>>
  /**
   * By table: the columns that have a value in one workspace alone. Tables without anything of a workspace are left
   * out.
   */
  leading: ReadonlyMap<string, ReadonlySet<string>>
}

/** A table, or what stands in for one, as a query names it. */
interface Ref {
  alias: string
  /** Undefined: a subquery, which is looked at by itself, or a table that has nothing of a workspace. */
  table: string | undefined
}

/** One query, within those around it. */
interface Scope {
  refs: Ref[]
  bound: Set<Ref>
  outer: Scope | undefined
  /** Names of `with`, which are no tables. */
  withs: ReadonlySet<string>
  conditions: { test: unknown; binds: (ref: Ref) => boolean }[]
}

const queries = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt']
const equalities = ['AEXPR_OP', 'AEXPR_IN', 'AEXPR_OP_ANY']

/** A value without the type that it is read as. */
function uncast(value: unknown): Node {
  const { TypeCast: cast } = nodeOf(value)
  return cast === undefined ? nodeOf(value) : uncast(nodeOf(cast).arg)
}

const isEquality = ({ kind, name }: Node): boolean =>
  equalities.includes(textOf(kind)) && textOf(nodeOf(listOf(name)[0]?.String).sval) === '='

/** The column of a scope, or of those around it, that a node names. */
function columnOf(node: Node, scope: Scope, { columns }: Keys): { ref: Ref; scope: Scope; name: string } | undefined {
  const parts = listOf(nodeOf(node.ColumnRef).fields).map((field) => textOf(nodeOf(field.String).sval))
  const [name, alias] = [parts.at(-1) ?? '', parts.at(-2)]
  for (let at: Scope | undefined = scope; at && parts.length > 0; at = at.outer) {
    const ref = at.refs.find((one) =>
      alias === undefined ? one.table !== undefined && columns.get(one.table)?.has(name) : one.alias === alias,
    )
    if (ref) return { ref, scope: at, name }
  }
  return undefined
}

/** Whether a value is known without a row of a table that is not bound itself. */
function isKnown(value: unknown, scope: Scope, keys: Keys): boolean {
  if (Array.isArray(value)) return value.every((one) => isKnown(one, scope, keys))
  const node = nodeOf(value)
  if (node.SubLink !== undefined) return true
  if (node.ColumnRef === undefined) {
    return Object.values(node).every((inner) => typeof inner !== 'object' || isKnown(inner, scope, keys))
  }
  const column = columnOf(node, scope, keys)
  return column !== undefined && (column.ref.table === undefined || column.scope.bound.has(column.ref))
}

/** The tables of `target` that a condition of `scope` binds: it is true of rows of one workspace alone. */
function boundBy(condition: unknown, scope: Scope, target: Scope, keys: Keys): Set<Ref> {
  const { BoolExpr: bool, A_Expr: operator, SubLink: link } = nodeOf(condition)
  const { boolop, args } = nodeOf(bool)
  const parts = listOf(args).map((one) => boundBy(one, scope, target, keys))
  if (boolop === 'AND_EXPR') return new Set(parts.flatMap((refs) => [...refs]))
  if (boolop === 'OR_EXPR') return new Set([...(parts[0] ?? [])].filter((ref) => parts.every((refs) => refs.has(ref))))
  const found = new Set<Ref>()
  const consider = (side: unknown, value: unknown) => {
    const column = columnOf(uncast(side), scope, keys)
    if (column?.scope !== target || column.ref.table === undefined) return
    const leads = keys.leading.get(column.ref.table)?.has(column.name)
    if (leads && isKnown(value, scope, keys)) found.add(column.ref)
  }
  const { lexpr, rexpr } = nodeOf(operator)
  if (isEquality(nodeOf(operator))) {
    consider(lexpr, rexpr)
    consider(rexpr, lexpr)
  }
  const { subLinkType, testexpr, subselect } = nodeOf(link)
  if (subLinkType === 'ANY_SUBLINK') consider(testexpr, {})
  if (subLinkType === 'EXISTS_SUBLINK') {
    const inner = opened('SelectStmt', nodeOf(nodeOf(subselect).SelectStmt), scope, scope.withs, keys)
    for (const { test } of inner.conditions) for (const ref of boundBy(test, inner, target, keys)) found.add(ref)
  }
  return found
}

/** Adds what a `from` names to a scope, and the conditions of its joins: those of an outer join bind one side of it. */
function take(from: unknown, scope: Scope, keys: Keys): Ref[] {
  const { RangeVar: named, JoinExpr: join, ...others } = nodeOf(from)
  if (join !== undefined) {
    const { larg, rarg, quals, jointype } = nodeOf(join)
    const [left, right] = [take(larg, scope, keys), take(rarg, scope, keys)]
    const binds = { JOIN_INNER: [...left, ...right], JOIN_LEFT: right, JOIN_RIGHT: left }[textOf(jointype)] ?? []
    scope.conditions.push({ test: quals, binds: (ref) => binds.includes(ref) })
    return [...left, ...right]
  }
  const { relname, schemaname, alias } = nodeOf(named ?? Object.values(others)[0])
  const name = textOf(relname)
  const isTable = schemaname === undefined && !scope.withs.has(name) && keys.leading.has(name)
  const ref = { alias: textOf(nodeOf(alias).aliasname) || name, table: isTable ? name : undefined }
  scope.refs.push(ref)
  return [ref]
}

/** What a query reads or changes, and which of it its conditions bind. */
function opened(kind: string, query: Node, outer: Scope | undefined, withs: Scope['withs'], keys: Keys): Scope {
  const scope: Scope = { refs: [], bound: new Set(), outer, withs, conditions: [] }
  scope.conditions.push({ test: query.whereClause, binds: () => true })
  if (kind === 'UpdateStmt' || kind === 'DeleteStmt') take({ RangeVar: query.relation }, scope, keys)
  for (const from of [...listOf(query.fromClause), ...listOf(query.usingClause)]) take(from, scope, keys)
  for (let size = -1; size < scope.bound.size; ) {
    size = scope.bound.size
    for (const { test, binds } of scope.conditions) {
      for (const ref of boundBy(test, scope, scope, keys)) if (binds(ref)) scope.bound.add(ref)
    }
  }
  return scope
}

/**
 * The tables that a statement reads or changes without a condition which finds rows of one workspace alone. Inserts
 * change nothing that is there.
 */
export function unboundTables(statement: string, keys: Keys): string[] {
  const unbound: string[] = []
  const visit = (value: unknown, outer: Scope | undefined, withs: Scope['withs']): void => {
    for (const [name, inner] of Object.entries(nodeOf(value))) {
      if (Array.isArray(inner)) for (const one of inner) visit(one, outer, withs)
      else if (name === 'larg' || name === 'rarg') visitQuery('SelectStmt', nodeOf(inner), outer, withs)
      else if (queries.includes(name)) visitQuery(name, nodeOf(inner), outer, withs)
      else visit(inner, outer, withs)
    }
  }
  const visitQuery = (kind: string, query: Node, outer: Scope | undefined, around: Scope['withs']): void => {
    const named = listOf(nodeOf(query.withClause).ctes).map((one) => textOf(nodeOf(one.CommonTableExpr).ctename))
    const scope = opened(kind, query, outer, new Set([...around, ...named]), keys)
    for (const ref of scope.refs) if (ref.table !== undefined && !scope.bound.has(ref)) unbound.push(ref.table)
    visit(query, scope, scope.withs)
  }
  for (const { stmt } of parseSync(statement).stmts ?? []) visit(stmt, undefined, new Set())
  return unbound
}
