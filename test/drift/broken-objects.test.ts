import { beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { createPlatformClient } from '../../src/voice-platform/client.ts'
import type { Fault } from '../../src/voice-platform/embedded/faults.ts'
import { embeddedFetch } from '../../src/voice-platform/embedded/platform.ts'
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

test('a platform that answers no read ends the sweep, which is made again', async () => {
  await changed(...Array.from({ length: 30 }, (_, at) => `Ann ${at}`))
  const client = { baseUrl: 'http://platform.test', apiKey: 'sk_drift_test', clock: systemClock, backoffMs: 1 }
  const platform = createPlatformClient({ ...client, fetch: embeddedFetch(rig.platform) })
  const { drift } = (await testApp({ database: rig.app.database, platform })).services
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
