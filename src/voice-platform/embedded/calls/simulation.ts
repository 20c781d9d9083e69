import { setTimeout as wait } from 'node:timers/promises'
import { Elysia } from 'elysia'
import { z } from 'zod'
import { ifInTime } from '../../../runtime/deadline.ts'
import { isTimeZone } from '../../../runtime/time-zone.ts'
import { type EmbeddedContext, publicForm, readJson } from '../resource.ts'
import { notFound } from '../responses.ts'
import { validate } from '../validate.ts'
import { idOf } from './calls.ts'
import { simulateCall } from './schema.ts'
import type { RunningCall, Simulator } from './simulator.ts'
import type { CallStore } from './store.ts'

/** A simulated call that takes longer than this is returned as it is then, and goes on. */
const maxWaitMs = 15_000
/** How often it is looked whether a call that another process runs has ended. */
const lookEveryMs = 250

const day = z.iso.date()
const TotalsQuery = z.strictObject({
  assistantId: z.guid(),
  first: day,
  last: day,
  timeZone: z.string().refine(isTimeZone),
})
const PageQuery = z.strictObject({
  assistantId: z.guid(),
  limit: z.coerce.number().int().min(1).max(1000),
  offset: z.coerce.number().int().min(0),
  afterTime: z.iso.datetime().optional(),
  afterId: z.guid().optional(),
})

const CountsQuery = z.strictObject({
  assistantIds: z.array(z.guid()).max(10_000),
  since: z.iso.datetime(),
})

interface SimulationParts {
  calls: CallStore
  simulator: Simulator
  /** Whether a language model can play a caller. */
  plays: boolean
}

/** Resolves once a call that another process runs has ended, or nobody waits for that any more. */
async function endedElsewhere(calls: CallStore, id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const call = await calls.find(id)
    if (!call || call.body.status === 'ended') return
    await wait(lookEveryMs, undefined, { signal }).catch(() => {})
  }
}

/** What only the embedded platform has, all under one path: calls with a scripted caller, and its calls added up. */
export function simulationRoutes({ orgId }: EmbeddedContext, { calls, simulator, plays }: SimulationParts) {
  const SimulateCall = simulateCall(plays)

  /** A call once it has ended, or as it is when that takes too long. */
  const outcomeOf = async ({ call, ended }: RunningCall) => {
    const waited = new AbortController()
    const ending = ended ?? endedElsewhere(calls, call.id, waited.signal)
    await ifInTime(ending, maxWaitMs).finally(() => waited.abort())
    return publicForm((await calls.find(call.id)) ?? call, orgId)
  }

  return new Elysia({ prefix: '/simulation' })
    .post(
      '/calls',
      async ({ request, status }) => {
        const body = validate(SimulateCall, await readJson(request))
        const { assistantId, ...called } = SimulateCall.parse(body)
        // A number's own routing decides who answers it.
        const target = called.phoneNumberId === undefined ? { assistantId } : {}
        return status(201, await outcomeOf(await simulator.begin({ ...called, ...target, direction: 'inbound' })))
      },
      { parse: 'none' },
    )
    .get('/calls/:id', async ({ params }) => {
      const found = await simulator.find(idOf(params.id))
      if (!found) throw notFound("Couldn't find call.")
      return outcomeOf(found)
    })
    .post(
      '/counts',
      async ({ request }) => {
        const { assistantIds, since } = CountsQuery.parse(validate(CountsQuery, await readJson(request)))
        return { count: await calls.countSince(assistantIds, new Date(since)) }
      },
      { parse: 'none' },
    )
    .get('/totals', ({ query }) => {
      const { assistantId, ...period } = TotalsQuery.parse(validate(TotalsQuery, query))
      return calls.totals(assistantId, period)
    })
    .get('/calls', async ({ query }) => {
      validate(PageQuery, query)
      const { assistantId, afterTime: createdAt, afterId: id, ...window } = PageQuery.parse(query)
      const after = createdAt !== undefined && id !== undefined ? { createdAt, id } : undefined
      const page = await calls.page(assistantId, { ...window, after })
      return { total: page.total, calls: page.calls.map((call) => publicForm(call, orgId)) }
    })
}
