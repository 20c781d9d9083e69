import { type Column, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Account } from './account.ts'

/** What a caller can see: everything, the accounts of a reseller, or one workspace (contract: accounts 4). */
export type Scope =
  | { readonly kind: 'all'; readonly id: 0 }
  | { readonly kind: 'reseller'; readonly id: number }
  | { readonly kind: 'workspace'; readonly id: number }

/** The scope that an account's role gives. */
export function scopeOf(account: Account): Scope {
  if (account.role === 'admin') return { kind: 'all', id: 0 }
  if (account.role === 'reseller_admin') return { kind: 'reseller', id: account.resellerId }
  return { kind: 'workspace', id: account.workspaceId }
}

interface ScopedColumns {
  workspaceId: Column
  resellerId: Column
}

/** The condition that keeps a prepared query within the scope; its placeholder `scope` is filled with `scope.id`. */
export const withinScope = (scope: Scope, table: ScopedColumns): SQL =>
  condition(scope, table, sql.placeholder('scope'))

/** The condition that keeps a query built for one request within the scope. */
export const inScope = (scope: Scope, table: ScopedColumns): SQL => condition(scope, table, scope.id)

function condition(scope: Scope, table: ScopedColumns, id: number | Placeholder): SQL {
  if (scope.kind === 'workspace') return eq(table.workspaceId, id)
  if (scope.kind === 'reseller') return eq(table.resellerId, id)
  return sql`${id}::int = 0`
}
