import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { createPlatformClient } from '../../src/voice-platform/client.ts'
import type { Fault } from '../../src/voice-platform/embedded/faults.ts'
import { embeddedFetch } from '../../src/voice-platform/embedded/platform.ts'
import { markUnfinished } from '../../src/voice-platform/mirror/journal/mark.ts'
import { testApp } from '../support/app.ts'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

/** Assistants that were changed outside, by their live ids. */
async function changed(...names: string[]): Promise<string[]> {
  const records = await Promise.all(names.map((name) => rig.data<Body>('POST', '/assistants', { name })))
  const ids = records.map(({ voice_assistant_id }) => String(voice_assistant_id))
  for (const id of ids) await rig.outside.assistants.update(id, { firstMessage: 'Outside' })
  return ids
}

test.each<[how: string, fault: Fault]>([
  ['is refused', { mode: 'status', status: 400 }],
  ['fails', { mode: 'status', status: 500 }],
  ['is unreadable', { mode: 'not_json' }],
  ['never comes', { mode: 'drop_before' }],
])('an object whose read %s hides no other from the sweep', async (_how, fault) => {
  const [broken, seen] = await changed('Ann', 'Bea')
  const stranger = await rig.outside.assistants.create({ name: 'Stranger' })
  for (const id of [broken, stranger.id]) {
    rig.platform.faults.add({ method: 'GET', path: new RegExp(`^/assistant/${id}$`), times: 100, ...fault })
  }
  expect(await rig.sweep()).toMatchObject([{ voice_id: seen }])
  expect(await rig.data('GET', '/drift/scan')).toMatchObject({ state: 'finished', error: null })
  rig.platform.faults.clear()
  await rig.sweep()
  expect(await rig.data('GET', '/drift', undefined, await rig.operator())).toHaveLength(3)
})

/** An instance that reaches the platform as a server does, so that failures in a row open its circuit breaker. */
async function withBreaker() {
  const client = { baseUrl: 'http://platform.test', apiKey: 'sk_drift_test', clock: systemClock, backoffMs: 1 }
  const platform = createPlatformClient({ ...client, fetch: embeddedFetch(rig.platform) })
  const { drift } = (await testApp({ database: rig.app.database, platform })).services
  return { drift, breaker: platform.breaker }
}

/** Has the platform fail to show some objects, or to list a kind. */
const fails = (path: RegExp) =>
  rig.platform.faults.add({ method: 'GET', path, mode: 'status', status: 500, times: 10_000 })

/** A sweep that asks only for what has changed since the last one, among so many objects that not all are looked at. */
async function sweepOfChanges() {
  const cursor = new Date(Date.now() + 600_000).toISOString()
  await rig.app.database.sql`update drift_sweeps set full_count = 5000, due_at = now() - interval '1 second',
    cursors = jsonb_build_object('assistant', ${cursor}::text)`
  await (await rig.another()).services.drift.sweepNow()
}

