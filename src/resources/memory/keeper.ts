import { ApiError } from '../../api/errors/api-error.ts'
import { LeaseTimeoutError, withLease } from '../../db/lease/lease.ts'
import { GenerationFailedError } from '../../language-model/failure.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { MemoryTimes } from '../agents/table.ts'
import { isDoneAtOnce, look, lookAgain, type MemoryParts, untilLook } from './look.ts'

/** Keeps the memories of agents, beside the turns that they are made from. */
export interface MemoryKeeper {
  /**
   * Looks at what was said to an agent once it is time to; returns at once. What waits when the process ends is looked
   * at after the agent's next turn.
   * @param said the message of the turn
   * @param times of the agent after a turn, where they are known
   */
  learn(agentId: number, said: string, times?: MemoryTimes): void
  /** Resolves when nothing is looked at any more; what waits for an agent to rest is not waited for. */
  idle(): Promise<void>
  /** Ends what is under way and what waits. */
  close(): Promise<void>
}

/** What a keeper works with. */
export interface KeeperParts extends MemoryParts {
  timers: Timers
  /** False: nothing is ever remembered on this installation. */
  enabled: boolean
}

const leaseMs = 8_000

/** Makes the keeper of all agents' memories. A failure is logged, and leaves the memory as it was. */
export function createMemoryKeeper(parts: KeeperParts): MemoryKeeper {
  const { db, log, timers } = parts
  const ending = new AbortController()
  const underWay = new Set<Promise<void>>()
  /** What takes back the look at an agent that is waited for. */
  const waiting = new Map<number, () => void>()

  /** Returns in how many milliseconds to look again. */
  const lookOnce = async (agentId: number, isAskedFor: boolean): Promise<number | undefined> => {
    const { signal } = ending
    try {
      return await withLease(db, `memory:${agentId}`, { ttlMs: leaseMs, waitMs: leaseMs, signal, timers }, () =>
        look(parts, agentId, isAskedFor, signal),
      )
    } catch (error) {
      if (signal.aborted) return undefined
      // Somebody else looks for long, maybe not at the newest message.
      if (error instanceof LeaseTimeoutError) return leaseMs
      const reason =
        error instanceof GenerationFailedError ? error.reason : error instanceof ApiError ? error.code : undefined
      log.warn({ event: 'memory_failed', agentId, ...(reason ? { reason } : { err: error }) }, 'nothing was remembered')
      // A database that is out of reach keeps what was noted before.
      return lookAgain(parts, agentId).catch(() => undefined)
    }
  }

  const lookNow = (agentId: number, isAskedFor: boolean) => {
    const work: Promise<void> = lookOnce(agentId, isAskedFor)
      .then((waitMs) => {
        if (!waiting.has(agentId)) lookIn(agentId, waitMs)
      })
      .finally(() => underWay.delete(work))
    underWay.add(work)
  }

  const lookIn = (agentId: number, waitMs: number | undefined, isAskedFor = false) => {
    waiting.get(agentId)?.()
    waiting.delete(agentId)
    if (waitMs === undefined || ending.signal.aborted) return
    if (waitMs === 0) return lookNow(agentId, isAskedFor)
    const cancel = timers.after(waitMs, () => {
      waiting.delete(agentId)
      lookNow(agentId, false)
    })
    waiting.set(agentId, cancel)
  }

  const idle = async () => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return {
    learn(agentId, said, times) {
      if (!parts.enabled) return
      const isAskedFor = isDoneAtOnce(parts, said)
      lookIn(agentId, isAskedFor || !times ? 0 : untilLook(parts, times), isAskedFor)
    },
    idle,
    async close() {
      ending.abort()
      for (const cancel of waiting.values()) cancel()
      waiting.clear()
      await idle()
    },
  }
}
