import { bigint, foreignKey, index, integer, pgTable, serial, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestamps, timestamptz, workspaceKey } from '../../db/columns.ts'
import { users } from '../users/table.ts'

/** Conversational agents. `id` is internal: knowledge files carry it as `project_id`. */
export const agents = pgTable(
  'agents',
  {
    id: serial('id').primaryKey(),
    /** The public id used in paths. */
    agentId: uuid('agent_id').notNull().unique(),
    ownerId: integer('owner_id').notNull(),
    /** Its owner's. */
    workspaceId: workspaceKey(),
    name: text('name').notNull(),
    description: text('description'),
    instructions: text('instructions'),
    /** Dated bullets, written by the server only. */
    memory: text('memory'),
    /** The last message that the memory was made from. */
    memoryMessageId: bigint('memory_message_id', { mode: 'number' }).notNull().default(0),
    memoryTriedAt: timestamptz('memory_tried_at'),
    /** Turns since the memory was last looked after. */
    memoryTurns: integer('memory_turns').notNull().default(0),
    /** Moved by creation and turns; "most recently active" means this. */
    lastActivityAt: timestamptz('last_activity_at').notNull(),
    ...timestamps(),
  },
  (table) => [
    foreignKey({
      name: 'agents_owner',
      columns: [table.ownerId, table.workspaceId],
      foreignColumns: [users.id, users.workspaceId],
    }).onUpdate('cascade'),
    uniqueIndex('agents_workspace').on(table.workspaceId, table.id),
    index('agents_owner_activity').on(
      table.ownerId,
      table.lastActivityAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
  ],
)

/** An agent as it is stored. */
export type AgentRow = typeof agents.$inferSelect

/** What tells whether it is time to look at what was said to an agent. */
export const memoryTimes = {
  memoryTriedAt: agents.memoryTriedAt,
  memoryTurns: agents.memoryTurns,
  createdAt: agents.createdAt,
  lastActivityAt: agents.lastActivityAt,
}

/** What `memoryTimes` selects, of one agent. */
export type MemoryTimes = Pick<AgentRow, keyof typeof memoryTimes>