describe('objects that fail one after the other', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `Ann ${at}`)

  test.each<[which: string, whole: number, tools: 0 | 1]>([
    ['while others of their kind are shown', 10, 0],
    ['while only others of another kind are shown', 0, 1],
  ])('are passed over, and everybody else may call the platform meanwhile: %s', async (_which, whole, tools) => {
    const seen = await changed(...names(whole))
    const broken = await changed(...names(20))
    if (tools > 0) await rig.outside.tools.create({ type: 'endCall' } as never)
    fails(new RegExp(broken.join('|')))
    const { drift, breaker } = await withBreaker()
    await drift.request()
    const states = new Set<string>()
    const swept = drift.sweepNow().then(() => states.add('swept'))
    await rig.until(() => states.add(breaker.state).has('swept'))
    await swept
    expect([...states].sort()).toEqual(['closed', 'swept'])
    expect(await rig.data('GET', '/drift/scan')).toMatchObject({ state: 'finished', error: null })
    const found = await rig.data<Body[]>('GET', '/drift?per_page=100')
    expect(found.map(({ voice_id }) => voice_id).sort()).toEqual(seen.sort())
  })

  test('are looked at again by the next sweep, also where it asks only for what changed', async () => {
    const [broken, lost] = await changed('Ann', 'Bea')
    const stranger = await rig.outside.assistants.create({ name: 'Stranger' })
    await rig.outside.assistants.delete(String(lost))
    fails(new RegExp(`${broken}|${lost}|${stranger.id}`))
    expect(await rig.sweep()).toEqual([])
    rig.platform.faults.clear()
    rig.platform.requests.length = 0
    await sweepOfChanges()
    expect(rig.platform.requests).toContainEqual(
      expect.objectContaining({
        path: '/assistant',
        query: expect.objectContaining({ updatedAtGe: expect.any(String) }),
      }),
    )
    const found = await rig.data<Body[]>('GET', '/drift', undefined, await rig.operator())
    expect(found.map(({ difference, voice_id }) => [difference, voice_id]).sort()).toEqual([
      ['changed', broken],
      ['missing', lost],
      ['unmanaged', stranger.id],
    ])
    const [row] = await rig.app.database.sql`select passed_over from drift_sweeps`
    expect(row?.passed_over).toEqual({ tool: [], assistant: [], squad: [], phone_number: [] })
  })
})

test('what could not be judged while something was written is looked at by the next sweep', async () => {
  const [busy] = await changed('Ann')
  const stranger = await rig.outside.assistants.create({ name: 'Stranger' })
  const { sql, db } = rig.app.database
  const [record] = await rig.data<Body[]>('GET', '/assistants')
  await markUnfinished(db, { kind: 'assistant', ref: String(record?.assistant_id) })
  await sql`update live_writes set create_sent = true`
  expect(await rig.sweep()).toEqual([])
  await sql`delete from live_writes`
  await sweepOfChanges()
  const found = await rig.data<Body[]>('GET', '/drift', undefined, await rig.operator())
  expect(found.map(({ voice_id }) => voice_id).sort()).toEqual([busy, stranger.id].sort())
})

test('a sweep that has ended asks for nothing more', async () => {
  await changed(...Array.from({ length: 60 }, (_, at) => `Ann ${at}`))
  const [newest] = await rig.outside.assistants.list({ limit: 1 })
  rig.platform.faults.add(
    { method: 'GET', path: new RegExp(String(newest?.id)), mode: 'status', status: 429, times: 3 },
    { method: 'GET', path: /^\/assistant\/./, mode: 'delay', ms: 50, times: 10_000 },
  )
  await rig.sweep()
  expect(await rig.data('GET', '/drift/scan')).toMatchObject({ state: 'waiting' })
  const asked = rig.platform.requests.length
  await Bun.sleep(300)
  expect(rig.platform.requests.length).toBe(asked)
})

test('a kind that the platform does not list hides no other, and the sweep is made again', async () => {
  const [seen] = await changed('Ann')
  fails(/^\/tool$/)
  expect(await rig.sweep()).toMatchObject([{ voice_id: seen }])
  expect(await rig.data('GET', '/drift/scan')).toMatchObject({ state: 'waiting', error: expect.any(String) })
})

test('a platform that answers no read ends the sweep, which is made again', async () => {
  await changed(...Array.from({ length: 30 }, (_, at) => `Ann ${at}`))
  const { drift } = await withBreaker()
  rig.platform.faults.add({ method: 'GET', path: /^\/assistant\/./, mode: 'status', status: 503, times: 1_000 })
  rig.platform.requests.length = 0
  await drift.request()
  await drift.sweepNow()
  expect(await rig.data('GET', '/drift/scan')).toMatchObject({ state: 'waiting', error: expect.any(String) })
  const asked = new Set(rig.platform.requests.map(({ path }) => path).filter((path) => path.startsWith('/assistant/')))
  expect(asked.size).toBeLessThan(20)
  rig.platform.faults.clear()
  await rig.app.database.sql`update drift_sweeps set due_at = now() - interval '1 second'`
  await rig.app.services.drift.sweepNow()
  expect(await rig.data<Body[]>('GET', '/drift?per_page=100')).toHaveLength(30)
})
