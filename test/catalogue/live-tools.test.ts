import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../src/voice-platform/embedded/faults.ts'
import { type Caller, operator } from '../admin/caller.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await testApp({ database: await freshDatabase(), mirrorTimes: { graceMs: 0 } })
  admin = await operator(app)
  return () => app.database.close()
})
beforeEach(() => app.platform.faults.clear())

const tool = {
  label: 'Look up an order',
  description: 'Looks an order up.',
  type: 'function',
  scope: 'global',
  definition: { server: { url: 'https://shop.example.com/orders' } },
}
const live = (id: unknown) => app.services.platform.tools.get(String(id))
const all = async () => (await app.services.platform.tools.list()).length
const create = async (body: object = tool) => (await admin.send('POST', '/admin/tools', body)).body.data
const failed = {
  status: 502,
  body: { success: false, message: 'Failed to write the tool on the voice platform. Please try again.' },
}

describe('a tool of the catalogue', () => {
  test('is made on the platform, changed there and deleted there', async () => {
    const { id } = await create()
    expect(await live(id)).toMatchObject({
      id,
      type: 'function',
      function: { name: 'Look_up_an_order', description: 'Looks an order up.' },
      server: { url: 'https://shop.example.com/orders' },
    })
    const changed = { ...tool, definition: { server: { url: 'https://shop.example.com/v2' } } }
    expect((await admin.send('PUT', `/admin/tools/${id}`, changed)).status).toBe(200)
    expect(await live(id)).toMatchObject({ server: { url: 'https://shop.example.com/v2' } })
    const retyped = await admin.send('PUT', `/admin/tools/${id}`, { ...tool, type: 'endCall', definition: null })
    expect(retyped).toMatchObject({ status: 422, body: { errors: { type: [expect.any(String)] } } })
    expect((await admin.send('DELETE', `/admin/tools/${id}`)).status).toBe(200)
    await expect(live(id)).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('can be attached, and is then what calls use', async () => {
    const { id } = await create()
    const { body } = await admin.send('POST', '/assistants', { name: 'Desk', model: { toolIds: [id] } })
    const remote = await app.services.platform.assistants.get(String(body.data.voice_assistant_id))
    expect(remote.model?.toolIds).toEqual([id])
    expect(await live(id)).toMatchObject({ id })
  })

  test('may be one that the platform has, which is then left alone', async () => {
    const made = await app.services.platform.tools.create({ type: 'endCall', messages: [] })
    const { id } = await create({ ...tool, id: made.id })
    expect(id).toBe(made.id)
    await admin.send('PUT', `/admin/tools/${id}`, { ...tool, label: 'Other' })
    expect((await admin.send('DELETE', `/admin/tools/${id}`)).status).toBe(200)
    expect(await live(id)).toEqual(made)
    const unknown = await admin.send('POST', '/admin/tools', { ...tool, id: crypto.randomUUID() })
    expect(unknown).toMatchObject({ status: 422, body: { errors: { id: ['The selected id does not exist.'] } } })
  })

  const unknown = 'The type field is not one that the voice platform supports.'
  test.each<[body: object, path: string, text: string]>([
    [{ type: 'teleport' }, 'type', unknown],
    [{ type: 'constructor' }, 'type', unknown],
    [
      { definition: { function: { name: 'no spaces' } } },
      'definition.function.name',
      'The definition.function.name field must be 1 to 64 letters, digits, underscores or dashes.',
    ],
    [
      { definition: { function: { description: 'x' } } },
      'definition.function.name',
      'The definition.function.name field is required.',
    ],
    [
      { definition: { function: { name: 'x', parameters: [] } } },
      'definition.function.parameters',
      'The definition.function.parameters field must be an object.',
    ],
    [
      { definition: { server: { url: 'nowhere' } } },
      'definition.server.url',
      'The definition.server.url field must be a URL address.',
    ],
    [
      { type: 'endCall', definition: { server: { url: 'https://a.example.com' } } },
      'definition.server',
      'The definition.server field is not one of those that the voice platform takes here.',
    ],
    [
      { type: 'apiRequest', definition: { url: 'https://a.example.com' } },
      'definition.method',
      'The definition.method field is required.',
    ],
  ])('of %j is refused before the platform is asked', async (over, path, text) => {
    const asked = app.platform.requests.length
    const refused = { status: 422, body: { message: text, errors: { [path]: [text] } } }
    expect(await admin.send('POST', '/admin/tools', { ...tool, ...over })).toMatchObject(refused)
    const { id } = await create()
    const before = await live(id)
    const { status } = await admin.send('PUT', `/admin/tools/${id}`, { ...tool, ...over })
    expect([status, await live(id)]).toEqual([422, before])
    expect(app.platform.requests.slice(asked).filter(({ method }) => method === 'PATCH')).toEqual([])
  })

  test('is not in the catalogue when the platform does not take it', async () => {
    const before = await admin.send('GET', '/admin/tools?per_page=100')
    app.platform.faults.add({ method: 'POST', path: /tool/, mode: 'status', status: 400, body: { message: 'no' } })
    const refused = await admin.send('POST', '/admin/tools', tool)
    expect(refused).toMatchObject({ status: 422, body: { errors: { definition: ['no'] } } })
    app.platform.faults.add({ method: 'POST', path: /tool/, mode: 'refuse', times: 3 })
    expect(await admin.send('POST', '/admin/tools', tool)).toEqual(failed)
    expect(await admin.send('GET', '/admin/tools?per_page=100')).toEqual(before)
  })

  test('whose create got no answer is found by what it was made of, and made once', async () => {
    const before = await all()
    app.platform.faults.add({ method: 'POST', path: /tool/, mode: 'drop_after' })
    const { id } = await create({ ...tool, label: 'Lost and found' })
    expect(await live(id)).toMatchObject({ function: { name: 'Lost_and_found' } })
    expect(await all()).toBe(before + 1)
    await app.services.mirror.work.run()
    expect(await all()).toBe(before + 1)
  })

  test('that could not be recorded is taken back from the platform', async () => {
    const before = await all()
    const own = { ...tool, label: 'Of nobody', scope: 'own', owner_id: 2_147_483_647 }
    const refused = await admin.send('POST', '/admin/tools', own)
    expect(refused).toMatchObject({ status: 422, body: { errors: { owner_id: [expect.any(String)] } } })
    await app.services.mirror.work.run()
    expect(await all()).toBe(before)
  })

  test.each<[string, Fault]>([
    ['fails', { mode: 'refuse', times: 3 }],
    ['is refused', { mode: 'status', status: 409, body: { message: 'It is in use.' } }],
  ])('whose delete %s stays', async (_how, fault) => {
    const { id } = await create()
    app.platform.faults.add({ method: 'DELETE', path: /tool/, ...fault })
    expect(await admin.send('DELETE', `/admin/tools/${id}`)).toEqual(failed)
    expect((await admin.send('GET', `/admin/tools/${id}`)).status).toBe(200)
    expect(await live(id)).toMatchObject({ id })
  })
})
