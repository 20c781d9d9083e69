import { and, desc, eq, getTableColumns, gt, isNotNull, lt, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { preparedSelect } from '../../db/prepared/statement.ts'
import { requireOwnChat } from '../chats/find.ts'
import { chats } from '../chats/table.ts'
import type { TakenTurn, TurnOrder } from './store.ts'
import { type MessageRow, messages } from './table.ts'

const maxAgeMs = 10 * 60_000

/** The reply of a turn to the caller's token. */
const replyOfTurn = preparedSelect<MessageRow>(getTableColumns(messages), (executor) =>
  executor
    .select(getTableColumns(messages))
    .from(messages)
    .innerJoin(chats, eq(chats.id, messages.chatId))
    .where(
      and(
        eq(messages.turnId, sql.placeholder('turnId')),
        isNotNull(messages.model),
        eq(chats.tokenId, sql.placeholder('tokenId')),
      ),
    )
    .limit(1),
)

/** A turn of the caller's token that is stored already. */
export async function findTaken(ctx: AccountContext, turnId: string): Promise<TakenTurn | undefined> {
  const [found] = await replyOfTurn(ctx.db, { turnId, tokenId: ctx.account.tokenId })
  const { model, generation, ...reply } = found ?? { model: null, generation: null }
  if (!('id' in reply) || model === null || generation === null) return undefined
  // Looked for backwards from the reply, where it stands.
  const ofTurn = eq(messages.turnId, reply.turnId)
  const [userMessage] = await ctx.db
    .select()
    .from(messages)
    .where(and(eq(messages.chatId, reply.chatId), lt(messages.id, reply.id), ofTurn, eq(messages.role, 'user')))
    .orderBy(desc(messages.id))
    .limit(1)
  return userMessage && { chatId: reply.chatId, userMessage, reply: { ...reply, model, generation } }
}

/** Throws 404 when the chat of a turn is gone, and what keeps the caller from talking in it (contract: rest 22). */
export async function requireTurn(ctx: AccountContext, turnId: string): Promise<void> {
  const [reply] = await replyOfTurn(ctx.db, { turnId, tokenId: ctx.account.tokenId })
  if (!reply) throw new ApiError('chat_not_found')
  await requireOwnChat(ctx, reply.chatId)
}

const repeatColumns = { turnId: messages.turnId, undelivered: messages.undelivered }
const replies = alias(messages, 'replies')
const later = alias(messages, 'later')
/** Made by this model, and not for its caller alone. */
const isForAll = and(
  eq(replies.turnId, messages.turnId),
  eq(replies.model, sql.placeholder('model')),
  sql`${replies.generation} -> 'isOwn' is null`,
)

/**
 * The same message to the chat since one, and a reply whose response never arrived and that is the newest message of
 * its chat.
 */
const findRepeats = preparedSelect<{ turnId: string; undelivered: string | null }>(repeatColumns, (executor) =>
  executor
    .select(repeatColumns)
    .from(messages)
    .innerJoin(replies, isForAll)
    .where(
      and(
        eq(messages.chatId, sql.placeholder('chatId')),
        gt(messages.id, sql.placeholder('after')),
        eq(messages.role, sql.placeholder('role')),
        eq(messages.content, sql.placeholder('content')),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(1)
    .unionAll(
      executor
        .select(repeatColumns)
        .from(messages)
        .innerJoin(chats, eq(chats.id, messages.chatId))
        .where(
          and(
            eq(messages.undelivered, sql.placeholder('hash')),
            gt(messages.createdAt, sql`${sql.placeholder('recent')}::timestamptz`),
            isNotNull(messages.model),
            eq(chats.tokenId, sql.placeholder('tokenId')),
            notExists(
              executor
                .select({ id: later.id })
                .from(later)
                .where(and(eq(later.chatId, messages.chatId), gt(later.id, messages.id))),
            ),
          ),
        )
        .limit(1),
    ),
)

/**
 * The turn that an equal request took already: on another instance while this one waited for the chat, or one whose
 * client went away while it was saved and now sends the same again, before anything else. `hash` is of what makes them
 * equal.
 */
export async function findRepeated(
  ctx: AccountContext,
  { chat, added, model, wish, saysWhyItEnds }: TurnOrder,
  hash: string,
): Promise<TakenTurn | undefined> {
  const [message, ...more] = added
  const joins = message && more.length === 0 && !wish
  const { role, content } = message ?? { role: null, content: null }
  const found = await findRepeats(ctx.db, {
    chatId: (joins && chat?.id) || null,
    ...{ after: chat?.newestMessageId ?? 0, role, content, model: model.id },
    ...{ hash, recent: new Date(ctx.clock.now().getTime() - maxAgeMs).toISOString(), tokenId: ctx.account.tokenId },
  })
  for (const { turnId, undelivered } of found) {
    const taken = await findTaken(ctx, turnId)
    if (!taken || (taken.reply.content === '' && !saysWhyItEnds)) continue
    if (undelivered !== null) await markUndelivered(ctx, taken, null)
    return taken
  }
  return undefined
}

/** Marks a stored turn as without a response, under a hash of what was sent; null: it gets one now. */
export async function markUndelivered(ctx: AccountContext, { reply }: TakenTurn, hash: string | null): Promise<void> {
  await ctx.db.update(messages).set({ undelivered: hash }).where(eq(messages.id, reply.id))
}
