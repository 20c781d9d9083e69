import type { Vapi } from '@vapi-ai/server-sdk'
import { boundsOf, dayNamer, type Period } from './days.ts'
import { figuresOf } from './figures.ts'
import { type CallTotals, createTotals, sumsOf } from './totals.ts'

/** A page of an assistant's calls, newest first. */
export interface CallPage {
  calls: Vapi.Call[]
  total: number
}

/** Which calls of an assistant; those after another one leave their number untold. */
export interface CallWindow {
  limit: number
  offset: number
  after?: { createdAt: string; id: string }
}

/** An assistant's past calls, by its id on the platform. Throws PlatformError. */
export interface CallHistory {
  totals(assistantId: string, period: Period): Promise<CallTotals>
  page(assistantId: string, window: CallWindow): Promise<CallPage>
  /** How many calls these assistants have had since then; a platform without totals of its own is asked for 1,000. */
  countSince(assistantIds: readonly string[], since: Date): Promise<number>
}

type List = (filter: Vapi.ListCallsRequest) => Promise<Vapi.Call[]>

/** At most 20,000 calls are read for one response. */
const defaults = { pageSize: 1000, maxPages: 20 }

/**
 * Walks an assistant's calls backwards in time, a page at a time: the platform has no cursor. Each page begins at the
 * time of the last call seen, which it holds again, because several calls may share that time. Returns whether
 * there were more.
 */
async function* pages(
  list: List,
  filter: Vapi.ListCallsRequest,
  { pageSize, maxPages }: typeof defaults,
): AsyncGenerator<Vapi.Call[], boolean> {
  const seen = new Set<string>()
  let { createdAtLe } = filter
  for (let count = 0; count < maxPages; count++) {
    const page = await list({ ...filter, limit: pageSize, createdAtLe })
    const fresh = page.filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    yield fresh
    if (page.length < pageSize) return false
    // A whole page of one time: there is no way past it.
    if (fresh.length === 0) return true
    createdAtLe = page.at(-1)?.createdAt
  }
  return true
}

/** Not every platform keeps to the filter; a call without a readable time is taken as it was given. */
const isWithin = (createdAt: Date, { from, to }: ReturnType<typeof boundsOf>) =>
  createdAt.getTime() === 0 || (createdAt >= from && createdAt < to)

/** The history of any platform: by paging through its calls. */
export function pagedHistory(list: List, bounds = defaults): CallHistory {
  return {
    async totals(assistantId, period) {
      const within = boundsOf(period)
      const { from, to } = within
      const filter = { assistantId, createdAtGe: from.toISOString(), createdAtLt: to.toISOString() }
      const walk = pages(list, filter, bounds)
      const dayOf = dayNamer(period.timeZone)
      const all = createTotals()
      for (;;) {
        const { done, value } = await walk.next()
        if (done) return all.totals({ truncated: value })
        all.add(
          sumsOf(
            value.map(figuresOf).filter(({ createdAt }) => isWithin(createdAt, within)),
            dayOf,
          ),
        )
      }
    },

    async page(assistantId, { limit, offset, after }) {
      const calls: Vapi.Call[] = []
      if (after) {
        let passed = false
        for await (const page of pages(list, { assistantId, createdAtLe: after.createdAt }, bounds)) {
          const start = passed ? 0 : page.findIndex(({ id }) => id === after.id) + 1
          passed = true
          calls.push(...page.slice(start, start + limit - calls.length))
          if (calls.length === limit) break
        }
        return { calls, total: 0 }
      }
      let total = 0
      for await (const page of pages(list, { assistantId }, bounds)) {
        const start = Math.max(0, offset - total)
        calls.push(...page.slice(start, start + Math.max(0, limit - calls.length)))
        total += page.length
      }
      return { calls, total }
    },

    async countSince(assistantIds, since) {
      const own = new Set<string | undefined>(assistantIds)
      const calls = await list({ createdAtGe: since.toISOString(), limit: bounds.pageSize })
      return calls.filter(({ assistantId }) => own.has(assistantId)).length
    },
  }
}
