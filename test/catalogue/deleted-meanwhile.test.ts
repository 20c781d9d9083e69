import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asAnotherProcess, createMirrorRig, createNetwork, type MirrorRig } from '../mirror/rig.ts'
import { newUser, type TestUser } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'

const network = createNetwork()
let one: MirrorRig
let other: MirrorRig
let user: Client & TestUser
let admin: Client

beforeAll(async () => {
  const transport = { timeoutMs: 20_000 }
  one = await createMirrorRig({ network, transport })
  other = await createMirrorRig({ network, transport, database: asAnotherProcess(one.database) })
  user = await newClient(one.app)
  admin = await newClient(other.app, { role: 'admin' })
  return async () => {
    await other.stop()
    await one.stop()
  }
})
afterAll(async () => {
  expect(await one.settle()).toEqual([])
})

const tool = { label: 'End', description: 'Hangs up', type: 'endCall' }
const make = () => admin.data('POST', '/admin/tools', { ...tool, scope: 'global' })

const gone = (path: string) => {
  const text = 'The selected tool does not exist.'
  return { status: 422, body: { success: false, message: text, errors: { [path]: [text] } } }
}
const used = (by: string) => ({ status: 409, body: { success: false, message: `This entry is in use by ${by}.` } })

interface Case {
  what: string
  /** A request that names the tool, and the method by which it is told the platform. */
  attach(tool: string): Promise<{ send(): ReturnType<Client['send']>; live: string; path: string; by: string }>
}

const cases: Case[] = [
  {
    what: 'a new assistant',
    async attach(tool) {
      const body = { name: 'Desk', model: { toolIds: [tool] } }
      const send = () => user.send('POST', '/assistants', body)
      return { send, live: 'POST', path: 'model.toolIds.0', by: 'assistants' }
    },
  },
  {
    what: 'an assistant that is changed',
    async attach(tool) {
      const { assistant_id: id } = await user.data('POST', '/assistants', { name: 'Desk' })
      const body = { name: 'Desk', model: { tools: [tool] } }
      const send = () => user.send('PUT', `/assistants/${id}`, body)
      return { send, live: 'PATCH', path: 'model.toolIds.0', by: 'assistants' }
    },
  },
  {
    what: 'a squad',
    async attach(tool) {
      const { assistant_id: assistantId } = await user.data('POST', '/assistants', { name: 'Desk' })
      const body = {
        name: 'Team',
        members: [
          { assistantId, assistantOverrides: { model: { provider: 'openai', model: 'gpt-4o', toolIds: [tool] } } },
        ],
      }
      const { external_squad_id: id } = await user.data('POST', '/squads', { name: 'Team', members: [{ assistantId }] })
      const send = () => user.send('PUT', `/squads/${id}`, body)
      return { send, live: 'POST', path: 'members.0.assistantOverrides.model.toolIds.0', by: 'squads' }
    },
  },
]

describe.each(cases)('a tool that is deleted by one instance while another saves $what with it', ({ attach }) => {
  test('is not named when the delete came first', async () => {
    const { id } = await make()
    const { send, path } = await attach(id)
    const going = network.hold('DELETE')
    const deleting = admin.send('DELETE', `/admin/tools/${id}`)
    await going.sent
    expect(await send()).toMatchObject(gone(path))
    await going.arrive()
    expect((await deleting).status).toBe(200)
  })

  test('is not named when the delete ended while the platform was told', async () => {
    const { id } = await make()
    const { send, live, path } = await attach(id)
    const telling = network.hold(live)
    const saving = send()
    await telling.sent
    expect((await admin.send('DELETE', `/admin/tools/${id}`)).status).toBe(200)
    await telling.arrive()
    expect(await saving).toMatchObject(gone(path))
  })

  test('stays when the save came first', async () => {
    const { id } = await make()
    const { send, by } = await attach(id)
    expect((await send()).status).toBeLessThan(300)
    expect(await admin.send('DELETE', `/admin/tools/${id}`)).toEqual(used(by))
  })
})

describe.each(cases)('a tool that goes to another workspace while $what is saved with it', ({ attach }) => {
  const elsewhere = async () => newUser(other.database)
  const ownBy = (owner_id: number) => ({ ...tool, scope: 'own', owner_id })

  test('is not named when it became somebody’s own there', async () => {
    const { id } = await make()
    const { userId } = await elsewhere()
    const { send, live, path } = await attach(id)
    const telling = network.hold(live)
    const saving = send()
    await telling.sent
    expect((await admin.send('PUT', `/admin/tools/${id}`, ownBy(userId))).status).toBe(200)
    await telling.arrive()
    expect(await saving).toMatchObject(gone(path))
  })

  test('is not named when its owner moved there', async () => {
    const email = `someone-${crypto.randomUUID()}@example.com`
    const ada = await admin.data('POST', '/admin/users', { name: 'Ada', email, workspace_id: user.workspaceId })
    const { id } = await admin.data('POST', '/admin/tools', ownBy(ada.id))
    const { workspaceId } = await elsewhere()
    const { send, live, path } = await attach(id)
    const telling = network.hold(live)
    const saving = send()
    await telling.sent
    expect((await admin.send('PATCH', `/admin/users/${ada.id}`, { workspace_id: workspaceId })).status).toBe(200)
    await telling.arrive()
    expect(await saving).toMatchObject(gone(path))
  })
})

test('a tool that a base config or a preset names stays', async () => {
  const { id } = await make()
  const config = { model: { toolIds: [id] } }
  const base = await admin.data('POST', '/admin/base-configs', { name: 'Base', config })
  expect(await admin.send('DELETE', `/admin/tools/${id}`)).toEqual(used('base configs'))
  await admin.send('DELETE', `/admin/base-configs/${base.id}`)
  await admin.data('POST', '/admin/layer2-presets', { key: 'ends', name: 'Ends', overrides: config })
  expect(await admin.send('DELETE', `/admin/tools/${id}`)).toEqual(used('layer-2 presets'))
})

test('a credential that is taken away while a number is saved with it is not named', async () => {
  const workspace = `/admin/workspaces/${user.workspaceId}`
  const credentialId = crypto.randomUUID()
  await admin.send('PATCH', workspace, { webhook_credentials: [credentialId] })
  const [{ phone_number: number }] = await user.data('GET', '/phone-numbers/available')
  await user.data('POST', '/phone-numbers', { phone_number: number })
  const telling = network.hold('PATCH')
  const saving = user.send('PUT', `/phone-numbers/${number}`, {
    server: { url: 'https://a.example.com', credentialId },
  })
  await telling.sent
  expect((await admin.send('PATCH', workspace, { webhook_credentials: [] })).status).toBe(200)
  await telling.arrive()
  const text = 'The selected credential does not exist.'
  expect(await saving).toMatchObject({ status: 422, body: { errors: { 'server.credentialId': [text] } } })
})
