import { and, eq, or } from 'drizzle-orm'
import { agents } from '../agents/table.ts'
import { shares } from '../shares/table.ts'
import { connectors } from './table.ts'

/** Joins the share that the owner of a connector has of an agent. */
export const shareOfOwner = and(eq(shares.agentId, agents.id), eq(shares.userId, connectors.ownerId))

/**
 * Whether a connector counts on an agent, beside `shareOfOwner`: what a user has enabled of their own ends with what let
 * them enable it (contract: connectors 11).
 */
export const countsOnAgent = or(
  eq(connectors.scope, 'global'),
  eq(connectors.ownerId, agents.ownerId),
  eq(shares.access, 'edit'),
)
