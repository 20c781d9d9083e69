import { and, eq, or, sql } from 'drizzle-orm'
import { agents } from '../agents/table.ts'
import { shares } from '../shares/table.ts'
import { users } from '../users/table.ts'
import { connectors } from './table.ts'

const isActive = sql`exists (
  select 1 from ${users} where ${users.id} = ${connectors.ownerId} and ${eq(users.status, 'active')})`

/** Joins the share that the owner of a connector has of an agent; one who is suspended has none. */
export const shareOfOwner = and(eq(shares.agentId, agents.id), eq(shares.userId, connectors.ownerId), isActive)

/**
 * Whether a connector counts on an agent, beside `shareOfOwner`: what a user has enabled of their own ends with what
 * let them enable it (contract: connectors 11).
 */
export const countsOnAgent = or(
  eq(connectors.scope, 'global'),
  eq(connectors.ownerId, agents.ownerId),
  eq(shares.access, 'edit'),
)
