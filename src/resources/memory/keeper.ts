import { and, desc, eq, gt, or, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Database } from '../../db/client.ts'
import { tryLease } from '../../db/lease/lease.ts'
import { preparedQuery } from '../../db/prepared/query.ts'
import { GenerationFailedError } from '../../language-model/failure.ts'
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
import { changedMemory, notesIn } from './notes.ts'
import { learnByRules } from './rules.ts'

/** Keeps the memories of agents, beside the turns that they are made from. */
export interface MemoryKeeper {
  /**
   * Looks at what was said to an agent, if it is time to; returns at once.
   * @param times of the agent after a turn, where they are known: most turns end with them
   */
  learn(agentId: number, times?: MemoryTimes): void
  /** Resolves when nothing is looked at any more. */
  idle(): Promise<void>
  /** Ends what is under way. */
  close(): Promise<void>
}

/** What a keeper works with. */
export interface MemoryParts {
  db: Database
  clock: Clock
  log: Logger
  models: Models
  slots: Slots
  times: TurnTimes
  /** False: nothing is ever remembered on this installation. */
  enabled: boolean
}

const everyTurns = 6
const everyMs = 10 * 60_000
const maxMessages = 40
const maxMessageLength = 2_000
const leaseMs = 8_000

const asksAModel = ({ models }: MemoryParts) => models.default.id !== localModelId

/**
 * Every six turns or ten minutes. The rules cost nothing and look at the first turn as well; a model's request is paid,
 * and none follows the first turns of a new agent (contract: agents 25).
 */
function isDue(parts: MemoryParts, { memoryTriedAt, memoryTurns, createdAt }: MemoryTimes): boolean {
  const since = memoryTriedAt ?? (asksAModel(parts) ? createdAt : null)
  return since === null || memoryTurns >= everyTurns || parts.clock.now().getTime() - since.getTime() >= everyMs
}

/**
 * What the owner and the editors of an agent said since the last look, as such: chats are private to a token while the
 * memory shows to everyone, so that nobody else's turns count, nor what was said before somebody became an editor or by
 * one who is none any more, and no reply, file or tool output does.
 */
async function newMessages(db: Database, agent: AgentRow) {
  const rows = await db
    .select({ id: messages.id, content: messages.content })
    .from(messages)
    .innerJoin(chats, eq(chats.id, messages.chatId))
    .innerJoin(tokens, eq(tokens.id, chats.tokenId))
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

async function look(parts: MemoryParts, agentId: number, signal: AbortSignal): Promise<void> {
  const { db, clock, models, slots, times } = parts
  const now = clock.now()
  const [found] = await agentToRemember(db).execute({ agentId })
  if (!found || !isDue(parts, found.agent)) return
  const { agent, payerWorkspaceId } = found
  const read = await newMessages(db, agent)
  const seen = read.at(-1)?.id ?? agent.memoryMessageId
  await db
    .update(agents)
    .set({ memoryTriedAt: now, memoryTurns: 0, memoryMessageId: seen })
    .where(eq(agents.id, agentId))
  if (read.length === 0) return
  const userMessages = read.map(({ content }) => content.slice(0, maxMessageLength).toWellFormed())
  const known = notesIn(agent.memory)
  const change = asksAModel(parts)
    ? await slots.run(payerWorkspaceId, () =>
        learnByAsking({ db, model: models.default, payerWorkspaceId, agentId, userMessages, known, times, signal }),
      )
    : learnByRules(userMessages, known)
  const memory = changedMemory(agent.memory, change, now)
  if (memory === agent.memory) return
  const unchanged = sql`${agents.memory} is not distinct from ${agent.memory}`
  await db
    .update(agents)
    .set({ memory })
    .where(and(eq(agents.id, agentId), unchanged))
}

/** Makes the keeper of all agents' memories: at most every six turns or ten minutes for each. */
export function createMemoryKeeper(parts: MemoryParts): MemoryKeeper {
  const ending = new AbortController()
  const underWay = new Set<Promise<void>>()
  const lookOnce = async (agentId: number) => {
    try {
      await tryLease(parts.db, `memory:${agentId}`, { ttlMs: leaseMs }, () => look(parts, agentId, ending.signal))
    } catch (error) {
      if (ending.signal.aborted) return
      const reason =
        error instanceof GenerationFailedError ? error.reason : error instanceof ApiError ? error.code : undefined
      parts.log.warn(
        { event: 'memory_failed', agentId, ...(reason ? { reason } : { err: error }) },
        'nothing was remembered',
      )
    }
  }
  const idle = async () => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return {
    learn(agentId, times) {
      if (!parts.enabled || ending.signal.aborted || (times && !isDue(parts, times))) return
      const work: Promise<void> = lookOnce(agentId).finally(() => underWay.delete(work))
      underWay.add(work)
    },
    idle,
    async close() {
      ending.abort()
      await idle()
    },
  }
}
