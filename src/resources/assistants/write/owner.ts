import { and, count, eq } from 'drizzle-orm'
import { hasAdminRole } from '../../../accounts/account.ts'
import type { AccountContext } from '../../../api/context.ts'
import { ApiError } from '../../../api/errors/api-error.ts'
import { notExisting } from '../../../api/errors/not-existing.ts'
import type { Executor } from '../../../db/client.ts'
import { users } from '../../users/table.ts'
import { assistants } from '../table.ts'

/** Whose an assistant is. */
export interface Owner {
  userId: number
  workspaceId: number
  resellerId: number
  assistantQuota: number | null
}

/**
 * The owner that a body names by `user_id`: honoured for admin roles only, a reseller admin's within its reseller
 * (spec 1, Authentication, rule 6; spec 3, section 2). Undefined where none is named.
 * Throws 422 on `user_id` for a user that does not exist.
 */
export async function namedOwner(ctx: AccountContext, userId: number | null | undefined): Promise<Owner | undefined> {
  const { account } = ctx
  if (userId == null || !hasAdminRole(account)) return undefined
  const own = account.role === 'reseller_admin' ? eq(users.resellerId, account.resellerId) : undefined
  const [owner] = await ctx.db
    .select({
      userId: users.id,
      workspaceId: users.workspaceId,
      resellerId: users.resellerId,
      assistantQuota: users.assistantQuota,
    })
    .from(users)
    .where(and(eq(users.id, userId), own))
  if (!owner) throw notExisting('user_id')
  return owner
}

/** The caller as an owner. */
export const callerAsOwner = ({ account }: AccountContext): Owner => ({
  userId: account.userId,
  workspaceId: account.workspaceId,
  resellerId: account.resellerId,
  assistantQuota: account.assistantQuota,
})

/** The columns that say whose an assistant is; none when the owner stays. */
export const ownedBy = (owner: Owner | undefined) =>
  owner && { userId: owner.userId, workspaceId: owner.workspaceId, resellerId: owner.resellerId }

/** Throws 403 naming the quota when the owner has as many assistants as it allows (spec 3, section 2). */
export async function checkQuota(executor: Executor, owner: Owner): Promise<void> {
  const { assistantQuota: quota, userId } = owner
  if (quota === null) return
  const [counted] = await executor.select({ total: count() }).from(assistants).where(eq(assistants.userId, userId))
  if ((counted?.total ?? 0) >= quota) {
    throw new ApiError('assistant_quota_reached', { detail: `${quota} assistant${quota === 1 ? '' : 's'}` })
  }
}

/** The same within the transaction that adds one: the owner's row makes concurrent creates take turns. */
export async function holdQuota(executor: Executor, owner: Owner): Promise<void> {
  if (owner.assistantQuota === null) return
  await executor.select({ id: users.id }).from(users).where(eq(users.id, owner.userId)).for('update')
  await checkQuota(executor, owner)
}
