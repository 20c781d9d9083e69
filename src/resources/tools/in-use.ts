import { and, eq, ne, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { validationError } from '../../api/errors/api-error.ts'
import type { Executor, Transaction } from '../../db/client.ts'
import { tools } from '../catalogue/table.ts'
import { layerNaming, userOf } from '../references/in-use.ts'
import { users } from '../users/table.ts'

type Within = (workspaceId: AnyPgColumn) => SQL

const held = { id: tools.id, label: tools.label, scope: tools.scope, ownerId: tools.ownerId }

/** A tool that goes to another workspace, and the tools that go with it. */
interface Leaving {
  id: string
  label: string
  along: SQL
}

/** Refuses what would let a tool be asked from elsewhere: by something of a workspace, or by what reaches all. */
async function refuse(tx: Transaction, { id, label, along }: Leaving, within: Within, field: string) {
  const named = { kind: 'tool', id } as const
  const user = (await userOf(tx, named, within, { kind: 'tool', tools: along })) ?? (await layerNaming(tx, id))
  if (user === undefined) return
  throw validationError({ [field]: [`The tool ${label} is in use by the ${user.kind} ${user.name}.`] })
}

/** A user's own tool, and what it is made of. */
export interface OwnTool {
  id: string
  label: string
  definition: object | null
}

/**
 * Keeps the own tools of a user who leaves a workspace from being asked on during its calls, which would tell somebody
 * elsewhere what is said there. To be called when the workspace is locked, so that no tool that they name changes hands
 * there meanwhile. Holds them, so that nothing begins to name one. Throws 422 on `workspace_id` for one that something
 * of the workspace, or what reaches all, names.
 */
export async function requireToolsUnused(
  tx: Transaction,
  owner: { id: number; workspaceId: number },
): Promise<OwnTool[]> {
  const mine = eq(tools.ownerId, owner.id)
  const own = await tx
    .select({ ...held, definition: tools.definition })
    .from(tools)
    .where(and(mine, eq(tools.scope, 'own')))
    .orderBy(tools.id)
    .for('update')
  for (const tool of own) await refuse(tx, { ...tool, along: mine }, (id) => eq(id, owner.workspaceId), 'workspace_id')
  return own
}

/** The workspace of a user, who stays there until the transaction ends. */
export async function workspaceOf(executor: Executor, userId: number): Promise<number | undefined> {
  const [user] = await executor
    .select({ workspaceId: users.workspaceId })
    .from(users)
    .where(eq(users.id, userId))
    .for('share')
  return user?.workspaceId
}

/**
 * The same for a tool that becomes a user's own, in the transaction that holds it and gives it: what names it in the
 * workspace of its owner before, or anywhere else when it was everybody's, would go on asking the new owner's server.
 * Throws 422 on `owner_id`.
 */
export async function requireUnusedElsewhere(
  tx: Transaction,
  { id, label }: { id: string; label: string },
  next: { id: number; workspaceId: number },
): Promise<void> {
  const [tool] = await tx.select(held).from(tools).where(eq(tools.id, id))
  const leaving = { id, label: tool?.label ?? label, along: eq(tools.id, id) }
  // One without a record may be named as well: by what was adopted before it.
  if (!tool || tool.scope === 'global') return refuse(tx, leaving, (column) => ne(column, next.workspaceId), 'owner_id')
  if (tool.ownerId === null || tool.ownerId === next.id) return
  const [owner] = await tx.select({ before: users.workspaceId }).from(users).where(eq(users.id, tool.ownerId))
  if (owner && owner.before !== next.workspaceId) {
    return refuse(tx, leaving, (column) => eq(column, owner.before), 'owner_id')
  }
}
