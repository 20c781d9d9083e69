import { and, asc, desc, eq, inArray, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { hasAdminRole } from '../../accounts/account.ts'
import { inScope } from '../../accounts/scope.ts'
import type { AccountContext } from '../../api/context.ts'
import { assistants } from '../assistants/table.ts'
import { tools } from '../catalogue/table.ts'
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
  const owners = ctx.db.select({ id: users.id }).from(users).where(inScope(ctx.scope, users))
  const attached = ctx.db
    .select({ id: sql<string>`jsonb_array_elements_text(${assistants.live} #> '{model,toolIds}')` })
    .from(assistants)
    .where(and(inScope(ctx.scope, assistants), sql`jsonb_typeof(${assistants.live} #> '{model,toolIds}') = 'array'`))
  return or(inArray(tools.ownerId, owners), inArray(sql`${tools.id}::text`, attached))
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The tools that an assistant can be given, global ones first (contract: tools 1). */
export async function listToolPicks(ctx: AccountContext, query: z.output<typeof ToolQuery>) {
  const include = (query.include ?? []).filter((id) => uuid.test(id))
  const owner = await listedOwner(ctx, query.owner_id)
  const offered = or(
    eq(tools.scope, 'global'),
    and(eq(tools.scope, 'own'), eq(tools.ownerId, owner)),
    include.length > 0 ? and(inArray(tools.id, include), known(ctx)) : undefined,
  )
  const rows = await ctx.db
    .select()
    .from(tools)
    .where(offered)
    .orderBy(desc(eq(tools.scope, 'global')), asc(tools.label), asc(tools.id))
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
