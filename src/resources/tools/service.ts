import { and, asc, desc, eq, exists, inArray, or } from 'drizzle-orm'
import type { z } from 'zod'
import { hasAdminRole } from '../../accounts/account.ts'
import { inScope } from '../../accounts/scope.ts'
import type { AccountContext } from '../../api/context.ts'
import { uuidPattern } from '../../runtime/uuid.ts'
import { assistants, attachesTool } from '../assistants/table.ts'
import { isGlobal, tools } from '../catalogue/table.ts'
import { users } from '../users/table.ts'
import type { ToolQuery } from './schema.ts'

const maxTools = 1000

/** Whose tools are listed: the caller's, or those of `owner_id` for admin roles within what they see. */
async function listedOwner(ctx: AccountContext, ownerId: number | undefined): Promise<number> {
  const { account } = ctx
  if (ownerId === undefined || !hasAdminRole(account)) return account.userId
  if (account.role === 'admin') return ownerId
  const mine = and(eq(users.id, ownerId), eq(users.resellerId, account.resellerId))
  const [owner] = await ctx.db.select({ id: users.id }).from(users).where(mine)
  return owner ? ownerId : account.userId
}

/**
 * Tools that the caller may know of besides: those of accounts that it sees, and those attached to an assistant that it
 * sees. An id alone tells nobody the label of another account's tool.
 */
function known(ctx: AccountContext) {
  const owner = ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, tools.ownerId), inScope(ctx.scope, users)))
  const attached = ctx.db
    .select({ id: assistants.id })
    .from(assistants)
    .where(and(inScope(ctx.scope, assistants), attachesTool(tools.id)))
  return or(exists(owner), exists(attached))
}

/** The tools that an assistant can be given, global ones first (contract: tools 1). */
export async function listToolPicks(ctx: AccountContext, query: z.output<typeof ToolQuery>) {
  const include = (query.include ?? []).filter((id) => uuidPattern.test(id))
  const owner = await listedOwner(ctx, query.owner_id)
  const offered = or(
    isGlobal,
    and(eq(tools.scope, 'own'), eq(tools.ownerId, owner)),
    include.length > 0 ? and(inArray(tools.id, include), known(ctx)) : undefined,
  )
  const rows = await ctx.db
    .select()
    .from(tools)
    .where(offered)
    .orderBy(desc(isGlobal), asc(tools.label), asc(tools.id))
    .limit(maxTools)
  const data = rows.map(({ id, label, description, type, scope, locked }) => ({
    value: id,
    label,
    description,
    type,
    scope,
    locked,
  }))
  return {
    data,
    locked_tool_ids: data.filter(({ locked }) => locked).map(({ value }) => value),
  }
}
