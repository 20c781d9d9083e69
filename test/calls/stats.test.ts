import { beforeAll, describe, expect, test } from 'vitest'
import { createStatisticsCache } from '../../src/resources/stats/cache.ts'
import { statisticsOf } from '../../src/resources/stats/statistics.ts'
import { createTotals } from '../../src/voice-platform/calls/totals.ts'
import { createPlatformClient } from '../../src/voice-platform/client.ts'
import { embeddedFetch } from '../../src/voice-platform/embedded/platform.ts'
import { newUser, type TestApp, type TestUser, testApp, testClock } from '../support/app.ts'
import { endedCall, keepCalls, newAssistant } from './call.ts'

const clock = testClock(new Date('2026-03-10T12:00:00.000Z'))
let app: TestApp
/** The same platform, reached like a real one: without what only the embedded one has. */
let live: TestApp
let user: TestUser

beforeAll(async () => {
  app = await testApp({ clock })
  const platform = createPlatformClient({
    baseUrl: 'http://platform.test',
    apiKey: 'sk_test_platform',
    fetch: embeddedFetch(app.platform),
    clock,
    backoffMs: 1,
  })
  live = await testApp({ clock, platform })
  user = await newUser(app.database)
})

const stats = (from: TestApp, id: string, query = '', token = user.token) =>
  from.send('GET', `/assistants/${id}/stats${query}`, { token })

async function assistantWithCalls() {
  const { assistantId, liveId } = await newAssistant(app, user)
  const cost = (total: number) => ({
    cost: total,
    costBreakdown: { stt: 0.01, llm: 0.02, tts: 0.03, vapi: 0.04, total },
  })
  const judged = (successEvaluation: unknown) => ({ analysis: { successEvaluation } })
  await keepCalls(app, [
    endedCall(liveId, '2026-03-07T23:59:59.999Z', 500),
    endedCall(liveId, '2026-03-08T00:00:00.000Z', 60, { ...cost(0.2), ...judged('true'), type: 'inboundPhoneCall' }),
    endedCall(liveId, '2026-03-08T09:00:00.000Z', 30, { ...cost(0.1), ...judged('false'), type: 'outboundPhoneCall' }),
    endedCall(liveId, '2026-03-10T10:00:00.000Z', 120, { ...judged(true), endedReason: 'silence-timed-out' }),
    endedCall(liveId, '2026-03-10T11:00:00.000Z', 0, { ...judged('a checklist'), endedReason: 'customer-busy' }),
    endedCall(liveId, '2026-03-10T11:30:00.000Z', 0, {
      status: 'in-progress',
      endedAt: undefined,
      endedReason: undefined,
    }),
    endedCall(liveId, '2026-03-11T00:00:00.000Z', 700),
  ])
  return assistantId
}

