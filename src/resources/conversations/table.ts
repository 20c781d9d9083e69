import { bigserial, foreignKey, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestamptz, workspaceKey } from '../../db/columns.ts'
import { assistants } from '../assistants/table.ts'

/** Conversations of a website's visitors with an assistant, through its widget. They go with the assistant. */
export const conversations = pgTable(
  'conversations',
  {
    /** Sealed in what the visitor sends, so that nobody writes into another's conversation. */
    id: uuid('id').primaryKey(),
    assistantId: integer('assistant_id').notNull(),
    /** Its assistant's. */
    workspaceId: workspaceKey(),
    /** The site that the visitor wrote from first. */
    origin: text('origin'),
    /** The visitor's first message, cut. */
    subject: text('subject').notNull(),
    messages: integer('messages').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    lastMessageAt: timestamptz('last_message_at').notNull(),
  },
  (table) => [
    foreignKey({
      name: 'conversations_assistant',
      columns: [table.assistantId, table.workspaceId],
      foreignColumns: [assistants.id, assistants.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    uniqueIndex('conversations_workspace').on(table.workspaceId, table.id),
    index('conversations_assistant_last').on(table.assistantId, table.lastMessageAt, table.id),
    index('conversations_last_message_at').on(table.lastMessageAt),
  ],
)

export const conversationRoles = ['visitor', 'assistant'] as const

export const conversationMessages = pgTable(
  'conversation_messages',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    conversationId: uuid('conversation_id').notNull(),
    /** Its conversation's. */
    workspaceId: workspaceKey(),
    role: text('role', { enum: conversationRoles }).notNull(),
    content: text('content').notNull(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    foreignKey({
      name: 'conversation_messages_of',
      columns: [table.conversationId, table.workspaceId],
      foreignColumns: [conversations.id, conversations.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('conversation_messages_conversation').on(table.conversationId, table.id),
  ],
)
