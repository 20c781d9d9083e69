import { and, asc, desc, eq, gt, lt, ne, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Account } from '../../accounts/account.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Database, Transaction } from '../../db/client.ts'
import { tryLease } from '../../db/lease/lease.ts'
import { GenerationFailedError } from '../../language-model/failure.ts'
import { countMessages, fromFirstQuestion } from '../../language-model/history.ts'
import { localModelId } from '../../language-model/local/sources.ts'
import type { UsableModel } from '../../language-model/models.ts'
import { type Bounds, boundsOf } from '../../language-model/plan.ts'
import type { TurnTimes } from '../../language-model/turn.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Slots } from '../../runtime/slots.ts'
import { type ChatRow, chats } from '../chats/table.ts'
import { messages } from '../messages/table.ts'
import { roomBeside, summarise } from './ask.ts'
import { oldestWithin } from './pieces.ts'

/** A chat after a turn: who took it, with which model, and how much of the prompt its thread may be. */
export interface LongChat {
  chatId: string
  model: UsableModel
  /** Tokens of the thread in a prompt. */
  threadTokens: number
  account: Account
}

/** What a turn has read of its thread. */
export interface ReadThread {
  /** Messages, of all roles. */
  messages: number
  tokens: number
}

/** Keeps the running summaries of long chats, beside their turns. */
export interface SummaryKeeper {
  /** Has a chat summarised if its thread has become too long; returns at once. */
  keep(chat: LongChat, read: ReadThread): void
  /** Resolves when nothing is summarised any more. */
  idle(): Promise<void>
  /** Ends what is under way. */
  close(): Promise<void>
}

interface SummaryParts {
  db: Database
  clock: Clock
  log: Logger
  slots: Slots
  times: TurnTimes
  /** Of the installation's models. */
  bounds: Bounds
  /** False: nothing is ever summarised on this installation. */
  enabled: boolean
}

/** A thread is summarised before a turn would have to leave something out of it: it reads 200 messages at most. */
const maxMessages = 100
const shareOfContext = 1 / 2
/** What stays word for word after a summary: of what a thread may have before it. */
const keptMessages = 40
const keptShare = 1 / 2
/** The newest exchange stays if it leaves the next message a quarter of what a thread may have. */
const exchangeShare = 3 / 4
/** Messages that are looked at for one summary. */
const maxRead = 200
/** Summaries after one turn; what they do not reach is left to the next one. */
const maxRounds = 4
/** A summary that failed is tried again by a turn after this time. */
const pauseMs = 60_000
const leaseMs = 8_000

/** How many tokens a thread may have. */
function maxTokens({ model, threadTokens }: LongChat, bounds: Bounds): number {
  const { contextTokens } = boundsOf(model, bounds)
  return Math.min(threadTokens, contextTokens * shareOfContext)
}

const isLong = (long: LongChat, bounds: Bounds, read: ReadThread): boolean =>
  read.messages > maxMessages || read.tokens > maxTokens(long, bounds)

const columns = { id: messages.id, role: messages.role, content: messages.content }
type Message = Pick<typeof messages.$inferSelect, keyof typeof columns>

/** Messages of a chat after one of them. Instructions of a thread stay word for word. */
const saidAfter = (chatId: string, id: number | null) =>
  and(eq(messages.chatId, chatId), gt(messages.id, id ?? 0), ne(messages.role, 'system'))

/** The newest messages that no summary covers, oldest first. */
async function newestUncovered(db: Database, { id, summaryUntil }: ChatRow): Promise<Message[]> {
  const rows = await db
    .select(columns)
    .from(messages)
    .where(saidAfter(id, summaryUntil))
    .orderBy(desc(messages.id))
    .limit(maxRead)
  return rows.reverse()
}

/** The oldest messages that no summary covers, without those that stay word for word. */
const oldestUncovered = (db: Database, { id, summaryUntil }: ChatRow, firstKept: number): Promise<Message[]> =>
  db
    .select(columns)
    .from(messages)
    .where(and(saidAfter(id, summaryUntil), lt(messages.id, firstKept)))
    .orderBy(asc(messages.id))
    .limit(maxRead)

