import { and, eq, getTableColumns, getTableName, ilike, ne, or, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Key } from '../../api/paging/cursor.ts'
import { sliceOfList, sortedBy } from '../../api/paging/walk.ts'
import { requireMatch, writeMatched } from '../../api/preconditions/match.ts'
import { contains } from '../../db/contains.ts'
import { deleteNoted, noteDeletions } from '../deletions/deletions.ts'
import { knowledgeFiles } from '../files/table.ts'
import { shares } from '../shares/table.ts'
import { requireAgent } from './access.ts'
import type { Agent, AgentQuery, CreateAgentInput, UpdateAgentInput } from './schema.ts'
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

const folded = { by: sql`lower(${agents.name})`, keyAs: (key: Key) => sql`lower(${key}::text)` }
const moved = ({ updatedAt, lastActivityAt }: AgentRow) => (updatedAt > lastActivityAt ? updatedAt : lastActivityAt)

/** How agents are sorted, and by what of each. */
const orders = {
  activity: {
    ...sortedBy('desc', agents.lastActivityAt, agents.id),
    keysOf: (row: AgentRow) => [row.lastActivityAt.toISOString(), row.id],
  },
  updated: {
    ...sortedBy('desc', sql`greatest(${agents.updatedAt}, ${agents.lastActivityAt})`, agents.id),
    keysOf: (row: AgentRow) => [moved(row).toISOString(), row.id],
  },
  name: { ...sortedBy('asc', folded, agents.name, agents.id), keysOf: (row: AgentRow) => [row.name, row.name, row.id] },
}

/** The caller's own agents and those shared with it (contract: agents 3). */
export async function listAgents(ctx: AccountContext, query: z.output<typeof AgentQuery>) {
  const pattern = query.q ? contains(query.q) : undefined
  const matching =
    pattern === undefined ? undefined : or(ilike(agents.name, pattern), ilike(agents.description, pattern))
  const { userId } = ctx.account
  const { order, after: afterKeys, keysOf } = orders[query.sort ?? 'activity']
  const { rows, ...more } = await sliceOfList(ctx, query, {
    keysOf,
    read({ after, limit, offset }) {
      const asked = and(matching, afterKeys(after))
      // Each from an index of its own, and no more of them than the page can show: "owned or shared" would be asked of
      // every agent there is.
      const own = ctx.db
        .select()
        .from(agents)
        .where(and(eq(agents.ownerId, userId), asked))
      const shared = ctx.db
        .select(getTableColumns(agents))
        .from(shares)
        .innerJoin(agents, eq(agents.id, shares.agentId))
        .where(and(eq(shares.userId, userId), ne(agents.ownerId, userId), asked))
      const first = limit + offset
      const both = unionAll(own.orderBy(...order).limit(first), shared.orderBy(...order).limit(first))
      return ctx.db
        .select()
        .from(both.as(getTableName(agents)))
        .orderBy(...order)
        .limit(limit)
        .offset(offset)
    },
  })
  return { data: rows.map(record), ...more }
}

/** Makes an agent of the caller's (contract: agents 7). */
export async function createAgent(ctx: AccountContext, input: z.output<typeof CreateAgentInput>) {
  const now = ctx.clock.now()
  const agentId = ctx.idempotencyId ?? crypto.randomUUID()
  const { name, description = null, instructions = null } = input
  const times = { createdAt: now, updatedAt: now, lastActivityAt: now }
  const [made] = await ctx.db
    .insert(agents)
    .values({
      agentId,
      ownerId: ctx.account.userId,
      workspaceId: ctx.account.workspaceId,
      name,
      description,
      instructions,
      ...times,
    })
    .onConflictDoNothing({ target: agents.agentId })
    .returning()
  return record(made ?? (await requireAgent(ctx, agentId, 'own')).row)
}

/** One agent (contract: agents 8). Throws 404. */
export async function getAgent(ctx: AccountContext, input: { agent_id: string }) {
  return record((await requireAgent(ctx, input.agent_id)).row)
}

/** What the caller may do with an agent (contract: agents 30). Throws 404. */
export async function getAgentAccess(ctx: AccountContext, input: { agent_id: string }) {
  const { access, mcpAccess } = await requireAgent(ctx, input.agent_id)
  return { access, mcp_access: mcpAccess }
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
    const held = await tx.select({ id: agents.id }).from(agents).where(eq(agents.id, row.id)).for('update')
    if (held.length === 0) throw new ApiError('agent_not_found')
    await requireMatch(ctx, input, tx)
    const ofAgent = eq(knowledgeFiles.agentId, row.id)
    const files = await tx.select({ key: knowledgeFiles.storageKey }).from(knowledgeFiles).where(ofAgent)
    const stored = files.map(({ key }) => key)
    await tx.delete(agents).where(eq(agents.id, row.id))
    await noteDeletions(tx, stored)
    return stored
  })
  await deleteNoted(ctx, keys)
  return row.agentId
}
