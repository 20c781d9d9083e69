import { and, eq, ne, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { validationError } from '../../api/errors/api-error.ts'
import type { Transaction } from '../../db/client.ts'
import { tools } from '../catalogue/table.ts'
import { layerNaming, userOf } from '../references/in-use.ts'
import { users } from '../users/table.ts'

type Within = (workspaceId: AnyPgColumn) => SQL

const held = { id: tools.id, label: tools.label, scope: tools.scope, ownerId: tools.ownerId }

/** Refuses what would let a tool be asked from elsewhere: by something of a workspace, or by a layer that reaches all. */
async function refuse(tx: Transaction, tool: { id: string; label: string }, within: Within, field: string) {
  const user = (await userOf(tx, { kind: 'tool', id: tool.id }, within)) ?? (await layerNaming(tx, tool.id))
  if (user === undefined) return
  throw validationError({ [field]: [`The tool ${tool.label} is in use by the ${user.kind} ${user.name}.`] })
}

/**
 * Keeps the own tools of a user who leaves a workspace from being asked on during its calls, which would tell somebody
 * elsewhere what is said there. Holds them, so that nothing begins to name one meanwhile. Throws 422 on `workspace_id`
 * for one that something of the workspace, or a layer, names.
 */
export async function requireToolsUnused(tx: Transaction, owner: { id: number; workspaceId: number }): Promise<void> {
  const own = await tx
    .select(held)
    .from(tools)
    .where(and(eq(tools.ownerId, owner.id), eq(tools.scope, 'own')))
    .orderBy(tools.id)
    .for('update')
  for (const tool of own) await refuse(tx, tool, (id) => eq(id, owner.workspaceId), 'workspace_id')
}

async function workspaceOf(tx: Transaction, userId: number): Promise<number | undefined> {
  // The new owner stays where they are until this is saved.
  const [user] = await tx
    .select({ workspaceId: users.workspaceId })
    .from(users)
    .where(eq(users.id, userId))
    .for('share')
  return user?.workspaceId
}

/**
 * The same for a tool that becomes a user's own, in the transaction that gives it: what names it in the workspace of its
 * owner before, or anywhere else when it was everybody's, would go on asking the new owner's server. Throws 422 on
 * `owner_id`.
 */
export async function requireUnusedElsewhere(tx: Transaction, id: string, ownerId: number): Promise<void> {
  const next = await workspaceOf(tx, ownerId)
  const [tool] = await tx.select(held).from(tools).where(eq(tools.id, id)).for('update')
  if (!tool || next === undefined) return
  if (tool.scope === 'global') return refuse(tx, tool, (column) => ne(column, next), 'owner_id')
  if (tool.ownerId === null || tool.ownerId === ownerId) return
  const [owner] = await tx.select({ before: users.workspaceId }).from(users).where(eq(users.id, tool.ownerId))
  if (owner && owner.before !== next) return refuse(tx, tool, (column) => eq(column, owner.before), 'owner_id')
}
