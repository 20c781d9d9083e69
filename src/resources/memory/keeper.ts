import { ApiError } from '../../api/errors/api-error.ts'
import { tryLease } from '../../db/lease/lease.ts'
import { GenerationFailedError } from '../../language-model/failure.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { MemoryTimes } from '../agents/table.ts'
import { look, type MemoryParts, untilLook } from './look.ts'

/** Keeps the memories of agents, beside the turns that they are made from. */
export interface MemoryKeeper {
  /**
   * Looks at what was said to an agent once it is time to; returns at once.
   * @param times of the agent after a turn, where they are known
   */
  learn(agentId: number, times?: MemoryTimes): void
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

  const lookOnce = async (agentId: number) => {
    const { signal } = ending
    try {
      const looked = await tryLease(db, `memory:${agentId}`, { ttlMs: leaseMs, timers }, () =>
        look(parts, agentId, signal),
      )
      // It had a turn meanwhile, maybe of another instance, whose own look may never come.
      if (looked.acquired && looked.value !== undefined && !waiting.has(agentId)) lookIn(agentId, looked.value)
    } catch (error) {
      if (signal.aborted) return
      const reason =
        error instanceof GenerationFailedError ? error.reason : error instanceof ApiError ? error.code : undefined
      log.warn({ event: 'memory_failed', agentId, ...(reason ? { reason } : { err: error }) }, 'nothing was remembered')
    }
  }

  const lookNow = (agentId: number) => {
    const work: Promise<void> = lookOnce(agentId).finally(() => underWay.delete(work))
    underWay.add(work)
  }

  const lookIn = (agentId: number, waitMs: number | undefined) => {
    waiting.get(agentId)?.()
    waiting.delete(agentId)
    if (waitMs === undefined || ending.signal.aborted) return
    if (waitMs === 0) return lookNow(agentId)
    const cancel = timers.after(waitMs, () => {
      waiting.delete(agentId)
      lookNow(agentId)
    })
    waiting.set(agentId, cancel)
  }

  const idle = async () => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return {
    learn(agentId, times) {
      if (parts.enabled) lookIn(agentId, times ? untilLook(parts, times) : 0)
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
