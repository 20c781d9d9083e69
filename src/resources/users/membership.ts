import { and, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { WorkspaceRole } from '../../accounts/account.ts'
import type { AccountContext } from '../../api/context.ts'
import { validationError } from '../../api/errors/api-error.ts'
import { notExisting } from '../../api/errors/not-existing.ts'
import type { Transaction } from '../../db/client.ts'
import { lockWorkspaces } from '../references/lock-workspaces.ts'
import { requireReseller } from '../resellers/service.ts'
import { insertWorkspace } from '../workspaces/service.ts'
import { workspaces } from '../workspaces/table.ts'
import type { CreateUserInput, UpdateUserInput } from './schema.ts'
import type { users } from './table.ts'

/** Where a user belongs: one workspace, and that workspace's reseller (contract: accounts 3). */
export interface Membership {
  workspaceId: number
  workspaceRole: WorkspaceRole
  resellerId: number
}

/**
 * A workspace and its reseller. Throws 422 on `workspace_id` when it does not exist, on `reseller_id` when another
 * reseller is named with it.
 */
async function joined(tx: Transaction, workspaceId: number, resellerId: number | undefined) {
  if (resellerId !== undefined) await requireReseller(tx, resellerId)
  const [workspace] = await tx
    .select({ workspaceId: workspaces.id, resellerId: workspaces.resellerId })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId))
  if (!workspace) throw notExisting('workspace_id')
  if (resellerId !== undefined && resellerId !== workspace.resellerId) {
    throw validationError({ reseller_id: ['The reseller_id field must be the reseller of the workspace.'] })
  }
  return workspace
}

/** The membership of a new user: the named workspace, or a new one of the named or the caller's reseller. */
export async function firstMembership(
  tx: Transaction,
  ctx: AccountContext,
  input: z.output<typeof CreateUserInput>,
  now: Date,
): Promise<Membership> {
  const { workspace_id: workspaceId, workspace_role: workspaceRole, reseller_id: named, name } = input
  if (workspaceId !== undefined) {
    return { ...(await joined(tx, workspaceId, named)), workspaceRole: workspaceRole ?? 'editor' }
  }
  const resellerId = named ?? ctx.account.resellerId
  await requireReseller(tx, resellerId)
  const workspace = await insertWorkspace(tx, { name, resellerId, now })
  return { workspaceId: workspace.id, resellerId, workspaceRole: workspaceRole ?? 'owner' }
}

/**
 * The membership that a change leaves a user with. Whoever owned the old workspace is an editor of the new one unless
 * the change says more.
 */
export async function nextMembership(
  tx: Transaction,
  stored: typeof users.$inferSelect,
  input: z.output<typeof UpdateUserInput>,
): Promise<Membership> {
  const { workspace_id: workspaceId = stored.workspaceId, workspace_role: sent, reseller_id: resellerId } = input
  const moves = workspaceId !== stored.workspaceId
  const kept = moves && stored.workspaceRole === 'owner' ? 'editor' : stored.workspaceRole
  const workspaceRole = sent ?? kept
  if (!moves && resellerId === undefined) return { workspaceId, workspaceRole, resellerId: stored.resellerId }
  return { ...(await joined(tx, workspaceId, resellerId)), workspaceRole }
}

/**
 * Keeps `owner_id` true after a user came or moved: the workspace it left has no owner any more, and one that it
 * joins as `owner` gets it when it has none. `first` makes it the owner of its own workspace whatever its role.
 */
export async function settleOwnership(
  tx: Transaction,
  userId: number,
  change: { from?: number; to: Membership; first?: boolean; now: Date },
): Promise<void> {
  const { from, to, now } = change
  const leaves = from !== undefined && from !== to.workspaceId
  const owns = change.first === true || to.workspaceRole === 'owner'
  if (!leaves && !owns) return
  // In one order, so that two users who change places do not wait for each other.
  await lockWorkspaces(tx, leaves ? [from, to.workspaceId] : [to.workspaceId], 'no key update')
  if (leaves) {
    await tx
      .update(workspaces)
      .set({ ownerId: null, updatedAt: now })
      .where(and(eq(workspaces.id, from), eq(workspaces.ownerId, userId)))
  }
  if (owns) {
    await tx
      .update(workspaces)
      .set({ ownerId: userId, updatedAt: now })
      .where(and(eq(workspaces.id, to.workspaceId), isNull(workspaces.ownerId)))
  }
}
