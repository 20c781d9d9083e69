import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import type { Database } from '../../db/client.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import { preparedSelect } from '../../db/prepared/statement.ts'
import { readsOf } from '../../db/reads.ts'
import { fromFirstQuestion, type ThreadMessage } from '../../language-model/history.ts'
import { requireChat } from '../chats/find.ts'
import type { ChatRow } from '../chats/table.ts'
import { messageRecord, messageWithSources } from './record.ts'
import type { MessageQuery } from './schema.ts'
import { type MessageRow, messages } from './table.ts'

const largestId = Number.MAX_SAFE_INTEGER

const findPage = preparedQuery('messages_page', (db, name) =>
  db
    .select()
    .from(messages)
    .where(and(eq(messages.chatId, sql.placeholder('chatId')), lt(messages.id, sql.placeholder('before'))))
    .orderBy(desc(messages.id))
    .limit(sql.placeholder('limit'))
    .prepare(name),
)

/** The newest messages of a chat, or those before one of them, oldest first (contract: chats 10). Throws 404, 403. */
export async function listMessages(ctx: AccountContext, query: z.output<typeof MessageQuery>) {
  const { chat } = await requireChat(ctx, query.agent_id, query.chat_id)
  const before = query.before_id ?? largestId
  const rows = await findPage(ctx.db).execute({ chatId: chat.id, before, limit: query.per_page + 1 })
  const page = rows.slice(0, query.per_page).reverse()
  return {
    data: page.map(query.include === 'sources' ? messageWithSources : messageRecord),
    has_more: rows.length > query.per_page,
  }
}

/** More than any budget of tokens holds. */
const maxRead = 200

const read = { id: messages.id, role: messages.role, content: messages.content }
const inChat = eq(messages.chatId, sql.placeholder('chatId'))

const newestAfter = preparedSelect<Pick<MessageRow, keyof typeof read>>(read, (executor) =>
  executor
    .select(read)
    .from(messages)
    .where(and(inChat, gt(messages.id, sql.placeholder('after'))))
    .orderBy(desc(messages.id))
    .limit(maxRead + 1),
)

/** The word stands in the statement, as the index has only rows with it. */
const systemTurnsBefore = preparedQuery('messages_system_before', (db, name) =>
  db
    .select(read)
    .from(messages)
    .where(and(inChat, sql`${messages.role} = 'system'`, lt(messages.id, sql.placeholder('before'))))
    .orderBy(desc(messages.id))
    .limit(maxRead + 1)
    .prepare(name),
)

/**
 * What a turn reads of a thread, in its order: the newest messages that its summary does not cover, and its system
 * turns before them, the newest of those too. The newest begin with a question where they are not all. It costs the
 * same however long the thread is.
 */
export async function readThread(
  db: Database,
  { id: chatId, summaryUntil }: Pick<ChatRow, 'id' | 'summaryUntil'>,
): Promise<ThreadMessage[]> {
  const recent = await newestAfter(readsOf(db), { chatId, after: summaryUntil ?? 0 })
  const first = recent.at(-1)
  const isCut = recent.length > maxRead
  const isWhole = summaryUntil === null && !isCut
  // In two statements, each from an index: "one or the other" would read the whole thread.
  const early = { chatId, before: first?.id ?? largestId }
  const instructions = isWhole ? [] : await systemTurnsBefore(db).execute(early)
  const newest = recent.reverse()
  const told = [...instructions.reverse(), ...(isCut ? fromFirstQuestion(newest) : newest)]
  return told.map(({ role, content }) => ({ role, content }))
}
