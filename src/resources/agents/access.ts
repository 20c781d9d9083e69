import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Transaction } from '../../db/client.ts'
import { preparedSelect } from '../../db/prepared/statement.ts'
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

/** An agent as it is read, with the caller's share in it. */
export interface FoundAgent extends AgentRow {
  access: 'view' | 'edit' | null
  mcpAccess: boolean | null
}

/** What is read of an agent and of the share that `ownShare` finds. */
export const agentColumns = { ...getTableColumns(agents), access: shares.access, mcpAccess: shares.mcpAccess }

/** The share of the user that the statement is given as `userId`. */
export const ownShare = and(eq(shares.agentId, agents.id), eq(shares.userId, sql.placeholder('userId')))

const findAgent = preparedSelect<FoundAgent>(agentColumns, (executor) =>
  executor
    .select(agentColumns)
    .from(agents)
    .leftJoin(shares, ownShare)
    .where(eq(agents.agentId, sql.placeholder('agentId'))),
)

/** What the caller may do with an agent that was read. Throws 404 without any access. */
export function accessTo(ctx: AccountContext, found: FoundAgent | undefined): AccessibleAgent {
  const { access: shared, mcpAccess, ...row } = found ?? { access: null, mcpAccess: null }
  const access = 'id' in row && row.ownerId === ctx.account.userId ? 'own' : shared
  if (!('id' in row) || !access) throw new ApiError('agent_not_found')
  return { row, access, mcpAccess: access === 'own' || mcpAccess === true }
}

/**
 * An agent that the caller may use as `need` says (contract: agents 11).
 * Throws 404 'Agent not found.' without any access, 403 with too little.
 */
export async function requireAgent(
  ctx: AccountContext,
  agentId: string,
  need: AgentAccess = 'view',
): Promise<AccessibleAgent> {
  const [found] = await findAgent(ctx.db, { agentId, userId: ctx.account.userId })
  const agent = accessTo(ctx, found)
  if (ranks[agent.access] < ranks[need]) throw new ApiError(need === 'own' ? 'agent_owner_only' : 'agent_edit_denied')
  return agent
}

/** An agent that the caller may talk to (contract: agents 13). Throws 403 without MCP access. */
export function requireMcp(agent: AccessibleAgent): AccessibleAgent {
  if (!agent.mcpAccess) throw new ApiError('agent_mcp_denied')
  return agent
}

/** Loads an agent that the caller may talk to, by its id. Throws 404, 403 without MCP access. */
export const requireTalk = async (ctx: AccountContext, agentId: string): Promise<AccessibleAgent> =>
  requireMcp(await requireAgent(ctx, agentId))

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

/**
 * Keeps an agent from being deleted until `tx` ends; call it before other rows of the agent are locked. Throws 404 when
 * it is gone.
 */
export async function lockAgent(tx: Transaction, id: number): Promise<void> {
  const held = await tx.select({ id: agents.id }).from(agents).where(eq(agents.id, id)).for('key share')
  if (held.length === 0) throw new ApiError('agent_not_found')
}
