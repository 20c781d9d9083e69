import { sql } from 'drizzle-orm'
import { bigserial, boolean, foreignKey, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestamptz, workspaceKey } from '../../db/columns.ts'
import type { ToolUse } from '../../language-model/tool-uses.ts'
import type { Wallet } from '../billing/wallet.ts'
import { chats } from '../chats/table.ts'

export const messageRoles = ['system', 'user', 'assistant'] as const
export type MessageRole = (typeof messageRoles)[number]

/** A source of a reply: a file, and the heading in it. */
export interface Citation {
  file: string
  heading: string | null
}

/** How a reply came to be: what the response to the turn says besides its texts. */
export interface Generation {
  usage: { promptTokens: number; completionTokens: number }
  finishReason: 'stop' | 'length' | 'content_filter'
  toolsUsed: string[]
  wallet: Wallet
  /** What tools gave, where some were called, and the sources that the reply names. */
  toolUses?: ToolUse[]
  citations?: Citation[]
  /** Pairs that the caller of a completion gave. */
  metadata?: Record<string, string>
  /** Asked for under an Idempotency-Key or with wishes of its caller: no equal message gets this reply. */
  isOwn?: true
}

/** Messages of a thread, in the order of their ids. */
export const messages = pgTable(
  'messages',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    chatId: uuid('chat_id').notNull(),
    /** Its chat's. */
    workspaceId: workspaceKey(),
    /** The turn that stored it. */
    turnId: uuid('turn_id').notNull(),
    role: text('role').$type<MessageRole>().notNull(),
    content: text('content').notNull(),
    /** Said by somebody who could edit the agent then, so that its memory may be made from it (contract: agents 24). */
    memorable: boolean('memorable').notNull().default(false),
    /** Set on generated replies only. */
    model: text('model'),
    generation: jsonb('generation').$type<Generation>(),
    /**
     * Set on a reply whose client went away before it got the response: the same request again finds it by this hash.
     */
    undelivered: text('undelivered'),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    foreignKey({
      name: 'messages_of_chat',
      columns: [table.chatId, table.workspaceId],
      foreignColumns: [chats.id, chats.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('messages_chat').on(table.chatId, table.id),
    index('messages_system').on(table.chatId, table.id).where(sql`${table.role} = 'system'`),
    // The replies of a time are counted.
    index('messages_replies').on(table.chatId, table.createdAt).where(sql`${table.model} is not null`),
    uniqueIndex('messages_turn_reply').on(table.turnId).where(sql`${table.model} is not null`),
    index('messages_undelivered').on(table.undelivered).where(sql`${table.undelivered} is not null`),
  ],
)

/** A message as it is stored. */
export type MessageRow = typeof messages.$inferSelect
