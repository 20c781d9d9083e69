import { and, asc, desc, eq, inArray, or } from 'drizzle-orm'
import type { z } from 'zod'
import { hasAdminRole } from '../../accounts/account.ts'
import type { AccountContext } from '../../api/context.ts'
import { tools } from '../catalogue/table.ts'
import { users } from '../users/table.ts'
import type { ToolQuery } from './schema.ts'

const mostTools = 1000

/** Whose tools are listed: the caller's, or those of `owner_id` for admin roles within what they see. */
async function listedOwner(ctx: AccountContext, ownerId: number | undefined): Promise<number> {
  const { account } = ctx
  if (ownerId === undefined || !hasAdminRole(account)) return account.userId
  if (account.role === 'admin') return ownerId
  const mine = and(eq(users.id, ownerId), eq(users.resellerId, account.resellerId))
  const [owner] = await ctx.db.select({ id: users.id }).from(users).where(mine)
  return owner ? ownerId : account.userId
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The tools that an assistant can be given, global ones first (contract: tools 1). */
export async function listToolPicks(ctx: AccountContext, query: z.output<typeof ToolQuery>) {
  const include = (query.include ?? []).filter((id) => uuid.test(id))
  const owner = await listedOwner(ctx, query.owner_id)
  const offered = or(
    eq(tools.scope, 'global'),
    and(eq(tools.scope, 'own'), eq(tools.ownerId, owner)),
    include.length > 0 ? inArray(tools.id, include) : undefined,
  )
  const rows = await ctx.db
    .select()
    .from(tools)
    .where(offered)
    .orderBy(desc(eq(tools.scope, 'global')), asc(tools.label), asc(tools.id))
    .limit(mostTools)
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
