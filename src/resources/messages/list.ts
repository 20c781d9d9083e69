import { and, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import type { Database } from '../../db/client.ts'
import type { ThreadMessage } from '../../language-model/history.ts'
import { requireChat } from '../chats/find.ts'
import type { ChatRow } from '../chats/table.ts'
import { messageRecord, messageWithSources } from './record.ts'
import type { MessageQuery } from './schema.ts'
import { messages } from './table.ts'

/** The newest messages of a chat, or those before one of them, oldest first (contract: chats 10). Throws 404, 403. */
export async function listMessages(ctx: AccountContext, query: z.output<typeof MessageQuery>) {
  const { chat } = await requireChat(ctx, query.agent_id, query.chat_id)
  const before = query.before_id == null ? undefined : lt(messages.id, query.before_id)
  const rows = await ctx.db
    .select()
    .from(messages)
    .where(and(eq(messages.chatId, chat.id), before))
    .orderBy(desc(messages.id))
    .limit(query.per_page + 1)
  const page = rows.slice(0, query.per_page).reverse()
  return {
    data: page.map(query.include === 'sources' ? messageWithSources : messageRecord),
    has_more: rows.length > query.per_page,
  }
}

/** More than any budget of tokens holds. */
const maxRead = 200
const largestId = 2_147_483_647

/**
 * What a turn reads of a thread, in its order: the newest messages that its summary does not cover, and its system turns
 * before them, the newest of those too. It costs the same however long the thread is.
 */
export async function readThread(
  db: Database,
  { id: chatId, summaryUntil }: Pick<ChatRow, 'id' | 'summaryUntil'>,
): Promise<ThreadMessage[]> {
  const inChat = eq(messages.chatId, chatId)
  const newest = async (which: SQL | undefined) => {
    const rows = await db
      .select({ id: messages.id, role: messages.role, content: messages.content })
      .from(messages)
      .where(and(inChat, which))
      .orderBy(desc(messages.id))
      .limit(maxRead + 1)
    return rows.reverse()
  }
  const recent = await newest(gt(messages.id, summaryUntil ?? 0))
  const [first] = recent
  const isWhole = summaryUntil === null && recent.length <= maxRead
  // In two statements, each from an index: "one or the other" would read the whole thread. The word stands in the statement,
  // as the index has only rows with it.
  const early = and(sql`${messages.role} = 'system'`, lt(messages.id, first?.id ?? largestId))
  const instructions = isWhole ? [] : await newest(early)
  return [...instructions, ...recent].map(({ role, content }) => ({ role, content }))
}
