import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { users } from './table.ts'

/**
 * Joins a user whom a record of a workspace names, as long as the user is one of its members (contract: accounts 28).
 */
export const isMember = (userId: AnyPgColumn, workspaceId: AnyPgColumn): SQL | undefined =>
  and(eq(users.id, userId), eq(users.workspaceId, workspaceId))

type Shown = Record<'name' | 'email' | 'workspaceId' | 'resellerId' | 'role', AnyPgColumn>
type Owned = Record<'workspaceId' | 'resellerId', AnyPgColumn>

/**
 * The name and e-mail address of a user as a record of a workspace shows them: of whoever is in another one, they are
 * empty, but for operators, who work for every workspace, and for the admins of its reseller (contract: accounts 28).
 */
export function shownTo(user: Shown, owned: Owned) {
  const isOwn = sql`${user.workspaceId} = ${owned.workspaceId}`
  const isAdmin = sql`${user.role} = 'admin' or ${user.role} = 'reseller_admin' and ${user.resellerId} = ${owned.resellerId}`
  const shown = (column: AnyPgColumn) => sql<string>`case when ${isOwn} or ${isAdmin} then ${column} else '' end`
  return { name: shown(user.name), email: shown(user.email) }
}
