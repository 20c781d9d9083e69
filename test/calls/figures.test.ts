import { Vapi } from '@vapi-ai/server-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endedCategory } from '../../src/resources/stats/ended-reasons.ts'
import { passedOf } from '../../src/voice-platform/calls/figures.ts'
import { pagedHistory } from '../../src/voice-platform/calls/history.ts'
import { createMemoryCallStore } from '../../src/voice-platform/embedded/calls/memory-store.ts'
import { createCallStore } from '../../src/voice-platform/embedded/calls/store.ts'
import type { PlatformObject } from '../../src/voice-platform/embedded/store/store.ts'
import { testDatabase } from '../support/database.ts'
import { createRig } from '../support/voice-platform/embedded.ts'
import { createRandom } from '../support/voice-platform/random-assistant.ts'
import { endedCall } from './call.ts'

test.each([
  [true, true],
  ['true', true],
  ['Pass', true],
  ['false', false],
  ['8', true],
  ['5', false],
  ['7/10', true],
  ['85%', true],
  ['40', false],
  ['Excellent', true],
  ['Poor', false],
  ['Strongly Agree', true],
  ['- greeted: yes', null],
  ['', null],
  [null, null],
  [undefined, null],
])('an evaluation of %j passed: %j', (evaluation, passed) => {
  expect(passedOf(evaluation)).toBe(passed)
})

test('each reason that is no error has its category, and every other one is an error', () => {
  const reasons = Object.values(Vapi.CallEndedReason)
  expect(reasons.length).toBeGreaterThan(500)
  const byCategory = Object.groupBy(reasons, endedCategory)
  const { error = [], ...others } = byCategory
  expect(others).toEqual({
    completed: expect.arrayContaining([
      'customer-ended-call',
      'assistant-ended-call',
      'assistant-said-end-call-phrase',
      'call.in-progress.twilio-completed-call',
      'call.ringing.hook-executed-say',
      'vonage-completed',
    ]),
    transferred: expect.arrayContaining(['assistant-forwarded-call', 'call.ringing.hook-executed-transfer']),
    voicemail: ['voicemail'],
    not_reached: expect.arrayContaining(['customer-busy', 'customer-did-not-answer', 'call.forwarding.no-answer']),
    timed_out: ['exceeded-max-duration', 'silence-timed-out'],
    canceled: expect.arrayContaining(['manually-canceled', 'call-deleted']),
  })
  expect(Object.values(others).flat()).toHaveLength(31)
  expect(error).toContain('pipeline-error-openai-llm-failed')
})

describe('a platform without a cursor', () => {
  const assistantId = crypto.randomUUID()
  const moments = ['2026-03-08T10:00:00.000Z', '2026-03-08T10:00:00.001Z', '2026-03-08T10:00:00.002Z']
  const period = { first: '2026-03-08', last: '2026-03-08', timeZone: 'UTC' }

  async function listOf(count: number) {
    const store = createMemoryCallStore()
    for (let index = 0; index < count; index++) {
      await store.add(endedCall(assistantId, moments[index % moments.length] ?? '', 60), [])
    }
    return createRig({ calls: store }).client.calls.list
  }

  test.each([
    ['every page, though calls share their moment', 20, { pageSize: 8, maxPages: 20 }, 20, false],
    ['a last page that is full', 16, { pageSize: 8, maxPages: 20 }, 16, false],
    ['no more than it may', 20, { pageSize: 8, maxPages: 2 }, 14, true],
    ['what it can where a moment fills a page', 20, { pageSize: 6, maxPages: 20 }, 6, true],
  ])('is read: %s', async (_, count, bounds, total, truncated) => {
    const totals = await pagedHistory(await listOf(count), bounds).totals(assistantId, period)
    expect(totals).toMatchObject({ truncated })
    expect(totals.calls.total).toBe(total)
  })

  test('is paged', async () => {
    const history = pagedHistory(await listOf(20), { pageSize: 8, maxPages: 20 })
    const pages = await Promise.all([0, 8, 16].map((offset) => history.page(assistantId, { limit: 8, offset })))
    expect(pages.map(({ calls, total }) => [calls.length, total])).toEqual([
      [8, 20],
      [8, 20],
      [4, 20],
    ])
    expect(new Set(pages.flatMap(({ calls }) => calls.map(({ id }) => id))).size).toBe(20)
  })
})

describe('the database adds up calls, a slice at a time,', () => {
  const assistantId = crypto.randomUUID()
  const memory = createMemoryCallStore()
  const running: PlatformObject[] = []
  const slicesOf = async (atOnce: number) => createCallStore((await testDatabase()).db, undefined, atOnce)
  // The clocks of New York go forward on the 8th.
  const periodIn = (timeZone: string) => ({ first: '2026-03-02', last: '2026-03-08', timeZone })

  beforeAll(async () => {
    const random = createRandom(20_260_310)
    const pick = <T>(...options: T[]): T => random.one(options)
    const database = await slicesOf(1)
    for (let index = 0; index < 2_000; index++) {
      // Many have their moment in common, and one moment has more than a slice.
      const minutes = index < 60 ? 5_000 : random.whole(0, 500) * 29
      const at = new Date(Date.UTC(2026, 2, 1) + minutes * 60_000).toISOString()
      const call = endedCall(assistantId, at, random.whole(0, 6_000) / 8, {
        type: pick('webCall', 'inboundPhoneCall', 'outboundPhoneCall'),
        status: pick('ended', 'ended', 'ended', 'in-progress'),
        endedReason: pick('customer-ended-call', 'voicemail', 'silence-timed-out', null),
        cost: random.whole(0, 100) / 128,
        costBreakdown: { stt: pick(0, 0.25), vapi: 0.125 },
        analysis: pick({}, { successEvaluation: 'true' }, { successEvaluation: 'false' }),
      })
      await database.add(call, [])
      await memory.add(call, [])
      if (call.body.status !== 'ended') running.push(call)
    }
  })

  // Other tests of this process take the calls of its database that run and that nobody holds, a hundred at a time.
  afterAll(async () => {
    await (await testDatabase()).sql`update platform_calls set ended = true where assistant_id = ${assistantId}`
  })

  test.each([
    ['UTC', 1_000],
    ['UTC', 50],
    ['America/New_York', 1_000],
    ['America/New_York', 7],
    ['+05:45', 333],
  ])('exactly as they are added up one by one: %s, %d at once', async (timeZone, atOnce) => {
    const period = periodIn(timeZone)
    const [added, oneByOne] = await Promise.all([
      (await slicesOf(atOnce)).totals(assistantId, period),
      memory.totals(assistantId, period),
    ])
    expect(added).toEqual(oneByOne)
    expect(added.calls.total).toBeGreaterThan(1_000)
  })

  test('counts a call that changes meanwhile once, and lets others in between', async () => {
    const database = await slicesOf(20)
    const period = periodIn('UTC')
    const before = await memory.totals(assistantId, period)
    let going = true
    const adding = database.totals(assistantId, period).finally(() => {
      going = false
    })
    let changed = 0
    for (const call of running) {
      if (!going) break
      await database.end({ ...call, body: { ...call.body, status: 'ended' } }, [])
      changed++
    }
    expect(changed).toBeGreaterThan(10)
    const { calls, firstCallAt, lastCallAt, cost } = await adding
    expect({ total: calls.total, firstCallAt, lastCallAt, cost }).toEqual({
      total: before.calls.total,
      firstCallAt: before.firstCallAt,
      lastCallAt: before.lastCallAt,
      cost: before.cost,
    })
  })
})
