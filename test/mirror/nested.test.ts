import { afterEach, beforeEach, expect, test } from 'vitest'
import { newUser } from '../support/app.ts'
import { createMirrorRig, type MirrorRig } from './rig.ts'

let rig: MirrorRig
beforeEach(async () => {
  rig = await createMirrorRig()
})
afterEach(() => rig.stop())

const updateFailed = 'Failed to update assistant in Cloud: The voice platform gave an unreadable answer.'
const failed = (message: string) => ({ status: 500, body: { success: false, message } })
const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`

/** An assistant, and what has the platform respond with it in an endless nesting to some requests for it. */
async function nestedAssistant() {
  const { path, ref } = await rig.create('Before')
  const { liveId = '' } = (await rig.state()).assistants.find((one) => one.ref === ref) ?? {}
  const live = await rig.app.services.platform.assistants.get(liveId)
  const deep = JSON.stringify({ ...live, metadata: 'deep' }).replace('"deep"', nested)
  const { faults } = rig.network.platform
  const respond = (method: string, at: RegExp, body: string) =>
    faults.add({ mode: 'status', status: 200, method, path: at, body, times: 1_000 })
  return { path, ref, liveId, deep, respond, faults, one: new RegExp(`/assistant/${liveId}$`) }
}

test.each(['GET', 'PATCH'])(
  'an object that a %s shows nested without end fails a save as an unreadable response does, and hides no other one',
  async (method) => {
    const { path, deep, respond, one, faults } = await nestedAssistant()
    const other = await rig.create('Other')
    const before = await rig.state()
    respond(method, one, deep)
    expect(await rig.send('PUT', path, { name: 'After' })).toEqual(failed(updateFailed))
    expect((await rig.state()).assistants).toEqual(before.assistants)
    expect(await rig.send('PUT', other.path, { name: 'Saved' })).toMatchObject({ status: 200 })
    faults.clear()
    expect(await rig.settle()).toEqual([])
    expect(await rig.send('PUT', path, { name: 'After' })).toMatchObject({ status: 200 })
  },
)

test.each(['ours', 'theirs', 'merge'])('it is not reconciled (%s), and is told to be unreadable', async (keep) => {
  const { path, deep, respond, one } = await nestedAssistant()
  respond('GET', one, deep)
  expect(await rig.send('POST', `${path}/reconcile`, { keep })).toEqual(failed(updateFailed))
})

test('it can be deleted', async () => {
  const { path, ref, deep, respond, one, faults } = await nestedAssistant()
  respond('GET', one, deep)
  expect(await rig.send('PUT', path, { name: 'After' })).toEqual(failed(updateFailed))
  expect(await rig.send('DELETE', path)).toMatchObject({ status: 200 })
  faults.clear()
  expect(await rig.settle()).toEqual([])
  expect((await rig.state()).assistants.some((one) => one.ref === ref)).toBe(false)
})

test('a create that is responded to with one fails, and leaves nothing', async () => {
  const { deep, respond, faults } = await nestedAssistant()
  const before = await rig.state()
  respond('POST', /\/assistant$/, deep.replace(/"id":"[^"]+"/, `"id":"${crypto.randomUUID()}"`))
  expect(await rig.send('POST', '/assistants', { name: 'New' })).toEqual(
    failed('Failed to create assistant in Cloud. Please try again.'),
  )
  faults.clear()
  expect(await rig.settle()).toEqual([])
  expect((await rig.state()).assistants).toEqual(before.assistants)
})

test('a list with some in it shows the others to a sweep and to an import', async () => {
  const { liveId, deep, respond, one } = await nestedAssistant()
  const { platform, drift } = rig.app.services
  const changed = await rig.create('Changed outside')
  const { liveId: changedId = '' } = (await rig.state()).assistants.find(({ ref }) => ref === changed.ref) ?? {}
  await platform.assistants.update(changedId, { voicemailMessage: 'Later' })
  const stranger = await platform.assistants.create({ name: 'Stranger' })
  const nestedId = crypto.randomUUID()
  const others = (await platform.assistants.list())
    .filter(({ id }) => id !== liveId)
    .map((live) => JSON.stringify(live))
  respond('GET', one, deep)
  respond('GET', /\/assistant$/, `[${[deep, deep.replaceAll(liveId, nestedId), ...others].join()}]`)
  const { token } = await newUser(rig.database, { role: 'admin' })
  const candidates = await rig.app.send('GET', '/imports/candidates', { token })
  const { data } = await candidates.json()
  const shown = data.map((each: { voice_id: string; importable: boolean }) => [each.voice_id, each.importable])
  expect(new Map(shown)).toEqual(
    new Map([
      [nestedId, false],
      [stranger.id, true],
    ]),
  )
  await drift.request()
  await drift.sweepNow()
  expect(await rig.send('GET', '/drift?difference=changed')).toMatchObject({
    status: 200,
    body: { data: [{ voice_id: changedId }] },
  })
})
