import { and, eq, ne, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { validationError } from '../../api/errors/api-error.ts'
import type { Executor } from '../../db/client.ts'
import { tools } from '../catalogue/table.ts'
import { userOf } from '../references/in-use.ts'
import { users } from '../users/table.ts'

type Within = (workspaceId: AnyPgColumn) => SQL

async function refuse(executor: Executor, tool: { id: string; label: string }, within: Within, field: string) {
  const user = await userOf(executor, { kind: 'tool', id: tool.id }, within)
  if (user === undefined) return
  throw validationError({ [field]: [`The tool ${tool.label} is in use by the ${user.kind} ${user.name}.`] })
}

/**
 * Keeps the own tools of a user who leaves a workspace from being asked on during its calls, which would tell somebody
 * elsewhere what is said there. Throws 422 on `workspace_id` for one that something of the workspace names.
 */
export async function requireToolsUnused(
  executor: Executor,
  owner: { id: number; workspaceId: number },
): Promise<void> {
  const own = await executor
    .select({ id: tools.id, label: tools.label })
    .from(tools)
    .where(and(eq(tools.ownerId, owner.id), eq(tools.scope, 'own')))
  for (const tool of own) await refuse(executor, tool, (id) => eq(id, owner.workspaceId), 'workspace_id')
}

/**
 * The same for a tool that becomes a user's own: what names it in the workspace of its owner before, or anywhere else when it
 * was everybody's, would go on asking the new owner's server. Throws 422 on `owner_id`.
 */
export async function requireUnusedElsewhere(executor: Executor, id: string, ownerId: number): Promise<void> {
  const [tool] = await executor
    .select({ id: tools.id, label: tools.label, scope: tools.scope, workspaceId: users.workspaceId })
    .from(tools)
    .leftJoin(users, eq(users.id, tools.ownerId))
    .where(eq(tools.id, id))
  const [next] = await executor.select({ workspaceId: users.workspaceId }).from(users).where(eq(users.id, ownerId))
  if (!tool || !next) return
  const { workspaceId: before } = tool
  if (tool.scope === 'global') return refuse(executor, tool, (column) => ne(column, next.workspaceId), 'owner_id')
  if (before !== null && before !== next.workspaceId) {
    return refuse(executor, tool, (column) => eq(column, before), 'owner_id')
  }
}
