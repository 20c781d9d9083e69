import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { pageOfList, rowsOf, sortedBy } from '../../api/paging/walk.ts'
import { writeMatched } from '../../api/preconditions/match.ts'
import type { Executor } from '../../db/client.ts'
import { requireAssistant } from '../assistants/read/record.ts'
import type { Conversation, ConversationListInput, ConversationMessagesInput, ConversationPath } from './schema.ts'
import { conversationMessages, conversations } from './table.ts'

type Row = typeof conversations.$inferSelect

const conversationOf = (row: Row): z.input<typeof Conversation> => ({
  id: row.id,
  subject: row.subject,
  origin: row.origin,
  messages_count: row.messages,
  created_at: row.createdAt.toISOString(),
  last_message_at: row.lastMessageAt.toISOString(),
})

/** A conversation with an assistant of the caller's accounts. Throws 404 for either, 403 for a viewer that writes. */
async function requireConversation(ctx: AccountContext, path: z.output<typeof ConversationPath>): Promise<Row> {
  const { id } = await requireAssistant(ctx, path.assistantId)
  const [row] = await ctx.db
    .select()
    .from(conversations)
    .where(and(eq(conversations.id, path.conversationId), eq(conversations.assistantId, id)))
  if (!row) throw new ApiError('conversation_not_found')
  return row
}

const latestFirst = sortedBy('desc', conversations.lastMessageAt, conversations.id)
const inOrder = sortedBy('asc', conversationMessages.id)

/** What visitors wrote to an assistant, the latest first (contract: conversations 2). Throws 404. */
export async function listConversations(ctx: AccountContext, query: z.output<typeof ConversationListInput>) {
  const { id } = await requireAssistant(ctx, query.assistantId)
  const mine = eq(conversations.assistantId, id)
  const list = { table: conversations, key: conversations.id, where: mine, sorted: latestFirst }
  const { rows, pagination } = await pageOfList(ctx, query, {
    read: (window) =>
      ctx.db
        .select()
        .from(conversations)
        .where(rowsOf(list, window))
        .orderBy(...latestFirst.order)
        .limit(window.limit),
    keysOf: (row) => [row.lastMessageAt.toISOString(), row.id],
    total: () => ctx.db.$count(conversations, mine),
  })
  return { data: rows.map(conversationOf), pagination }
}

/** One conversation without its messages. Throws 404. */
export async function getConversation(ctx: AccountContext, path: z.output<typeof ConversationPath>) {
  return conversationOf(await requireConversation(ctx, path))
}

/** The messages of a conversation, the first one first (contract: conversations 3). Throws 404. */
export async function listConversationMessages(ctx: AccountContext, query: z.output<typeof ConversationMessagesInput>) {
  const { id, messages } = await requireConversation(ctx, query)
  const { rows, pagination } = await pageOfList(ctx, query, {
    read: ({ after, limit, offset }) =>
      ctx.db
        .select()
        .from(conversationMessages)
        .where(and(eq(conversationMessages.conversationId, id), inOrder.after(after)))
        .orderBy(...inOrder.order)
        .limit(limit)
        .offset(offset),
    keysOf: (row) => [row.id],
    total: async () => messages,
  })
  const data = rows.map(({ id, role, content, createdAt }) => ({
    id,
    role,
    content,
    created_at: createdAt.toISOString(),
  }))
  return { data, pagination }
}

/** Deletes a conversation with all its messages (contract: conversations 4). Throws 404, 403 for viewers, 412. */
export async function deleteConversation(ctx: AccountContext, path: z.output<typeof ConversationPath>) {
  const { id } = await requireConversation(ctx, path)
  const own = eq(conversations.id, id)
  const lock = (tx: Executor) => tx.select({ id: conversations.id }).from(conversations).where(own).for('update')
  const deleted = await writeMatched(ctx, path, lock, (executor) =>
    executor.delete(conversations).where(own).returning({ id: conversations.id }),
  )
  if (deleted.length === 0) throw new ApiError('conversation_not_found')
}
