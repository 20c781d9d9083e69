import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { isRefusal } from '../../db/at-once.ts'
import type { Executor, Transaction } from '../../db/client.ts'
import type { Lease } from '../../db/lease/lease.ts'
import { preparedInsertAs, preparedUpdateAs } from '../../db/prepared/statement.ts'
import { together } from '../../db/together.ts'
import type { ResponseFormat } from '../../language-model/formats.ts'
import type { ThreadMessage } from '../../language-model/history.ts'
import type { UsableModel } from '../../language-model/models.ts'
import type { Sampling, TurnResult } from '../../language-model/turn.ts'
import type { AccessibleAgent } from '../agents/access.ts'
import { agents, type MemoryTimes, memoryTimes } from '../agents/table.ts'
import { type Hold, settle } from '../billing/spend.ts'
import type { Wallet } from '../billing/wallet.ts'
import type { FoundChat } from '../chats/find.ts'
import { newChat } from '../chats/service.ts'
import { chats } from '../chats/table.ts'
import { type Citation, type Generation, type MessageRow, messages } from './table.ts'

/** How a caller wants a reply. */
export interface ReplyWish {
  maxOutputTokens?: number
  sampling?: Sampling
  format?: ResponseFormat
  /** Returned with the reply, also to a client that comes back for it. */
  metadata?: Record<string, string>
}

/** A turn to take. */
export interface TurnOrder {
  agent: AccessibleAgent
  /** Undefined: a fresh thread, which exists only once the turn has succeeded. */
  chat: FoundChat | undefined
  model: UsableModel
  /** What is added to the thread before the reply; a user message at least. */
  added: readonly ThreadMessage[]
  /** What the caller says about how the reply is written. */
  wish?: ReplyWish
  /**
   * Whether the caller is told why the reply ends: then one that ends before its first word, as was asked for, is a
   * reply.
   */
  saysWhyItEnds?: boolean
}

/** A turn that was taken and stored. */
export interface TakenTurn {
  chatId: string
  userMessage: MessageRow
  reply: MessageRow & { generation: Generation; model: string }
  /** Of the agent after a turn that this request stored. */
  memoryTimes?: MemoryTimes
}

/** The newest user message of those that are added. */
export const newestUserMessage = (added: readonly ThreadMessage[]): string =>
  added.findLast(({ role }) => role === 'user')?.content ?? ''

const touchAgent = preparedUpdateAs<typeof agents, MemoryTimes>(agents, memoryTimes, (executor, values) =>
  executor
    .update(agents)
    .set({ ...values, memoryTurns: sql`${agents.memoryTurns} + ${sql.placeholder('remembered')}` })
    .where(eq(agents.id, sql.placeholder('id')))
    .returning(memoryTimes),
)

const touchedChat = { id: chats.id }
const touchChat = preparedUpdateAs<typeof chats, { id: string }>(chats, touchedChat, (executor, values) =>
  executor
    .update(chats)
    .set(values)
    .where(eq(chats.id, sql.placeholder('of')))
    .returning(touchedChat),
)

