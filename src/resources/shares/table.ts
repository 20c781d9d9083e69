import { boolean, foreignKey, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { timestamps, workspaceKey } from '../../db/columns.ts'
import { agents } from '../agents/table.ts'
import { users } from '../users/table.ts'

export const shareAccess = ['view', 'edit'] as const
export type ShareAccess = (typeof shareAccess)[number]

/** Who else may use an agent (contract: agents 15). */
export const shares = pgTable(
  'agent_shares',
  {
    agentId: integer('agent_id').notNull(),
    /** Its agent's. */
    workspaceId: workspaceKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    access: text('access').$type<ShareAccess>().notNull(),
    /** Without it, the agent can be seen but not talked to. */
    mcpAccess: boolean('mcp_access').notNull().default(true),
    ...timestamps(),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.userId] }),
    foreignKey({
      name: 'agent_shares_agent',
      columns: [table.agentId, table.workspaceId],
      foreignColumns: [agents.id, agents.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('agent_shares_user').on(table.userId, table.agentId),
  ],
)
