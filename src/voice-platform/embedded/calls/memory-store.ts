import { boundsOf, dayNamer } from '../../calls/days.ts'
import { figuresOf } from '../../calls/figures.ts'
import { createTotals, sumsOf } from '../../calls/totals.ts'
import { isWithin } from '../store/memory-store.ts'
import type { PlatformObject } from '../store/store.ts'
import type { CallStore } from './store.ts'

/** Calls that are gone with the process; nothing is sent about them. */
export function createMemoryCallStore(): CallStore {
  const calls = new Map<string, PlatformObject>()
  const newestFirst = () => [...calls.values()].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  const copyOf = (call: PlatformObject | undefined) => (call ? structuredClone(call) : null)
  const change = (call: PlatformObject): boolean => {
    const running = calls.get(call.id)
    if (!running || running.body.status === 'ended') return false
    calls.set(call.id, structuredClone(call))
    return true
  }
  return {
    find: async (id) => copyOf(calls.get(id)),
    async remove(id) {
      const found = copyOf(calls.get(id))
      calls.delete(id)
      return found
    },
    async add(call) {
      if (calls.has(call.id)) return false
      calls.set(call.id, structuredClone(call))
      return true
    },
    list: async ({ limit, createdAt, updatedAt, ...ids }) =>
      newestFirst()
        .filter((call) => isWithin(call.createdAt, createdAt) && isWithin(call.updatedAt, updatedAt))
        .filter(({ id, body }) =>
          Object.entries(ids).every(([name, value]) => value === undefined || { ...body, id }[name] === value),
        )
        .slice(0, limit)
        .map((call) => structuredClone(call)),
    async totals(assistantId, period) {
      const { from, to } = boundsOf(period)
      const mine = newestFirst().filter(
        ({ body, createdAt }) => body.assistantId === assistantId && isWithin(createdAt, { ge: from, lt: to }),
      )
      const figures = mine.map(({ body, createdAt }) => figuresOf({ ...body, createdAt: createdAt.toISOString() }))
      const all = createTotals()
      all.add(sumsOf(figures, dayNamer(period.timeZone)))
      return all.totals({ truncated: false })
    },
    countSince: async (assistantIds, since) =>
      newestFirst().filter(
        ({ body, createdAt }) => createdAt >= since && assistantIds.some((id) => id === body.assistantId),
      ).length,
    async page(assistantId, { limit, offset: from, after }) {
      const mine = newestFirst().filter(({ body }) => body.assistantId === assistantId)
      const offset = after ? mine.findIndex(({ id }) => id === after.id) + 1 : from
      return { calls: mine.slice(offset, offset + limit).map((call) => structuredClone(call)), total: mine.length }
    },
    update: async (call) => change(call),
    end: async (call) => change(call),
    async hold() {},
    keeperOf: () => undefined,
    // They are gone with the process that simulated them.
    takeAbandoned: async () => [],
  }
}
