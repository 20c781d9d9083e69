import { and, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors/api-error.ts'
import { findMade, foundOr, makeOnce } from '../../api/idempotency/once.ts'
import { sortedBy, wholeList } from '../../api/paging/walk.ts'
import type { Executor } from '../../db/client.ts'
import { ofAgent, requireAgent } from '../agents/access.ts'
import { users } from '../users/table.ts'
import type { PutShareInput, SharesQuery } from './schema.ts'
import { shares } from './table.ts'

/** A user as the owner of an agent may see it: nobody outside the own workspace is named (contract: agents 18). */
const shownTo = (ctx: AccountContext, { workspaceId, name, email }: typeof users.$inferSelect) =>
  workspaceId === ctx.account.workspaceId ? { name, email } : { name: null, email: null }

const byUser = sortedBy('asc', shares.userId)

/**
 * The users that an agent is shared with, in the order of their ids (contract: agents 15, agents 29). Throws 404, 403
 * for anyone but its owner, 422 on `cursor`.
 */
export async function listShares(ctx: AccountContext, input: z.output<typeof SharesQuery>) {
  const { row } = await requireAgent(ctx, input.agent_id, 'own')
  const { rows, ...more } = await wholeList(ctx, input, {
    read: ({ after, limit }) =>
      ctx.db
        .select({ user: users, access: shares.access, mcpAccess: shares.mcpAccess })
        .from(shares)
        .innerJoin(users, eq(users.id, shares.userId))
        .where(and(eq(shares.agentId, row.id), isNull(users.deletedAt), byUser.after(after)))
        .orderBy(...byUser.order)
        .limit(limit),
    keysOf: ({ user }) => [user.id],
  })
  const data = rows.map(({ user, access, mcpAccess }) => ({
    user_id: user.id,
    ...shownTo(ctx, user),
    access,
    mcp_access: mcpAccess,
  }))
  return { data, ...more }
}

/**
 * Shares an agent with any user of the installation, or changes the share.
 * Throws 404 for the agent, 403 for anyone but its owner, 404 for an unknown user, 422 for oneself.
 */
export async function putShare(ctx: AccountContext, input: z.output<typeof PutShareInput>) {
  const { row } = await requireAgent(ctx, input.agent_id, 'own')
  const { user_id: userId, access, mcp_access: mcpAccess } = input
  if (userId === row.ownerId) {
    throw validationError({ user_id: ['An agent cannot be shared with its owner.'] })
  }
  const [user] = await ctx.db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
  if (!user) throw new ApiError('share_user_not_found')
  const now = ctx.clock.now()
  const columns = { agentId: row.id, workspaceId: row.workspaceId, userId, access, mcpAccess }
  const insert = ctx.db
    .insert(shares)
    .values({ ...columns, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({ target: [shares.agentId, shares.userId], set: { access, mcpAccess, updatedAt: now } })
  await ofAgent(insert)
  return { user_id: userId, ...shownTo(ctx, user), access, mcp_access: mcpAccess }
}

/** Ends a share: the user's chats with the agent are 404 until it is shared again. Throws 404, 403. */
export async function deleteShare(ctx: AccountContext, input: { agent_id: string; user_id: number }) {
  const { row } = await requireAgent(ctx, input.agent_id, 'own')
  return endShare(ctx.db, row.id, input.user_id)
}

/** Ends the share that the caller was given (contract: agents 19). Throws 404, also for the agent's owner. */
export async function leaveAgent(ctx: AccountContext, input: { agent_id: string }) {
  const find = () => findMade<number>(ctx)
  return foundOr(find, async () => {
    const { row } = await requireAgent(ctx, input.agent_id)
    return makeOnce(ctx, (tx) => endShare(tx, row.id, ctx.account.userId))
  })
}

async function endShare(executor: Executor, agentId: number, userId: number) {
  const [ended] = await executor
    .delete(shares)
    .where(and(eq(shares.agentId, agentId), eq(shares.userId, userId)))
    .returning({ userId: shares.userId })
  if (!ended) throw new ApiError('share_not_found')
  return ended.userId
}
