import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { timestamps, workspaceKey } from '../../db/columns.ts'
import { agents } from '../agents/table.ts'
import { users } from '../users/table.ts'

export const connectorScopes = ['own', 'global'] as const
export type ConnectorScope = (typeof connectorScopes)[number]

/** A tool as it was last seen, so that counts survive an outage of its server. */
export interface KnownTool {
  name: string
  description: string
}

/** External tool servers: a user's own, and those that operators offer to everyone. */
export const connectors = pgTable(
  'connectors',
  {
    id: serial('id').primaryKey(),
    uid: uuid('uid').notNull().unique(),
    ownerId: integer('owner_id').notNull(),
    /** Its owner's, of one that is offered to everyone, too. */
    workspaceId: workspaceKey(),
    scope: text('scope').$type<ConnectorScope>().notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    serverUrl: text('server_url').notNull(),
    /** Sealed JSON; never returned. */
    headers: text('headers'),
    active: boolean('active').notNull(),
    knownTools: jsonb('known_tools').$type<KnownTool[]>().notNull().default([]),
    ...timestamps(),
  },
  (table) => [
    foreignKey({
      name: 'connectors_owner',
      columns: [table.ownerId, table.workspaceId],
      foreignColumns: [users.id, users.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('connectors_owner_id').on(table.ownerId),
    index('connectors_scope').on(table.scope),
  ],
)

/** Which connectors an agent uses; tools that are not named as disabled are enabled, new ones too. */
export const agentConnectors = pgTable(
  'agent_connectors',
  {
    agentId: integer('agent_id').notNull(),
    /** Its agent's. */
    workspaceId: workspaceKey(),
    connectorId: integer('connector_id')
      .notNull()
      .references(() => connectors.id, { onDelete: 'cascade' }),
    enabled: boolean('enabled').notNull(),
    disabledTools: jsonb('disabled_tools').$type<string[]>().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.connectorId] }),
    foreignKey({
      name: 'agent_connectors_agent',
      columns: [table.agentId, table.workspaceId],
      foreignColumns: [agents.id, agents.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('agent_connectors_connector_id').on(table.connectorId),
  ],
)
