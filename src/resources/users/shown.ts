import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { users } from './table.ts'

/**
 * Joins a user whom a record of a workspace names, as long as the user is one of its members (contract: accounts 28).
 */
export const isMember = (userId: AnyPgColumn, workspaceId: AnyPgColumn): SQL | undefined =>
  and(eq(users.id, userId), eq(users.workspaceId, workspaceId))

type Shown = Record<'name' | 'email' | 'workspaceId' | 'role', AnyPgColumn>

/**
 * The name and e-mail address of a user as a record of a workspace shows them: of whoever is in another one, they are
 * empty, but for operators, who work for every workspace (contract: accounts 28).
 */
export function shownTo(user: Shown, workspaceId: AnyPgColumn) {
  const isShown = sql`${user.workspaceId} = ${workspaceId} or ${user.role} = 'admin'`
  const shown = (column: AnyPgColumn) => sql<string>`case when ${isShown} then ${column} else '' end`
  return { name: shown(user.name), email: shown(user.email) }
}