const insertChat = preparedInsertAs<typeof chats, { id: string }>(chats, touchedChat, (executor, values) =>
  executor.insert(chats).values(values).returning(touchedChat),
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

/** Notes the turn with its agent. Throws 404 when the agent is gone by now. */
async function noteOfAgent(tx: Executor, { agent }: TurnOrder, now: Date): Promise<MemoryTimes> {
  const remembered = agent.access === 'view' ? 0 : 1
  const times = await touchAgent(tx, { lastActivityAt: now }, { id: agent.row.id, remembered })
  if (!times) throw new ApiError('agent_not_found')
  return times
}

/**
 * Notes the turn with its chat, which is made when it is a fresh one, as old as what was said in it. Throws 404 when
 * the chat is gone by now.
 */
async function noteOfChat(tx: Executor, ctx: AccountContext, order: TurnOrder, id: string, sentAt: Date, now: Date) {
  const { agent, chat, model } = order
  const times = { lastMessageAt: now, lastActivityAt: now }
  if (chat) {
    if (!(await touchChat(tx, times, { of: id }))) throw new ApiError('chat_not_found')
    return
  }
  const { id: agentId, workspaceId } = agent.row
  const fresh = newChat({ id, agentId, workspaceId, tokenId: ctx.account.tokenId, model: model.id }, sentAt)
  await insertChat(tx, { ...fresh, ...times })
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

/** What is stored of a turn: what was said, and the reply without what was charged. */
function rowsOf(ctx: AccountContext, { agent, chat, added, wish, model }: TurnOrder, outcome: Outcome, now: Date) {
  const { turnId, sentAt, result, citations } = outcome
  const isOwn = ctx.idempotencyId !== undefined || wish !== undefined
  const { usage, finishReason, toolsUsed, toolUses } = result
  const chatId = chat?.id ?? crypto.randomUUID()
  const { workspaceId } = agent.row
  const said = { chatId, workspaceId, turnId, createdAt: sentAt, memorable: agent.access !== 'view' }
  const written = { chatId, workspaceId, turnId, role: 'assistant' as const, content: result.text, model: model.id }
  return {
    chatId,
    messages: added.map(({ role, content }) => ({ ...said, role, content })),
    reply: (wallet: Wallet) => {
      const generation: Generation = {
        ...{ usage, finishReason, toolsUsed, wallet },
        ...(toolUses.length > 0 && { toolUses }),
        ...(citations.length > 0 && { citations }),
        ...(wish?.metadata && { metadata: wish.metadata }),
        ...(isOwn && { isOwn }),
      }
      return { ...written, generation, createdAt: now }
    },
  }
}

type Rows = ReturnType<typeof rowsOf>

async function insertReply(executor: Executor, values: ReturnType<Rows['reply']>): Promise<TakenTurn['reply']> {
  const { model, generation } = values
  return { ...(await insertMessage(executor, values)), model, generation }
}

/**
 * In one message, with the end of the lease. Undefined, with nothing stored, where the database refuses one of them.
 */
async function storeAtOnce(
  ctx: AccountContext,
  order: TurnOrder,
  { chatId, messages: [message], reply }: Rows,
  now: Date,
  lease: Lease,
): Promise<TakenTurn | undefined> {
  if (message === undefined) return undefined
  try {
    // In this order a delete of the agent locks them, too.
    const [memoryTimes, , userMessage, stored] = await lease.endWith((executor) => [
      noteOfAgent(executor, order, now),
      noteOfChat(executor, ctx, order, chatId, message.createdAt, now),
      insertMessage(executor, message),
      insertReply(executor, reply(null)),
    ])
    return { chatId, userMessage, reply: stored, memoryTimes }
  } catch (error) {
    // Which of them it was, and so what to say of it, the transaction tells.
    if (isRefusal(error)) return undefined
    throw error
  }
}

/**
 * Stores a turn and its charge in one transaction: both messages or neither. Throws 404 when the agent or the chat is
 * gone, LeaseLostError when the chat is another's, and the reason of `signal` when the client is gone.
 */
export async function storeTurn(ctx: AccountContext, order: TurnOrder, outcome: Outcome): Promise<TakenTurn> {
  const { sentAt, hold, lease, signal, result } = outcome
  const now = ctx.clock.now()
  const rows = rowsOf(ctx, order, outcome, now)
  signal.throwIfAborted()
  const isFree = !hold.reserved && !hold.budgeted
  const alone = order.added.length === 1 && order.added[0]?.role === 'user'
  const taken = lease && isFree && alone && (await storeAtOnce(ctx, order, rows, now, lease))
  if (taken) return taken
  return ctx.db.transaction(async (tx) => {
    const { chatId } = rows
    const storeReply = async (storing: Promise<unknown>) => {
      // Several are stored by a statement that is built anew, and stand before the reply.
      if (rows.messages.length > 1) await storing
      return insertReply(tx, rows.reply(await settle(tx, hold, result.usage)))
    }
    // In this order a delete of the agent locks them, too.
    const held = lease?.assertHeld(tx) ?? Promise.resolve()
    const ofAgent = noteOfAgent(tx, order, now)
    const ofChat = noteOfChat(tx, ctx, order, chatId, sentAt, now)
    const storing = insertMessages(tx, rows.messages)
    const [, memoryTimes, , stored, reply] = await together(held, ofAgent, ofChat, storing, storeReply(storing))
    const userMessage = stored.findLast(({ role }) => role === 'user')
    if (!userMessage) throw new ApiError('internal_error')
    signal.throwIfAborted()
    return { chatId, userMessage, reply, memoryTimes }
  })
}
