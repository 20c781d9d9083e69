import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMirrorRig, type MirrorRig } from './rig.ts'

let rig: MirrorRig
beforeAll(async () => {
  rig = await createMirrorRig({ transport: { timeoutMs: 20_000 } })
})
afterAll(() => rig.stop())

test('an edit of another field between the read and the write of a save stays, and the sweep finds it', async () => {
  const { path, ref } = await rig.create('Before')
  const { assistants: live } = rig.app.services.platform
  const liveId = (await rig.state()).assistants.find((one) => one.ref === ref)?.liveId ?? ''
  const held = rig.network.hold('PATCH')
  const renamed = rig.send('PUT', path, { name: 'After' })
  await held.sent
  await live.update(liveId, { firstMessage: 'Hello' })
  await held.arrive()
  expect((await renamed).status).toBe(200)
  expect(await live.get(liveId)).toMatchObject({ name: 'After', firstMessage: 'Hello' })
  await rig.app.services.drift.request()
  await rig.app.services.drift.sweepNow()
  expect((await rig.send('GET', '/drift')).body).toMatchObject({
    data: [{ voice_id: liveId, leaves: [{ path: 'firstMessage', theirs: 'Hello' }] }],
  })
  const saved = await rig.send('PUT', path, { name: 'Later' })
  expect(saved.body).toMatchObject({ data: { name: 'Later', first_message: 'Hello' } })
  expect((await rig.send('GET', `${path}/update-log`)).body).toMatchObject({
    data: [{ source: 'regular' }, { source: 'platform' }, { source: 'regular' }, { action: 'created' }],
  })
  expect(await rig.settle()).toEqual([])
})
