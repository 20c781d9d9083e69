import { expect, test } from 'vitest'
import { systemTimers } from '../../src/runtime/timers.ts'
import { type Body, createDriftRig } from './rig.ts'

/** A process that begins a sweep and is killed: its claim is renewed no more, and nothing ends it. */
async function killed() {
  const rig = await createDriftRig({ timers: { ...systemTimers, every: () => () => {} } })
  const record = await rig.data('POST', '/assistants', { name: 'Ann' })
  await rig.sweep()
  // So many objects that a sweep which nobody asked for looks at what changed only, and so misses what was lost.
  await rig.app.database.sql`update drift_sweeps set full_count = 5000`
  await rig.outside.assistants.delete(String(record.voice_assistant_id))
  rig.platform.faults.add({ method: 'GET', path: /^\/assistant$/, mode: 'timeout' })
  rig.platform.requests.length = 0
  await rig.data('POST', '/drift/scan')
  const begun = rig.app.services.drift.sweepNow()
  await rig.until(() => rig.platform.requests.some(({ path }) => path === '/assistant'))
  return {
    ...rig,
    async stop() {
      await rig.app.services.drift.stop()
      await begun
      await rig.stop()
    },
  }
}

test.each<[how: string, minutes: number, alone: boolean]>([
  ['by another instance, which sweeps only when it is asked', 0, false],
  ['by another instance, which sweeps by itself', 5, false],
  ['after a start on the embedded database', 0, true],
])(
  'a scan that was asked for is made again, of everything, when its process dies: %s',
  async (_how, minutes, alone) => {
    const rig = await killed()
    const { sql } = rig.app.database
    const another = await rig.another(minutes)
    if (!alone) await sql`update drift_sweeps set due_at = now() - interval '1 second'`
    await another.services.drift.prepare(alone)
    expect(await rig.data('GET', '/drift/scan')).toMatchObject({ state: alone ? 'waiting' : 'running' })
    await another.services.drift.sweepNow()
    expect(await rig.data('GET', '/drift/scan')).toMatchObject({ state: 'finished', checked: 0 })
    expect(await rig.data<Body[]>('GET', '/drift')).toMatchObject([{ difference: 'missing' }])
    await rig.stop()
  },
)

test('a scan that is asked for while another runs is made after it', async () => {
  const rig = await createDriftRig()
  rig.platform.faults.add({ method: 'GET', path: /^\/assistant$/, mode: 'delay', ms: 100 })
  rig.platform.requests.length = 0
  await rig.data('POST', '/drift/scan')
  const begun = rig.app.services.drift.sweepNow()
  await rig.until(() => rig.platform.requests.some(({ path }) => path === '/assistant'))
  expect(await rig.data('POST', '/drift/scan')).toMatchObject({ state: 'running' })
  await begun
  expect(await rig.data('GET', '/drift/scan')).toMatchObject({ state: 'waiting' })
  await rig.app.services.drift.sweepNow()
  expect(await rig.data('GET', '/drift/scan')).toMatchObject({ state: 'finished' })
  await rig.stop()
})