describe('GET /assistants/{assistantId}/stats', () => {
  test.each([
    ['simulated', () => app],
    ['live', () => live],
  ] as const)('adds up the calls of a period, on a platform that is %s', async (source, from) => {
    const assistantId = await assistantWithCalls()
    const answer = await stats(from(), assistantId, '?from=2026-03-08&to=2026-03-10')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      success: true,
      data: {
        assistant_id: assistantId,
        period: { from: '2026-03-08', to: '2026-03-10', timezone: 'UTC' },
        calls: { total: 5, inbound: 1, outbound: 1, web: 3, in_progress: 1 },
        duration: {
          total_seconds: 210,
          total_minutes: 3.5,
          average_seconds: 52.5,
          median_seconds: 45,
          max_seconds: 120,
        },
        success: { evaluated: 3, passed: 2, rate: 0.6667 },
        cost: {
          currency: 'USD',
          total: 0.3,
          average: 0.06,
          breakdown: { transport: 0, transcriber: 0.02, model: 0.04, voice: 0.06, platform: 0.08, other: 0.1 },
        },
        ended_reasons: [
          { reason: 'customer-ended-call', category: 'completed', count: 2, share: 0.5 },
          { reason: 'customer-busy', category: 'not_reached', count: 1, share: 0.25 },
          { reason: 'silence-timed-out', category: 'timed_out', count: 1, share: 0.25 },
        ],
        by_day: [
          { date: '2026-03-08', calls: 2, minutes: 1.5, cost: 0.3 },
          { date: '2026-03-09', calls: 0, minutes: 0, cost: 0 },
          { date: '2026-03-10', calls: 3, minutes: 2, cost: 0 },
        ],
        first_call_at: '2026-03-08T00:00:00.000Z',
        last_call_at: '2026-03-10T11:30:00.000Z',
        source,
        computed_at: '2026-03-10T12:00:00.000Z',
        truncated: false,
      },
    })
  })

  test('says null where nothing was evaluated, and fills the last 30 days', async () => {
    const { assistantId } = await newAssistant(app, user)
    const { data } = await (await stats(app, assistantId)).json()
    expect(data).toMatchObject({
      period: { from: '2026-02-09', to: '2026-03-10' },
      calls: { total: 0 },
      duration: { average_seconds: 0, median_seconds: 0 },
      success: { evaluated: 0, passed: 0, rate: null },
      ended_reasons: [],
      first_call_at: null,
      last_call_at: null,
    })
    expect(data.by_day).toHaveLength(30)
  })

  test.each([
    ['simulated', () => app],
    ['live', () => live],
  ] as const)('counts days as they are in a time zone, on a platform that is %s', async (_, from) => {
    const assistantId = await assistantWithCalls()
    const { data } = await (
      await stats(from(), assistantId, '?from=2026-03-07&to=2026-03-08&timezone=America/New_York')
    ).json()
    expect(data.period).toEqual({ from: '2026-03-07', to: '2026-03-08', timezone: 'America/New_York' })
    expect(data.by_day).toEqual([
      { date: '2026-03-07', calls: 2, minutes: 9.33, cost: 0.2 },
      { date: '2026-03-08', calls: 1, minutes: 0.5, cost: 0.1 },
    ])
    const kiritimati = await stats(from(), assistantId, '?timezone=Pacific/Kiritimati')
    expect((await kiritimati.json()).data.period).toMatchObject({ from: '2026-02-10', to: '2026-03-11' })
  })

  test('counts days in UTC where the time zone is empty', async () => {
    const { assistantId } = await newAssistant(app, user)
    const response = await stats(app, assistantId, '?timezone=')
    expect([response.status, (await response.json()).data?.period.timezone]).toEqual([200, 'UTC'])
  })

  test('counts the period alone, also on a platform that gives every call', async () => {
    const assistantId = await assistantWithCalls()
    const reach = embeddedFetch(app.platform)
    const platform = createPlatformClient({
      baseUrl: 'http://platform.test',
      apiKey: 'sk_test_platform',
      fetch: (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input)
        for (const name of ['createdAtGe', 'createdAtLt']) url.searchParams.delete(name)
        return reach(url, init)
      },
      clock,
    })
    const heedless = await testApp({ clock, platform })
    const { data } = await (await stats(heedless, assistantId, '?from=2026-03-08&to=2026-03-08')).json()
    expect(data.calls.total).toBe(2)
    expect([data.first_call_at, data.last_call_at]).toEqual(['2026-03-08T00:00:00.000Z', '2026-03-08T09:00:00.000Z'])
  })

  test('keeps an answer for a while', async () => {
    const own = testClock(new Date('2026-03-10T12:00:00.000Z'))
    const cached = await testApp({ clock: own })
    const { assistantId, liveId } = await newAssistant(cached, user)
    const total = async () => (await (await stats(cached, assistantId)).json()).data.calls.total
    expect(await total()).toBe(0)
    await keepCalls(cached, [endedCall(liveId, '2026-03-10T10:00:00.000Z', 60)])
    expect(await total()).toBe(0)
    own.advance(1_001)
    expect(await total()).toBe(1)
  })

  test.each([
    ['?from=2026-13-01', 'from', 'The from field must be a valid date (YYYY-MM-DD).'],
    ['?timezone=Mars/Olympus', 'timezone', 'The timezone field must be a time zone such as Europe/Berlin.'],
    ['?from=yesterday', 'from', 'The from field must be a valid date (YYYY-MM-DD).'],
    ['?to=0000-01-01', 'to', 'The to field must be in the years 1900 to 9998.'],
    ['?to=9999-12-31', 'to', 'The to field must be in the years 1900 to 9998.'],
    ['?from=2026-03-09&to=2026-03-08', 'from', 'The from field must not be after the to field.'],
    ['?from=2026-03-11', 'from', 'The from field must not be after the to field.'],
    ['?from=2025-01-01&to=2026-01-02', 'to', 'The period must not be longer than 366 days.'],
  ])('refuses %s', async (query, field, text) => {
    const { assistantId } = await newAssistant(app, user)
    const answer = await stats(app, assistantId, query)
    expect(answer.status).toBe(422)
    expect(await answer.json()).toEqual({ success: false, message: text, errors: { [field]: [text] } })
  })

  test('does not take a time that cannot be read for that of the first call', async () => {
    const { assistantId } = await newAssistant(app, user)
    const body = [
      { id: 'one', createdAt: 'soon' },
      { id: 'two', createdAt: '2026-03-08T10:00:00.000Z' },
    ]
    app.platform.faults.add({ method: 'GET', path: /^\/call/, mode: 'status', status: 200, body })
    const { data } = await (await stats(live, assistantId, '?from=2026-03-08&to=2026-03-10')).json()
    expect(data).toMatchObject({
      calls: { total: 2 },
      first_call_at: '2026-03-08T10:00:00.000Z',
      last_call_at: '2026-03-08T10:00:00.000Z',
    })
  })

  test('says so when the platform fails, and asks again the next time', async () => {
    const { assistantId } = await newAssistant(app, user)
    app.platform.faults.add({ method: 'GET', path: /totals/, mode: 'status', status: 503, times: 3 })
    const failed = await stats(app, assistantId)
    expect(failed.status).toBe(500)
    expect(await failed.json()).toEqual({ success: false, message: 'Failed to get assistant statistics' })
    expect((await stats(app, assistantId)).status).toBe(200)
  })

  test("knows nothing of another workspace's assistant", async () => {
    const { assistantId } = await newAssistant(app, user)
    const answer = await stats(app, assistantId, '', (await newUser(app.database)).token)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ success: false, message: 'Assistant not found' })
  })
})

