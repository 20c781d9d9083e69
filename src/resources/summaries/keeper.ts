import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Account } from '../../accounts/account.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Database } from '../../db/client.ts'
import { tryLease } from '../../db/lease/lease.ts'
import { GenerationFailedError } from '../../language-model/failure.ts'
import { countMessages } from '../../language-model/history.ts'
import { localModelId } from '../../language-model/local/sources.ts'
import type { UsableModel } from '../../language-model/models.ts'
import type { TurnTimes } from '../../language-model/turn.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Slots } from '../../runtime/slots.ts'
import { type ChatRow, chats } from '../chats/table.ts'
import { messages } from '../messages/table.ts'
import { summarise } from './ask.ts'

/** A chat after a turn: who took it, with which model, and how much of the prompt its thread may be. */
export interface LongChat {
  chatId: string
  model: UsableModel
  /** Tokens of a prompt. */
  contextTokens: number
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
  /** False: nothing is ever summarised on this installation. */
  enabled: boolean
}

/** A thread is summarised before a turn would have to leave something out of it: it reads 200 messages at most. */
const maxMessages = 100
const shareOfContext = 1 / 2
/** What stays word for word after a summary. */
const keptMessages = 40
const keptShare = 1 / 4
/** Messages that are looked at for one summary. */
const maxRead = 400
/** Of the context, for the messages that are summarised. */
const readShare = 3 / 4
/** A summary that failed is tried again by a turn after this time. */
const pauseMs = 60_000
const leaseMs = 8_000

const isLong = ({ contextTokens }: LongChat, read: ReadThread) =>
  read.messages > maxMessages || read.tokens > contextTokens * shareOfContext

type Message = Pick<typeof messages.$inferSelect, 'id' | 'role' | 'content'>

/** The newest messages that fit, from the end on; as many as `max`. */
async function newestWithin<T extends Message>(list: readonly T[], tokens: number, max: number): Promise<T[]> {
  let left = tokens
  let from = list.length
  for (const message of list.toReversed().slice(0, max)) {
    left -= await countMessages([message])
    if (left < 0) break
    from--
  }
  return list.slice(from)
}

/** The newest messages that no summary covers, oldest first. Instructions of a thread stay word for word. */
async function uncovered(db: Database, { id, summaryUntil }: ChatRow) {
  const rows = await db
    .select({ id: messages.id, role: messages.role, content: messages.content })
    .from(messages)
    .where(and(eq(messages.chatId, id), gt(messages.id, summaryUntil ?? 0), ne(messages.role, 'system')))
    .orderBy(desc(messages.id))
    .limit(maxRead)
  return rows.reverse()
}

async function look({ db, clock, slots, times }: SummaryParts, long: LongChat, signal: AbortSignal): Promise<void> {
  const { chatId, model, contextTokens, account } = long
  const [chat] = await db.select().from(chats).where(eq(chats.id, chatId))
  const now = clock.now()
  if (!chat || now.getTime() - (chat.summaryTriedAt?.getTime() ?? 0) < pauseMs) return
  const thread = await uncovered(db, chat)
  if (!isLong(long, { messages: thread.length, tokens: await countMessages(thread) })) return
  const kept = await newestWithin(thread, contextTokens * keptShare, keptMessages)
  const older = thread.slice(0, thread.length - kept.length)
  const read = await newestWithin(older, contextTokens * readShare, maxRead)
  const until = older.at(-1)?.id
  if (until === undefined) return
  await db.update(chats).set({ summaryTriedAt: now }).where(eq(chats.id, chatId))
  const payerWorkspaceId = account.workspaceId
  const summary = await slots.run(payerWorkspaceId, () =>
    summarise({
      spender: { db, signal, account },
      model,
      payerWorkspaceId,
      agentId: chat.agentId,
      known: chat.summary,
      messages: read,
      contextTokens,
      times,
    }),
  )
  const unchanged = sql`${chats.summaryUntil} is not distinct from ${chat.summaryUntil}`
  await db
    .update(chats)
    .set({ summary, summaryUntil: until, summaryTriedAt: null })
    .where(and(eq(chats.id, chatId), unchanged))
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
      if (!parts.enabled || ending.signal.aborted || long.model.id === localModelId || !isLong(long, read)) return
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
