import { and, eq } from 'drizzle-orm'
import { hasAdminRole } from '../../accounts/account.ts'
import type { AccountContext } from '../../api/context.ts'
import { notExisting } from '../../api/errors/not-existing.ts'
import { users } from './table.ts'

/** Whose a resource is, and how many assistants its owner may have. */
export interface Owner {
  userId: number
  workspaceId: number
  resellerId: number
  assistantQuota: number | null
}

/**
 * The owner that a body names by `user_id`: honoured for admin roles only, a reseller admin's within its reseller
 * (contract: accounts 7, accounts 8). Undefined where none is named, or whoever owns it already: that user may be in
 * another workspace by now. Throws 422 on `user_id` for a user that does not exist.
 */
export async function namedOwner(
  ctx: AccountContext,
  userId: number | null | undefined,
  owned?: { userId: number },
): Promise<Owner | undefined> {
  const { account } = ctx
  if (userId == null || userId === owned?.userId || !hasAdminRole(account)) return undefined
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
