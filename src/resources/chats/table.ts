import { bigint, foreignKey, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestamps, timestamptz, workspaceKey } from '../../db/columns.ts'
import { agents } from '../agents/table.ts'
import { tokens } from '../tokens/table.ts'

/** Threads of an agent, each seen by the token that made it and no other. */
export const chats = pgTable(
  'chats',
  {
    id: uuid('id').primaryKey(),
    agentId: integer('agent_id').notNull(),
    /** Its agent's, whoever talks to that. */
    workspaceId: workspaceKey(),
    tokenId: integer('token_id')
      .notNull()
      .references(() => tokens.id),
    title: text('title').notNull(),
    model: text('model').notNull(),
    lastMessageAt: timestamptz('last_message_at'),
    /** Creation, then the last message: what lists are ordered by. */
    lastActivityAt: timestamptz('last_activity_at').notNull(),
    /** What was said in the messages up to `summaryUntil`; a turn reads it in their place. */
    summary: text('summary'),
    summaryUntil: bigint('summary_until', { mode: 'number' }),
    /** When it was last worked on, whatever became of that. */
    summaryTriedAt: timestamptz('summary_tried_at'),
    ...timestamps(),
  },
  (table) => [
    foreignKey({
      name: 'chats_of_agent',
      columns: [table.agentId, table.workspaceId],
      foreignColumns: [agents.id, agents.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    uniqueIndex('chats_workspace').on(table.workspaceId, table.id),
    index('chats_token_agent_activity').on(
      table.tokenId,
      table.agentId,
      table.lastActivityAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    index('chats_agent').on(table.agentId),
  ],
)

/** A chat as it is stored. */
export type ChatRow = typeof chats.$inferSelect
