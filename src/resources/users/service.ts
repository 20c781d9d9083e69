import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { type Feature, features } from '../../accounts/account.ts'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { violationsAs } from '../../api/errors/not-existing.ts'
import { makeOnce } from '../../api/idempotency/once.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import { recordAudit } from '../audit/record.ts'
import { lockWorkspaces } from '../references/lock-workspaces.ts'
import { requireToolsUnused } from '../tools/in-use.ts'
import { requireToolsAtHome } from '../tools/moving.ts'
import { firstMembership, nextMembership, settleOwnership } from './membership.ts'
import { protectOperators } from './operators.ts'
import { userRecord } from './record.ts'
import type { CreateUserInput, UpdateUserInput } from './schema.ts'
import { users } from './table.ts'

/** The fields that the users' constraints speak of. */
const constraints = { users_email: 'email' }

/** Each once, in the order in which they are documented. */
const distinct = (named: readonly Feature[]): Feature[] => features.filter((feature) => named.includes(feature))

/**
 * Makes a user, in a workspace of its own unless one is named (contract: accounts 19).
 * Throws 422 for an e-mail address that somebody has, and for references that do not exist.
 */
export async function createUser(ctx: AccountContext, input: z.output<typeof CreateUserInput>) {
  const now = ctx.clock.now()
  const create = makeOnce(ctx, async (tx) => {
    const membership = await firstMembership(tx, ctx, input, now)
    const [row] = await tx
      .insert(users)
      .values({
        name: input.name,
        email: input.email,
        role: input.role ?? 'user',
        ...membership,
        features: distinct(input.features ?? features),
        assistantQuota: input.assistant_quota ?? null,
        emailVerifiedAt: input.email_verified === false ? null : now,
        createdAt: now,
        updatedAt: now,
      })
      .returning()
    if (!row) throw new ApiError('internal_error')
    await settleOwnership(tx, row.id, { to: membership, first: input.workspace_id === undefined, now })
    const after = userRecord(row, ctx.settings)
    await recordAudit(tx, ctx, { action: 'created', subject: { kind: 'user', id: row.id }, after })
    return after
  })
  return await violationsAs(constraints, create)
}

/** When an e-mail address counts as verified after a change: the first time stays. */
function verifiedAt(stored: Date | null, verified: boolean | undefined, now: Date): Date | null {
  if (verified === undefined) return stored
  return verified ? (stored ?? now) : null
}

/**
 * Changes a user; what is left out stays (contract: accounts 20). It acts at once: a suspended
 * user's tokens are refused from now on. Throws 404, 422 as in `createUser`, `protectOperators`, `requireToolsUnused`
 * and `requireToolsAtHome`.
 */
export async function updateUser(ctx: AccountContext, input: z.output<typeof UpdateUserInput>) {
  const now = ctx.clock.now()
  const update = ctx.db.transaction(async (tx) => {
    await protectOperators(tx, ctx, input)
    const [stored] = await tx.select().from(users).where(eq(users.id, input.id)).for('no key update')
    if (!stored) throw new ApiError('user_not_found')
    await requireMatch(ctx, input, tx)
    const membership = await nextMembership(tx, stored, input)
    const moves = membership.workspaceId !== stored.workspaceId
    if (moves) await lockWorkspaces(tx, [stored.workspaceId, membership.workspaceId], 'no key update')
    const moved = moves ? await requireToolsUnused(tx, stored) : []
    const [row] = await tx
      .update(users)
      .set({
        name: input.name,
        email: input.email,
        role: input.role,
        status: input.status,
        ...membership,
        features: input.features && distinct(input.features),
        assistantQuota: input.assistant_quota,
        emailVerifiedAt: verifiedAt(stored.emailVerifiedAt, input.email_verified, now),
        updatedAt: now,
      })
      .where(eq(users.id, input.id))
      .returning()
    if (!row) throw new ApiError('user_not_found')
    const joins = input.workspace_id !== undefined || input.workspace_role !== undefined
    if (joins) await settleOwnership(tx, row.id, { from: stored.workspaceId, to: membership, now })
    await requireToolsAtHome(tx, membership.workspaceId, moved)
    const [before, after] = [userRecord(stored, ctx.settings), userRecord(row, ctx.settings)]
    await recordAudit(tx, ctx, { action: 'updated', subject: { kind: 'user', id: row.id }, before, after })
    return after
  })
  const data = await violationsAs(constraints, update)
  await ctx.invalidateAccounts()
  return data
}
