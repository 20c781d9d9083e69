import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { violationOf } from '../../db/violations.ts'
import { ofAgent, requireAgent } from '../agents/access.ts'
import { agents } from '../agents/table.ts'
import { shares } from '../shares/table.ts'
import { liveTools } from './live-tools.ts'
import { countsOnAgent, shareOfOwner } from './on-agent.ts'
import type { AgentConnector, EnableConnectorInput, EnableToolInput } from './schema.ts'
import { agentConnectors, connectors } from './table.ts'

type Row = typeof connectors.$inferSelect
type Link = typeof agentConnectors.$inferSelect

interface Joined {
  connector: Row
  link: Link | null
}

const maxListed = 200

/** The connectors that matter to an agent: the caller's own, the global ones, and what is enabled on it. */
async function connectorsOf(ctx: AccountContext, agentId: number, uid?: string): Promise<Joined[]> {
  const own = and(eq(connectors.ownerId, ctx.account.userId), eq(connectors.scope, 'own'))
  const offered = or(own, eq(connectors.scope, 'global'))
  const available = and(eq(connectors.active, true), offered)
  // Each from an index of its own: "offered or enabled" would be asked of every connector there is.
  const links = ctx.db
    .select({ id: agentConnectors.connectorId })
    .from(agentConnectors)
    .where(eq(agentConnectors.agentId, agentId))
  const candidates = unionAll(ctx.db.select({ id: connectors.id }).from(connectors).where(offered), links)
  return ctx.db
    .select({ connector: connectors, link: agentConnectors })
    .from(connectors)
    .innerJoin(agents, eq(agents.id, agentId))
    .leftJoin(shares, shareOfOwner)
    .leftJoin(
      agentConnectors,
      and(eq(agentConnectors.connectorId, connectors.id), eq(agentConnectors.agentId, agentId), countsOnAgent),
    )
    .where(
      and(
        uid ? eq(connectors.uid, uid) : inArray(connectors.id, candidates),
        or(available, eq(agentConnectors.enabled, true)),
      ),
    )
    .orderBy(asc(connectors.name), asc(connectors.id))
    .limit(maxListed)
}

/**
 * The address of a connector as somebody sees it. Many tool servers take their key in the path or the query: of what
 * another user registered for themselves the origin is shown, of what an operator gave to everybody all but user info
 * and query.
 */
function shownAddress({ ownerId, scope, serverUrl }: Row, userId: number): string {
  if (ownerId === userId) return serverUrl
  const { origin, pathname, username, password, search, hash } = new URL(serverUrl)
  if (scope !== 'global') return origin
  return username || password || search || hash ? origin + pathname : serverUrl
}

async function entryOf(ctx: AccountContext, { connector, link }: Joined): Promise<z.input<typeof AgentConnector>> {
  const { uid, name, description, knownTools } = connector
  const common = { uid, name, description, server_url: shownAddress(connector, ctx.account.userId) }
  if (!link?.enabled) return { ...common, enabled: false, tools_count: knownTools.length }
  const live = await liveTools(ctx, connector, { now: true })
  const tools = (live ?? []).map((tool) => ({
    name: tool.name,
    description: tool.description,
    enabled: !link.disabledTools.includes(tool.name),
  }))
  return {
    ...common,
    enabled: true,
    reachable: live !== undefined,
    tools_count: live ? tools.length : knownTools.length,
    tools,
  }
}

/** An agent's connectors, those enabled with their live tools (contract: connectors 5). Throws 404. */
export async function listAgentConnectors(ctx: AccountContext, input: { agent_id: string }) {
  const { row: agent } = await requireAgent(ctx, input.agent_id)
  const joined = await connectorsOf(ctx, agent.id)
  return await Promise.all(joined.map((one) => entryOf(ctx, one)))
}

async function requireConnector(ctx: AccountContext, agentId: number, uid: string): Promise<Joined> {
  const [joined] = await connectorsOf(ctx, agentId, uid)
  if (!joined) throw new ApiError('connector_not_found')
  return joined
}

const said = (name: string, enabled: boolean) => `"${name}" ${enabled ? 'enabled' : 'disabled'} for this agent.`

/** Switches a connector on or off for an agent (contract: connectors 7). Throws 404, 403 without edit access. */
export async function enableConnector(ctx: AccountContext, input: z.output<typeof EnableConnectorInput>) {
  const { row: agent } = await requireAgent(ctx, input.agent_id, 'edit')
  const { connector } = await requireConnector(ctx, agent.id, input.connector_id)
  const { enabled } = input
  if (!connector.active) throw new ApiError('connector_not_found')
  const insert = ctx.db
    .insert(agentConnectors)
    .values({ agentId: agent.id, workspaceId: agent.workspaceId, connectorId: connector.id, enabled })
    .onConflictDoUpdate({ target: [agentConnectors.agentId, agentConnectors.connectorId], set: { enabled } })
  await ofAgent(insert).catch((error: unknown) => {
    // Deleted since it was looked up.
    const isGone = violationOf(error)?.constraint === 'agent_connectors_connector_id_connectors_id_fk'
    throw isGone ? new ApiError('connector_not_found', { cause: error }) : error
  })
  return { message: said(connector.name, enabled), data: { uid: connector.uid, enabled } }
}

/**
 * Switches one tool of an enabled connector on or off (contract: connectors 9). Throws 404, 403 without edit access.
 */
export async function enableTool(ctx: AccountContext, input: z.output<typeof EnableToolInput>) {
  const { row: agent } = await requireAgent(ctx, input.agent_id, 'edit')
  const { connector, link } = await requireConnector(ctx, agent.id, input.connector_id)
  if (!link?.enabled) throw new ApiError('connector_not_found')
  const { tool_name: name, enabled } = input
  const tools = (await liveTools(ctx, connector)) ?? connector.knownTools
  if (!tools.some((tool) => tool.name === name)) throw new ApiError('tool_not_found')
  const { disabledTools } = agentConnectors
  const others = sql`${disabledTools} - ${name}::text`
  await ctx.db
    .update(agentConnectors)
    .set({ disabledTools: enabled ? others : sql`(${others}) || ${JSON.stringify([name])}::jsonb` })
    .where(and(eq(agentConnectors.agentId, agent.id), eq(agentConnectors.connectorId, connector.id)))
  return { message: said(name, enabled), data: { uid: connector.uid, name, enabled } }
}
