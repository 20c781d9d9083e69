import { type Column, eq, type SQL, sql } from 'drizzle-orm'
import type { Account } from './accounts.ts'

/** What a caller can see: everything, the accounts of a reseller, or one workspace (spec 3, section 2). */
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

/** The condition that keeps a query within the scope; its placeholder `scope` is filled with `scope.id`. */
export function withinScope(scope: Scope, table: ScopedColumns): SQL {
  if (scope.kind === 'workspace') return eq(table.workspaceId, sql.placeholder('scope'))
  if (scope.kind === 'reseller') return eq(table.resellerId, sql.placeholder('scope'))
  return sql`${sql.placeholder('scope')}::int = 0`
}
