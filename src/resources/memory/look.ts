import { and, desc, eq, exists, gt, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import type { Logger } from 'pino'
import type { Database, Transaction } from '../../db/client.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import { localModelId } from '../../language-model/local/sources.ts'
import type { Models } from '../../language-model/models.ts'
import { type Bounds, boundsOf } from '../../language-model/plan.ts'
import type { TurnTimes } from '../../language-model/turn.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Slots } from '../../runtime/slots.ts'
import { type AgentRow, agents, type MemoryTimes, memoryTimes } from '../agents/table.ts'
import { chats } from '../chats/table.ts'
import { messages } from '../messages/table.ts'
import { shares } from '../shares/table.ts'
import { tokens } from '../tokens/table.ts'
import { users } from '../users/table.ts'
import { fittingMessages, learnByAsking } from './ask.ts'
import { applyChange, changedMemory, type MemoryDraft, notesIn } from './notes.ts'
import { learnByRules, mayAskToChange } from './rules.ts'

/** What a look at an agent's memory works with. */
export interface MemoryParts {
  db: Database
  clock: Clock
  log: Logger
  models: Models
  slots: Slots
  times: TurnTimes
  /** Of the installation's models. */
  bounds: Bounds
}

const everyTurns = 6
const everyMs = 10 * 60_000
/** How long nobody has sent an agent a turn before a model is asked: its charge comes between no two turns. */
const restMs = 60_000
const turnsWithoutRest = 60
const maxMessages = turnsWithoutRest
const maxMessageLength = 2_000
/** After this time without a turn no look that failed is tried again. */
const maxRestedMs = 12 * 60 * 60_000

const asksAModel = ({ models }: MemoryParts) => models.default.id !== localModelId

/**
 * In how many milliseconds an agent is looked at if nobody sends it another turn; undefined where nothing was said
 * since the last look. Every six turns or ten minutes. The rules cost nothing, and look at the first turn as well. A
 * model's request is paid: none follows the first turns of a new agent, and each waits until the agent rests. After a
 * look that failed, the next one waits as long as the agent has rested (contract: agents 25, agents 28).
 */
export function untilLook(parts: MemoryParts, agent: MemoryTimes): number | undefined {
  const { memoryTriedAt, memoryTurns, createdAt, lastActivityAt } = agent
  if (memoryTurns === 0) return undefined
  const now = parts.clock.now().getTime()
  const asks = asksAModel(parts)
  const restsAt = lastActivityAt.getTime() + restMs
  const rest = asks && memoryTurns < turnsWithoutRest ? Math.min(restMs, Math.max(0, restsAt - now)) : 0
  const since = memoryTriedAt ?? (asks ? createdAt : null)
  if (since === null || memoryTurns >= everyTurns) return rest
  const restedMs = memoryTriedAt ? memoryTriedAt.getTime() - lastActivityAt.getTime() : 0
  if (restedMs > maxRestedMs) return undefined
  return Math.max(rest, since.getTime() + Math.max(everyMs, restedMs) - now)
}

/** Whether a message is looked at by the rules, and at once. */
export const isDoneAtOnce = (parts: MemoryParts, said: string): boolean => !asksAModel(parts) && mayAskToChange(said)

const replies = alias(messages, 'replies')

/** By how much the clocks of instances may differ, and how long a turn may take. */
const margin = sql`interval '1 hour'`

/**
 * What the owner and the editors of an agent said since the last look, as such, and which model replied: chats are
 * private to a token while the memory shows to everyone, so that nobody else's turns count, nor what was said before
 * somebody became an editor or by one who is none any more, and no reply, file or tool output does. However many chats
 * and messages there are, it reads those chats that these people used since the last look: the newest messages are in
 * as many of the last used.
 */
async function newMessages(db: Database, agent: AgentRow) {
  const editors = db
    .select({ id: shares.userId })
    .from(shares)
    .where(and(eq(shares.agentId, agent.id), eq(shares.access, 'edit')))
  const isNewIn = (chatId: AnyPgColumn) =>
    and(
      eq(messages.chatId, chatId),
      gt(messages.id, agent.memoryMessageId),
      eq(messages.role, 'user'),
      messages.memorable,
    )
  // Of no message where its chat is deleted.
  const lastRead = db.select({ at: messages.createdAt }).from(messages).where(eq(messages.id, agent.memoryMessageId))
  const used = db
    .select({ id: chats.id })
    .from(chats)
    .where(
      and(
        eq(chats.tokenId, tokens.id),
        eq(chats.agentId, agent.id),
        gt(chats.lastActivityAt, sql`coalesce(${lastRead}, '-infinity') - ${margin}`),
        exists(db.select({ id: messages.id }).from(messages).where(isNewIn(chats.id))),
      ),
    )
    .orderBy(desc(chats.lastActivityAt))
    .limit(maxMessages)
    .as('used')
  const said = db
    .select({ id: messages.id, content: messages.content, turnId: messages.turnId })
    .from(messages)
    .where(isNewIn(used.id))
    .orderBy(desc(messages.id))
    .limit(maxMessages)
    .as('said')
  const rows = await db
    .select({ id: said.id, content: said.content, model: replies.model })
    .from(tokens)
    .crossJoinLateral(used)
    .crossJoinLateral(said)
    .innerJoin(replies, and(eq(replies.turnId, said.turnId), sql`${replies.model} is not null`))
    .where(sql`${tokens.userId} in (select ${agent.ownerId}::int union all ${editors})`)
    .orderBy(desc(said.id))
    .limit(maxMessages)
  return rows.reverse()
}

/** An agent, and the workspace that pays for its memory: its owner's. */
const agentToRemember = preparedQuery('memory_agent', (db, name) =>
  db
    .select({ agent: agents, payerWorkspaceId: users.workspaceId })
    .from(agents)
    .innerJoin(users, eq(users.id, agents.ownerId))
    .where(eq(agents.id, sql.placeholder('agentId')))
    .prepare(name),
)

/** What is stored of a look: after which message it has read, until which one, when, and whether there are more. */
interface Looked {
  agentId: number
  after: number
  seen: number
  now: Date
  hasMore: boolean
}

/**
 * Stores what a look has made of a memory as it is by now, and that its messages are read. Returns whether it changed:
 * not where another look has read them meanwhile.
 */
async function keep(tx: Transaction, looked: Looked, change: (draft: MemoryDraft) => void): Promise<boolean> {
  const isAgent = eq(agents.id, looked.agentId)
  const asItIs = { memory: agents.memory, read: agents.memoryMessageId }
  const [row] = await tx.select(asItIs).from(agents).where(isAgent).for('update')
  if (row?.read !== looked.after) return false
  const memory = changedMemory(row.memory, change, looked.now)
  const rest = looked.hasMore ? { memoryTurns: everyTurns } : {}
  await tx
    .update(agents)
    .set({ memory, memoryMessageId: looked.seen, ...rest })
    .where(isAgent)
  return memory !== row.memory
}

/**
 * Looks at what was said to an agent, if it is time to, and returns in how many milliseconds to look again. A model is
 * asked only if one that costs something is there, and replied to any of it. Messages count as read once what came of
 * them is stored.
 * @param isAskedFor whether it is time to, as soon as anything was said
 */
export async function look(
  parts: MemoryParts,
  agentId: number,
  isAskedFor: boolean,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { db, clock, models, slots, times } = parts
  const [found] = await agentToRemember(db).execute({ agentId })
  if (!found) return undefined
  const { agent, payerWorkspaceId } = found
  const wait = untilLook(parts, agent)
  if (wait === undefined || (wait > 0 && !isAskedFor)) return wait
  const now = clock.now()
  await db.update(agents).set({ memoryTriedAt: now, memoryTurns: 0 }).where(eq(agents.id, agentId))
  const read = await newMessages(db, agent)
  const last = read.at(-1)
  if (!last) return undefined
  const said = read.map(({ content }) => content.slice(0, maxMessageLength).toWellFormed())
  const looked = { agentId, after: agent.memoryMessageId, seen: last.id, now, hasMore: false }
  if (!asksAModel(parts) || read.every(({ model }) => model === localModelId)) {
    await db.transaction((tx) => keep(tx, looked, (draft) => learnByRules(said, draft)))
    return undefined
  }
  const model = models.default
  const known = notesIn(agent.memory)
  const { contextTokens, outputTokens } = boundsOf(model, parts.bounds)
  const userMessages = await fittingMessages(said, known, contextTokens)
  const seen = read[userMessages.length - 1]?.id ?? last.id
  const part = { ...looked, seen, hasMore: userMessages.length < read.length }
  const learning = { db, model, outputTokens, payerWorkspaceId, agentId, userMessages, known, times, signal }
  await slots.run(payerWorkspaceId, () =>
    learnByAsking(learning, (tx, change) => keep(tx, part, (draft) => applyChange(draft, change, known))),
  )
  return part.hasMore ? 0 : undefined
}

/**
 * Notes that a look has failed, so that the next one reads the same messages again. Returns in how many milliseconds.
 */
export async function lookAgain(parts: MemoryParts, agentId: number): Promise<number | undefined> {
  const [times] = await parts.db
    .update(agents)
    .set({ memoryTriedAt: parts.clock.now(), memoryTurns: 1 })
    .where(eq(agents.id, agentId))
    .returning(memoryTimes)
  return times && untilLook(parts, times)
}