describe('GET /assistants/{assistantId}/calls', () => {
  test.each([
    ['embedded', () => app],
    ['live', () => live],
  ] as const)('pages the calls of an assistant, newest first, on the %s platform', async (_, from) => {
    const { assistantId, liveId } = await newAssistant(app, user)
    const days = ['2026-03-06', '2026-03-07', '2026-03-08']
    await keepCalls(
      app,
      days.map((day, index) =>
        endedCall(liveId, `${day}T10:00:00.000Z`, 30 * (index + 1), {
          cost: 0.05,
          analysis: { summary: `On ${day}` },
          artifact: { transcript: 'AI: Hello\n' },
        }),
      ),
    )
    const page = async (query: string) =>
      (await from().send('GET', `/assistants/${assistantId}/calls${query}`, { token: user.token })).json()
    const first = await page('?per_page=2')
    expect(first.data[0]).toEqual({
      id: expect.any(String),
      type: 'webCall',
      status: 'ended',
      started_at: '2026-03-08T10:00:00.000Z',
      ended_at: '2026-03-08T10:01:30.000Z',
      duration_seconds: 90,
      ended_reason: 'customer-ended-call',
      cost: 0.05,
      summary: 'On 2026-03-08',
      transcript: 'AI: Hello\n',
    })
    expect(first.pagination).toEqual({ current_page: 1, last_page: 2, per_page: 2, total: 3, from: 1, to: 2 })
    const second = await page('?per_page=2&page=2')
    expect(second.data.map(({ summary }: { summary: string }) => summary)).toEqual(['On 2026-03-06'])
    expect(second.pagination).toMatchObject({ from: 3, to: 3 })
  })

  test('shows what it can of a call with values of other types', async () => {
    const { assistantId } = await newAssistant(app, user)
    const odd = {
      id: 'odd',
      type: 7,
      status: {},
      startedAt: 'soon',
      endedAt: 5,
      cost: 'free',
      analysis: { summary: 1 },
    }
    const body = [
      { ...odd, artifact: 'none', endedReason: 3 },
      { id: 'times', startedAt: '2026-03-01T10:00:00Z', artifact: { transcript: '' } },
    ]
    app.platform.faults.add({ method: 'GET', path: /^\/call/, mode: 'status', status: 200, body })
    const answer = await live.send('GET', `/assistants/${assistantId}/calls`, { token: user.token })
    expect(answer.status).toBe(200)
    const nothing = { type: null, status: null, started_at: null, ended_at: null, duration_seconds: null }
    const call = { ...nothing, ended_reason: null, cost: null, summary: null, transcript: null }
    expect((await answer.json()).data).toEqual([
      { ...call, id: 'odd' },
      { ...call, id: 'times', started_at: '2026-03-01T10:00:00.000Z', transcript: '' },
    ])
  })

  test('is 502 when the platform fails', async () => {
    const { assistantId } = await newAssistant(app, user)
    app.platform.faults.add({ method: 'GET', path: /simulation/, mode: 'status', status: 500, times: 3 })
    const answer = await app.send('GET', `/assistants/${assistantId}/calls`, { token: user.token })
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ success: false })
  })
})

test('statistics that take longer than they are kept are worked out once for all who ask, and kept from then on', async () => {
  const cache = createStatisticsCache()
  let [now, begun] = [0, 0]
  const made = Promise.withResolvers<ReturnType<typeof statisticsOf>>()
  const ask = () =>
    cache.get('one', { now: () => new Date(now) }, () => {
      begun++
      return made.promise
    })
  const asked = [ask()]
  now = 5_000
  asked.push(ask())
  const period = { first: '2026-03-01', last: '2026-03-01', timeZone: 'UTC' }
  const about = { assistantId: 'a', period, source: 'live', computedAt: new Date(now) } as const
  made.resolve(statisticsOf(createTotals().totals({ truncated: false }), about))
  await Promise.all(asked)
  now = 5_999
  await ask()
  expect(begun).toBe(1)
  now = 6_000
  await ask()
  expect(begun).toBe(2)
})