/** The newest exchanges, which stay word for word: what has room, and the newest one while a turn can read it. */
async function keptOf(thread: readonly Message[], long: LongChat, bounds: Bounds): Promise<Message[]> {
  let left = maxTokens(long, bounds) * keptShare
  let from = thread.length
  for (const message of thread.toReversed().slice(0, keptMessages)) {
    left -= await countMessages([message])
    if (left < 0) break
    from--
  }
  const exchange = thread.slice(thread.findLastIndex(({ role }) => role === 'user'))
  const fits = (await countMessages(exchange)) <= long.threadTokens * exchangeShare
  return fits && exchange.length > thread.length - from ? exchange : fromFirstQuestion(thread.slice(from))
}

/** Keeps a summary of everything up to a message; false where somebody else has changed the chat. */
async function save(tx: Transaction, chat: ChatRow, summary: string | null, summaryUntil: number): Promise<boolean> {
  const unchanged = sql`${chats.summaryUntil} is not distinct from ${chat.summaryUntil}`
  const saved = await tx
    .update(chats)
    .set({ summary, summaryUntil, summaryTriedAt: null })
    .where(and(eq(chats.id, chat.id), unchanged))
    .returning({ id: chats.id })
  return saved.length > 0
}

/**
 * Summarises what comes before the messages that stay, oldest first: a summary covers what it read, and nothing else.
 */
async function catchUp(parts: SummaryParts, long: LongChat, from: ChatRow, firstKept: number, signal: AbortSignal) {
  const { db, clock, slots, times, bounds } = parts
  const { model, account } = long
  const payerWorkspaceId = account.workspaceId
  const spender = { db, signal, account }
  let chat = from
  let rounds = maxRounds
  while (rounds > 0) {
    const older = await oldestUncovered(db, chat, firstKept)
    const next = await oldestWithin(older, await roomBeside(chat.summary, model, bounds), maxRounds)
    if (!next || next.parts.length > rounds) return
    await db.update(chats).set({ summaryTriedAt: clock.now() }).where(eq(chats.id, chat.id))
    const { agentId, summary: known } = chat
    const before = chat
    const asked = { spender, model, payerWorkspaceId, agentId, known, parts: next.parts, bounds, times }
    const made = await slots.run(payerWorkspaceId, () =>
      summarise(asked, (tx, summary) => save(tx, before, summary, next.until)),
    )
    if (!made) return
    chat = { ...chat, summary: made.summary, summaryUntil: next.until }
    rounds -= next.parts.length
  }
}

async function look(parts: SummaryParts, long: LongChat, signal: AbortSignal): Promise<void> {
  const { db, clock, bounds } = parts
  const [chat] = await db.select().from(chats).where(eq(chats.id, long.chatId))
  if (!chat || clock.now().getTime() - (chat.summaryTriedAt?.getTime() ?? 0) < pauseMs) return
  const thread = await newestUncovered(db, chat)
  if (!isLong(long, bounds, { messages: thread.length, tokens: await countMessages(thread) })) return
  const [first] = await keptOf(thread, long, bounds)
  await catchUp(parts, long, chat, first?.id ?? Number.MAX_SAFE_INTEGER, signal)
}

/** Makes the keeper of all chats' summaries. A failure is logged and leaves the chat as it was. */
export function createSummaryKeeper(parts: SummaryParts): SummaryKeeper {
  const ending = new AbortController()
  const underWay = new Set<Promise<void>>()
  const lookOnce = async (long: LongChat) => {
    const { chatId } = long
    try {
      await tryLease(parts.db, `summary:${chatId}`, { ttlMs: leaseMs }, () => look(parts, long, ending.signal))
    } catch (error) {
      if (ending.signal.aborted) return
      const reason =
        error instanceof GenerationFailedError ? error.reason : error instanceof ApiError ? error.code : undefined
      parts.log.warn(
        { event: 'summary_failed', chatId, ...(reason ? { reason } : { err: error }) },
        'a chat was not summarised',
      )
    }
  }
  const idle = async () => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return {
    keep(long, read) {
      if (!parts.enabled || ending.signal.aborted || long.model.id === localModelId) return
      if (!isLong(long, parts.bounds, read)) return
      const work: Promise<void> = lookOnce(long).finally(() => underWay.delete(work))
      underWay.add(work)
    },
    idle,
    async close() {
      ending.abort()
      await idle()
    },
  }
}
