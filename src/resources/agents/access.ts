import { and, eq, sql } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import { violationOf } from '../../db/violations.ts'
import { shares } from '../shares/table.ts'
import { type AgentRow, agents } from './table.ts'

/** What a caller may do with an agent: only ownership and shares count, for admins too (contract: accounts 10). */
export type AgentAccess = 'view' | 'edit' | 'own'

/** An agent that the caller may see. */
export interface AccessibleAgent {
  row: AgentRow
  access: AgentAccess
  /** Whether the caller may talk to it. */
  mcpAccess: boolean
}

const ranks: Record<AgentAccess, number> = { view: 0, edit: 1, own: 2 }

const findAgent = preparedQuery('agents_find', (db, name) =>
  db
    .select({ row: agents, access: shares.access, mcpAccess: shares.mcpAccess })
    .from(agents)
    .leftJoin(shares, and(eq(shares.agentId, agents.id), eq(shares.userId, sql.placeholder('userId'))))
    .where(eq(agents.agentId, sql.placeholder('agentId')))
    .prepare(name),
)

/**
 * An agent that the caller may use as `need` says (contract: agents 11).
 * Throws 404 'Agent not found.' without any access, 403 with too little.
 */
export async function requireAgent(
  ctx: AccountContext,
  agentId: string,
  need: AgentAccess = 'view',
): Promise<AccessibleAgent> {
  const { userId } = ctx.account
  const [found] = await findAgent(ctx.db).execute({ agentId, userId })
  const access = found?.row.ownerId === userId ? 'own' : found?.access
  if (!found || !access) throw new ApiError('agent_not_found')
  if (ranks[access] < ranks[need]) throw new ApiError(need === 'own' ? 'agent_owner_only' : 'agent_edit_denied')
  return { row: found.row, access, mcpAccess: access === 'own' || found.mcpAccess === true }
}

/** An agent that the caller may talk to. Throws 404, 403 without MCP access (contract: agents 13). */
export async function requireTalk(ctx: AccountContext, agentId: string): Promise<AccessibleAgent> {
  const agent = await requireAgent(ctx, agentId)
  if (!agent.mcpAccess) throw new ApiError('agent_mcp_denied')
  return agent
}

/** Gives an insert for an agent that was deleted since it was looked up the same 404 as for one that is gone. */
export async function ofAgent<T>(insert: PromiseLike<T>): Promise<T> {
  try {
    return await insert
  } catch (error) {
    const broken = violationOf(error)
    const isGone = broken?.kind === 'reference' && broken.constraint.endsWith('agent')
    throw isGone ? new ApiError('agent_not_found', { cause: error }) : error
  }
}
