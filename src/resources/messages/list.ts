import { and, asc, desc, eq, gt, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import type { Database } from '../../db/client.ts'
import type { ThreadMessage } from '../../language-model/history.ts'
import { requireChat } from '../chats/find.ts'
import { messageRecord } from './record.ts'
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
  return { data: page.map(messageRecord), has_more: rows.length > query.per_page }
}

/** More than any budget of tokens holds. */
const maxRead = 200

/** What a turn reads of a thread: its newest messages and all of its system turns, in their order. */
export async function readThread(db: Database, chatId: string): Promise<ThreadMessage[]> {
  const inChat = eq(messages.chatId, chatId)
  const newest = await db
    .select({ id: messages.id })
    .from(messages)
    .where(inChat)
    .orderBy(desc(messages.id))
    .limit(1)
    .offset(maxRead)
  const first = newest[0]?.id ?? 0
  const thread = (which: SQL) =>
    db
      .select({ role: messages.role, content: messages.content })
      .from(messages)
      .where(and(inChat, which))
      .orderBy(asc(messages.id))
  if (first === 0) return thread(gt(messages.id, first))
  // In two statements, each from an index: "one or the other" would read the whole thread. The word stands in the statement,
  // as the index has only rows with it.
  const early = and(lte(messages.id, first), sql`${messages.role} = 'system'`)
  const [instructions, recent] = await Promise.all([thread(early ?? sql`false`), thread(gt(messages.id, first))])
  return [...instructions, ...recent]
}
