import { bigserial, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '../../db/columns.ts'
import { assistants } from '../assistants/table.ts'

/** Conversations of a website's visitors with an assistant, through its widget. They go with the assistant. */
export const conversations = pgTable(
  'conversations',
  {
    /** Sealed in what the visitor sends, so that nobody writes into another's conversation. */
    id: uuid('id').primaryKey(),
    assistantId: integer('assistant_id')
      .notNull()
      .references(() => assistants.id, { onDelete: 'cascade' }),
    /** The site that the visitor wrote from first. */
    origin: text('origin'),
    /** The visitor's first message, cut. */
    subject: text('subject').notNull(),
    messages: integer('messages').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    lastMessageAt: timestamptz('last_message_at').notNull(),
  },
  (table) => [
    index('conversations_assistant_last').on(table.assistantId, table.lastMessageAt, table.id),
    index('conversations_last_message_at').on(table.lastMessageAt),
  ],
)

export const conversationRoles = ['visitor', 'assistant'] as const

export const conversationMessages = pgTable(
  'conversation_messages',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    conversationId: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    role: text('role', { enum: conversationRoles }).notNull(),
    content: text('content').notNull(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [index('conversation_messages_conversation').on(table.conversationId, table.id)],
)
