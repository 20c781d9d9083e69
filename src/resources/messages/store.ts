import { and, desc, eq, getTableColumns, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Transaction } from '../../db/client.ts'
import type { Lease } from '../../db/lease/lease.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import { preparedInsertAs, preparedSelect, preparedStatement } from '../../db/prepared/statement.ts'
import type { ResponseFormat } from '../../language-model/formats.ts'
import type { ThreadMessage } from '../../language-model/history.ts'
import type { UsableModel } from '../../language-model/models.ts'
import type { Sampling, TurnResult } from '../../language-model/turn.ts'
import type { AccessibleAgent } from '../agents/access.ts'
import { agents } from '../agents/table.ts'
import { type Hold, settle } from '../billing/spend.ts'
import { newChat } from '../chats/service.ts'
import { type ChatRow, chats } from '../chats/table.ts'
import { type Citation, type Generation, type MessageRow, messages } from './table.ts'

/** How a caller wants a reply. */
export interface ReplyWish {
  maxOutputTokens?: number
  sampling?: Sampling
  format?: ResponseFormat
  /** Kept with the reply. */
  metadata?: Record<string, string>
}

/** A turn to take. */
export interface TurnOrder {
  agent: AccessibleAgent
  /** Undefined: a fresh thread, which exists only once the turn has succeeded. */
  chat: ChatRow | undefined
  model: UsableModel
  /** What is added to the thread before the reply; a user message at least. */
  added: readonly ThreadMessage[]
  /** What the caller says about how the reply is written. */
  wish?: ReplyWish
}

/** A turn that was taken and stored. */
export interface TakenTurn {
  chatId: string
  userMessage: MessageRow
  reply: MessageRow & { generation: Generation; model: string }
}

/** The newest user message of those that are added. */
export const newestUserMessage = (added: readonly ThreadMessage[]): string =>
  added.findLast(({ role }) => role === 'user')?.content ?? ''

const atTime = sql`${sql.placeholder('at')}::timestamptz`

const touchAgent = preparedStatement((executor) =>
  executor
    .update(agents)
    .set({ lastActivityAt: atTime, memoryTurns: sql`${agents.memoryTurns} + ${sql.placeholder('remembered')}` })
    .where(eq(agents.id, sql.placeholder('id')))
    .returning({ id: agents.id }),
)

const touchChat = preparedStatement((executor) =>
  executor
    .update(chats)
    .set({ lastMessageAt: atTime, lastActivityAt: atTime })
    .where(eq(chats.id, sql.placeholder('id')))
    .returning({ id: chats.id }),
)

const insertMessage = preparedInsertAs<typeof messages, MessageRow>(
  messages,
  getTableColumns(messages),
  (executor, values) => executor.insert(messages).values(values).returning(),
)

/** Most turns add one message. */
async function insertMessages(tx: Transaction, values: (typeof messages.$inferInsert)[]): Promise<MessageRow[]> {
  const [only, ...more] = values
  if (only && more.length === 0) return [await insertMessage(tx, only)]
  return tx.insert(messages).values(values).returning()
}

/** Locks in the order in which a delete of the agent does. Throws 404 when the agent or the chat is gone by now. */
async function touch(tx: Transaction, ctx: AccountContext, { agent, chat, model }: TurnOrder, now: Date) {
  const remembered = agent.access === 'view' ? 0 : 1
  const [touched] = await touchAgent(tx, { id: agent.row.id, at: now.toISOString(), remembered })
  if (!touched) throw new ApiError('agent_not_found')
  if (!chat) {
    const id = crypto.randomUUID()
    const { id: agentId, workspaceId } = agent.row
    const fresh = newChat({ id, agentId, workspaceId, tokenId: ctx.account.tokenId, model: model.id }, now)
    await tx.insert(chats).values({ ...fresh, lastMessageAt: now, lastActivityAt: now })
    return id
  }
  const [found] = await touchChat(tx, { id: chat.id, at: now.toISOString() })
  if (!found) throw new ApiError('chat_not_found')
  return chat.id
}

/** What a turn is stored with. */
export interface Outcome {
  turnId: string
  sentAt: Date
  result: TurnResult
  /** The sources that the reply names. */
  citations: Citation[]
  hold: Hold
  lease: Lease | undefined
  signal: AbortSignal
}

/**
 * Stores a turn and its charge in one transaction: both messages or neither. Throws 404 when the agent or the chat is
 * gone, LeaseLostError when the chat is another's, and the reason of `signal` when the client is gone.
 */
