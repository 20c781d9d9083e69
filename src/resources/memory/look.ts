import { and, desc, eq, gt, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Logger } from 'pino'
import type { Database, Executor } from '../../db/client.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import { localModelId } from '../../language-model/local/sources.ts'
import type { Models } from '../../language-model/models.ts'
import type { TurnTimes } from '../../language-model/turn.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Slots } from '../../runtime/slots.ts'
import { type AgentRow, agents, type MemoryTimes } from '../agents/table.ts'
import { chats } from '../chats/table.ts'
import { messages } from '../messages/table.ts'
import { shares } from '../shares/table.ts'
import { tokens } from '../tokens/table.ts'
import { users } from '../users/table.ts'
import { learnByAsking } from './ask.ts'
import { applyChange, changedMemory, type MemoryDraft, notesIn } from './notes.ts'
import { learnByRules } from './rules.ts'

/** What a look at an agent's memory works with. */
export interface MemoryParts {
  db: Database
  clock: Clock
  log: Logger
  models: Models
  slots: Slots
  times: TurnTimes
}

const everyTurns = 6
const everyMs = 10 * 60_000
/** How long nobody has sent an agent a turn before a model is asked: its charge comes between no two turns. */
const restMs = 60_000
const turnsWithoutRest = 60
const maxMessages = turnsWithoutRest
const maxMessageLength = 2_000

const asksAModel = ({ models }: MemoryParts) => models.default.id !== localModelId

/**
 * In how many milliseconds an agent is looked at if nobody sends it another turn; undefined: not before it has another.
 * Every six turns or ten minutes. The rules cost nothing, look at the first turn as well and at once. A model's request is
 * paid: none follows the first turns of a new agent, and each waits until the agent rests (contract: agents 25).
 */
export function untilLook(parts: MemoryParts, agent: MemoryTimes): number | undefined {
  const { memoryTriedAt, memoryTurns, createdAt, lastActivityAt } = agent
  const now = parts.clock.now().getTime()
  const asks = asksAModel(parts)
  const waits = asks && memoryTurns < turnsWithoutRest
  const rest = waits ? Math.min(restMs, Math.max(0, lastActivityAt.getTime() + restMs - now)) : 0
  const since = memoryTriedAt ?? (asks ? createdAt : null)
  const isDue = since === null || memoryTurns >= everyTurns || now + rest - since.getTime() >= everyMs
  return isDue ? rest : undefined
}

const replies = alias(messages, 'replies')

/**
 * What the owner and the editors of an agent said since the last look, as such, and which model replied: chats are private
 * to a token while the memory shows to everyone, so that nobody else's turns count, nor what was said before somebody became
 * an editor or by one who is none any more, and no reply, file or tool output does.
 */
async function newMessages(db: Database, agent: AgentRow) {
  const rows = await db
    .select({ id: messages.id, content: messages.content, model: replies.model })
    .from(messages)
    .innerJoin(chats, eq(chats.id, messages.chatId))
    .innerJoin(tokens, eq(tokens.id, chats.tokenId))
    .innerJoin(replies, and(eq(replies.turnId, messages.turnId), sql`${replies.model} is not null`))
    .leftJoin(shares, and(eq(shares.agentId, chats.agentId), eq(shares.userId, tokens.userId)))
    .where(
      and(
        eq(chats.agentId, agent.id),
        gt(messages.id, agent.memoryMessageId),
        eq(messages.role, 'user'),
        messages.memorable,
        or(eq(tokens.userId, agent.ownerId), eq(shares.access, 'edit')),
      ),
    )
    .orderBy(desc(messages.id))
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

/** Stores what a change makes of a memory, unless that is nothing or the memory is another by now. Returns whether it did. */
async function keep(
  executor: Executor,
  agent: AgentRow,
  change: (draft: MemoryDraft) => void,
  now: Date,
): Promise<boolean> {
  const memory = changedMemory(agent.memory, change, now)
  if (memory === agent.memory) return false
  const unchanged = sql`${agents.memory} is not distinct from ${agent.memory}`
  const changed = await executor
    .update(agents)
    .set({ memory })
    .where(and(eq(agents.id, agent.id), unchanged))
    .returning({ id: agents.id })
  return changed.length > 0
}

/**
 * Looks at what was said to an agent, if it is time to; else returns `untilLook`. A model is asked only if one that costs
 * something replied to any of it.
 */
export async function look(parts: MemoryParts, agentId: number, signal: AbortSignal): Promise<number | undefined> {
  const { db, clock, models, slots, times } = parts
  const [found] = await agentToRemember(db).execute({ agentId })
  const wait = found && untilLook(parts, found.agent)
  if (!found || wait !== 0) return wait
  const { agent, payerWorkspaceId } = found
  const now = clock.now()
  const read = await newMessages(db, agent)
  const seen = read.at(-1)?.id ?? agent.memoryMessageId
  await db
    .update(agents)
    .set({ memoryTriedAt: now, memoryTurns: 0, memoryMessageId: seen })
    .where(eq(agents.id, agentId))
  if (read.length === 0) return undefined
  const userMessages = read.map(({ content }) => content.slice(0, maxMessageLength).toWellFormed())
  const known = notesIn(agent.memory)
  if (read.every(({ model }) => model === localModelId)) {
    await keep(db, agent, (draft) => learnByRules(userMessages, draft), now)
    return undefined
  }
  const learning = { db, model: models.default, payerWorkspaceId, agentId, userMessages, known, times, signal }
  await slots.run(payerWorkspaceId, () =>
    learnByAsking(learning, (tx, change) => keep(tx, agent, (draft) => applyChange(draft, change, known), now)),
  )
  return undefined
}
