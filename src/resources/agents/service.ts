import { and, desc, eq, getTableColumns, getTableName, ilike, ne, or, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { requireMatch, writeMatched } from '../../api/preconditions/match.ts'
import { contains } from '../../db/contains.ts'
import { deleteNoted, noteDeletions } from '../deletions/deletions.ts'
import { shares } from '../shares/table.ts'
import { requireAgent } from './access.ts'
import { pageFrom, sliceOf } from './responses.ts'
import type { Agent, AgentQuery, CreateAgentInput, UpdateAgentInput } from './schema.ts'
import { storedKeys } from './stored-files.ts'
import { type AgentRow, agents } from './table.ts'

const record = (row: AgentRow): z.input<typeof Agent> => ({
  id: row.agentId,
  object: 'agent',
  name: row.name,
  description: row.description,
  instructions: row.instructions,
  memory: row.memory,
  created_at: row.createdAt.toISOString(),
  last_activity_at: row.lastActivityAt.toISOString(),
})

const orders = {
  activity: [desc(agents.lastActivityAt), desc(agents.id)],
  updated: [desc(sql`greatest(${agents.updatedAt}, ${agents.lastActivityAt})`), desc(agents.id)],
  name: [sql`lower(${agents.name})`, agents.name, agents.id],
}

/** The caller's own agents and those shared with it (contract: agents 3). */
export async function listAgents(ctx: AccountContext, query: z.output<typeof AgentQuery>) {
  const pattern = query.q ? contains(query.q) : undefined
  const { limit, offset } = sliceOf(query)
  const matching =
    pattern === undefined ? undefined : or(ilike(agents.name, pattern), ilike(agents.description, pattern))
  const { userId } = ctx.account
  const order = orders[query.sort ?? 'activity']
  // Each from an index of its own, and no more of them than the page can show: "owned or shared" would be asked of every
  // agent there is.
  const own = ctx.db
    .select()
    .from(agents)
    .where(and(eq(agents.ownerId, userId), matching))
  const shared = ctx.db
    .select(getTableColumns(agents))
    .from(shares)
    .innerJoin(agents, eq(agents.id, shares.agentId))
    .where(and(eq(shares.userId, userId), ne(agents.ownerId, userId), matching))
  const first = offset + limit
  const both = unionAll(own.orderBy(...order).limit(first), shared.orderBy(...order).limit(first)).as(
    getTableName(agents),
  )
  const rows = await ctx.db
    .select()
    .from(both)
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
  return pageFrom(rows, query.per_page, record)
}

/** Makes an agent of the caller's (contract: agents 7). */
export async function createAgent(ctx: AccountContext, input: z.output<typeof CreateAgentInput>) {
  const now = ctx.clock.now()
  const agentId = ctx.idempotencyId ?? crypto.randomUUID()
  const { name, description = null, instructions = null } = input
  const times = { createdAt: now, updatedAt: now, lastActivityAt: now }
  const [made] = await ctx.db
    .insert(agents)
    .values({ agentId, ownerId: ctx.account.userId, name, description, instructions, ...times })
    .onConflictDoNothing({ target: agents.agentId })
    .returning()
  return record(made ?? (await requireAgent(ctx, agentId, 'own')).row)
}

/** One agent (contract: agents 8). Throws 404. */
export async function getAgent(ctx: AccountContext, input: { agent_id: string }) {
  return record((await requireAgent(ctx, input.agent_id)).row)
}

/** Changes what is sent; null clears (contract: agents 9). Throws 404, 403 without edit access. */
export async function updateAgent(ctx: AccountContext, input: z.output<typeof UpdateAgentInput>) {
  const { row } = await requireAgent(ctx, input.agent_id, 'edit')
  const { name, description, instructions } = input
  if (name === undefined && description === undefined && instructions === undefined) {
    await requireMatch(ctx, input)
    return record(row)
  }
  const mine = eq(agents.id, row.id)
  const [changed] = await writeMatched(
    ctx,
    input,
    (tx) => tx.select({ id: agents.id }).from(agents).where(mine).for('update'),
    (executor) =>
      executor
        .update(agents)
        .set({ name, description, instructions, updatedAt: ctx.clock.now() })
        .where(mine)
        .returning(),
  )
  if (!changed) throw new ApiError('agent_not_found')
  return record(changed)
}

/** Deletes an agent with everything in it (contract: agents 10). Throws 404, 403 for anyone but its owner. */
export async function deleteAgent(ctx: AccountContext, input: { agent_id: string }) {
  const { row } = await requireAgent(ctx, input.agent_id, 'own')
  const keys = await ctx.db.transaction(async (tx) => {
    await tx.select({ id: agents.id }).from(agents).where(eq(agents.id, row.id)).for('update')
    await requireMatch(ctx, input, tx)
    const stored = await storedKeys(tx, row.id)
    await tx.delete(agents).where(eq(agents.id, row.id))
    await noteDeletions(tx, stored)
    return stored
  })
  await deleteNoted(ctx, keys)
  return row.agentId
}