export async function storeTurn(ctx: AccountContext, order: TurnOrder, outcome: Outcome): Promise<TakenTurn> {
  const { turnId, sentAt, result, citations, hold, lease, signal } = outcome
  const { usage, finishReason, toolsUsed, toolUses } = result
  return ctx.db.transaction(async (tx) => {
    await lease?.assertHeld(tx)
    const now = ctx.clock.now()
    const chatId = await touch(tx, ctx, order, now)
    const { workspaceId } = order.agent.row
    const said = { chatId, workspaceId, turnId, createdAt: sentAt, memorable: order.agent.access !== 'view' }
    const values = order.added.map(({ role, content }) => ({ ...said, role, content }))
    const stored = await insertMessages(tx, values)
    const wallet = await settle(tx, hold, usage)
    const { metadata } = order.wish ?? {}
    const generation: Generation = {
      ...{ usage, finishReason, toolsUsed, wallet },
      ...(toolUses.length > 0 && { toolUses }),
      ...(citations.length > 0 && { citations }),
      ...(metadata && { metadata }),
    }
    const model = order.model.id
    const written = { role: 'assistant' as const, content: result.text, model, generation }
    const reply = await insertMessage(tx, { chatId, workspaceId, turnId, ...written, createdAt: now })
    const userMessage = stored.findLast(({ role }) => role === 'user')
    if (!userMessage) throw new ApiError('internal_error')
    signal.throwIfAborted()
    return { chatId, userMessage, reply: { ...reply, model, generation } }
  })
}

const maxAgeMs = 10 * 60_000

/** A reply to the caller's token. */
const findReply = (which: SQL | undefined) =>
  preparedSelect<MessageRow>(getTableColumns(messages), (executor) =>
    executor
      .select(getTableColumns(messages))
      .from(messages)
      .innerJoin(chats, eq(chats.id, messages.chatId))
      .where(and(which, sql`${messages.model} is not null`, eq(chats.tokenId, sql.placeholder('tokenId'))))
      .limit(1),
  )

const replyOfTurn = findReply(eq(messages.turnId, sql.placeholder('turnId')))
const undeliveredReply = findReply(
  and(
    eq(messages.undelivered, sql.placeholder('hash')),
    gt(messages.createdAt, sql`${sql.placeholder('recent')}::timestamptz`),
  ),
)

/**
 * A stored turn of the caller's token whose response never arrived: the one of an Idempotency-Key whose server died, or one
 * whose client went away while it was saved and now sends the same again.
 */
export async function findTaken(
  ctx: AccountContext,
  by: { turnId: string } | { undelivered: string },
): Promise<TakenTurn | undefined> {
  const recent = new Date(ctx.clock.now().getTime() - maxAgeMs).toISOString()
  const { tokenId } = ctx.account
  const [found] = await ('turnId' in by
    ? replyOfTurn(ctx.db, { turnId: by.turnId, tokenId })
    : undeliveredReply(ctx.db, { hash: by.undelivered, recent, tokenId }))
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

const findNewest = preparedQuery('messages_newest', (db, name) =>
  db
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.chatId, sql.placeholder('chatId')))
    .orderBy(desc(messages.id))
    .limit(1)
    .prepare(name),
)

/** The newest message of a chat; 0 when there is none. */
export async function newestMessageId(ctx: AccountContext, chatId: string): Promise<number> {
  const [newest] = await findNewest(ctx.db).execute({ chatId })
  return newest?.id ?? 0
}

const findSame = preparedQuery('messages_same_after', (db, name) =>
  db
    .select({ turnId: messages.turnId })
    .from(messages)
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
    .prepare(name),
)

/**
 * The turn that another instance took of the same message to the same chat while this one waited for the chat: one that is
 * newer than the message `after`.
 */
export async function findTakenMeanwhile(
  ctx: AccountContext,
  { chat, added, model, wish }: TurnOrder,
  after: number,
): Promise<TakenTurn | undefined> {
  const [message, ...more] = added
  if (!chat || !message || more.length > 0 || wish) return undefined
  const { role, content } = message
  const [found] = await findSame(ctx.db).execute({ chatId: chat.id, after, role, content })
  const taken = found && (await findTaken(ctx, { turnId: found.turnId }))
  return taken?.reply.model === model.id ? taken : undefined
}

/** Marks a stored turn as without a response, under a hash of what was sent; null: it gets one now. */
export async function markUndelivered(ctx: AccountContext, { reply }: TakenTurn, hash: string | null): Promise<void> {
  await ctx.db.update(messages).set({ undelivered: hash }).where(eq(messages.id, reply.id))
}
