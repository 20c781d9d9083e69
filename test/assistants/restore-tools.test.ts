import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, operator } from '../admin/caller.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'
import { storedAssistant, storedVersions } from '../support/rows/assistants.ts'

let app: TestApp
let admin: Caller
let client: Client & { workspaceId: number }

beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
})
beforeEach(async () => {
  client = await newClient(app)
})

const make = async (kind: string, body: object) => (await admin.data('POST', `/admin/${kind}`, body)).id
const tool = { label: 'Look up', description: 'Looks something up.', type: 'endCall' }
const engine = { provider: 'openai', model: 'gpt-4o' }

/** An assistant that gets a tool from a layer, and how the layer lets go of it. */
interface Layered {
  what: string
  create(tool: string): Promise<{ id: string; letGo(): Promise<unknown> }>
}

/** A base config that names a tool, a template that leads to it, and an assistant of that. */
async function ofTemplate(id: string) {
  const base = await make('base-configs', { name: 'Base', config: { model: { ...engine, toolIds: [id] } } })
  const template = await make('prompt-templates', { name: 'Greeter', prompt: 'Hi', base_config_id: base })
  const { assistant_id } = await client.data('POST', '/assistants', { name: 'Desk', template_id: template })
  return { base, template, id: String(assistant_id) }
}

const deleted: Layered = {
  what: 'a template’s base config that is deleted with it',
  async create(tool) {
    const { base, template, id } = await ofTemplate(tool)
    const letGo = async () => {
      await client.data('PUT', `/assistants/${id}`, { name: 'Other', template_id: null })
      await admin.data('DELETE', `/admin/prompt-templates/${template}`)
      await admin.data('DELETE', `/admin/base-configs/${base}`)
    }
    return { id, letGo }
  },
}

const layered: Layered[] = [
  {
    what: 'a template’s base config',
    async create(tool) {
      const { base, id } = await ofTemplate(tool)
      const plain = { name: 'Base', config: { model: engine } }
      return { id, letGo: () => admin.data('PUT', `/admin/base-configs/${base}`, plain) }
    },
  },
  deleted,
  {
    what: 'the base config of v2',
    async create(id) {
      const base = await make('base-configs', { name: 'Base', config: { model: { ...engine, toolIds: [id] } } })
      const { assistant_id } = await client.data('POST', '/v2/assistants', { name: 'Desk', base_config_id: base })
      const plain = { name: 'Base', config: { model: engine } }
      return { id: assistant_id, letGo: () => admin.data('PUT', `/admin/base-configs/${base}`, plain) }
    },
  },
  {
    what: 'a preset',
    async create(id) {
      const base = await make('base-configs', { name: 'Base', config: { model: engine } })
      const preset = { key: crypto.randomUUID(), name: 'Calm', overrides: { model: { toolIds: [id] } } }
      const entry = await make('layer2-presets', preset)
      const body = { name: 'Desk', base_config_id: base, layer2_key: preset.key }
      const { assistant_id } = await client.data('POST', '/v2/assistants', body)
      const plain = { ...preset, overrides: {} }
      return { id: assistant_id, letGo: () => admin.data('PUT', `/admin/layer2-presets/${entry}`, plain) }
    },
  },
]

const ends: [how: string, end: (tool: string) => Promise<unknown>][] = [
  ['was deleted', (id) => admin.data('DELETE', `/admin/tools/${id}`)],
  [
    'became somebody’s elsewhere',
    async (id) => {
      const { userId } = await newUser(app.database)
      await admin.data('PUT', `/admin/tools/${id}`, { ...tool, scope: 'own', owner_id: userId })
    },
  ],
]

const cases = layered.flatMap((one) => ends.map(([how, end]) => ({ ...one, how, end })))

describe.each(cases)('a version with a tool of $what that $how since', ({ create, end }) => {
  test('is restored without it, on both sides and in what it is rendered from', async () => {
    const gone = String(await make('tools', { ...tool, scope: 'global' }))
    const { id, letGo } = await create(gone)
    const path = `/assistants/${id}`
    expect(JSON.stringify((await storedAssistant(app.database, id)).live)).toContain(gone)
    await client.data('PUT', path, { name: 'Other', model: { toolIds: [] } })
    await letGo()
    await end(gone)
    const version = (await client.data('GET', `${path}/update-log`)).at(-1).id
    const restored = await client.send('POST', `${path}/update-log/${version}/restore`)
    expect(restored).toMatchObject({ status: 200, body: { left_out: [{ kind: 'tool', id: gone }] } })
    const { live, ...row } = await storedAssistant(app.database, id)
    expect(JSON.stringify([live, row])).not.toContain(gone)
    const remote = await app.services.platform.assistants.get(row.voiceAssistantId)
    expect(remote.model?.toolIds ?? []).toEqual([])
    const last = (await storedVersions(app.database, id)).at(-1)
    expect(JSON.stringify(last?.configuration)).not.toContain(gone)
    expect((await client.send('PUT', path, { name: 'Front desk' })).status).toBe(200)
    expect((await client.send('PUT', path, { name: 'Front desk', model: null })).status).toBe(200)
  })
})

test('a version whose tool names a credential that the workspace lost is restored without the tool', async () => {
  const credential = crypto.randomUUID()
  const workspace = `/admin/workspaces/${client.workspaceId}`
  await admin.data('PATCH', workspace, { webhook_credentials: [credential] })
  const asking = {
    type: 'function',
    function: { name: 'ask' },
    server: { url: 'https://a.example.com', credentialId: credential },
  }
  const body = { name: 'Desk', model: { tools: [asking, { type: 'endCall' }] } }
  const { assistant_id, voice_assistant_id } = await client.data('POST', '/assistants', body)
  const path = `/assistants/${assistant_id}`
  await client.data('PUT', path, { name: 'Desk', model: { tools: [] } })
  await admin.data('PATCH', workspace, { webhook_credentials: [] })
  const version = (await client.data('GET', `${path}/update-log`)).at(-1).id
  const restored = await client.send('POST', `${path}/update-log/${version}/restore`)
  expect(restored).toMatchObject({ status: 200, body: { left_out: [{ kind: 'credential', id: credential }] } })
  const live = await app.services.platform.assistants.get(voice_assistant_id)
  expect(live.model).toMatchObject({ tools: [{ type: 'endCall' }] })
})

test('a version that differs only by what is left out is restored without it, which changes nothing', async () => {
  const id = String(await make('tools', { ...tool, scope: 'global' }))
  const { assistant_id } = await client.data('POST', '/assistants', { name: 'Desk', model: { toolIds: [id] } })
  const path = `/assistants/${assistant_id}`
  await client.data('PUT', path, { name: 'Desk', model: { toolIds: [] } })
  await admin.data('DELETE', `/admin/tools/${id}`)
  const before = await client.data('GET', `${path}/update-log`)
  const version = before.at(-1)
  expect(version).toMatchObject({ is_current: false, restorable: true })
  const row = await storedAssistant(app.database, assistant_id)
  const restored = await client.send('POST', `${path}/update-log/${version.id}/restore`)
  expect(restored).toMatchObject({ status: 200, body: { left_out: [{ kind: 'tool', id }] } })
  const { updatedAt: _then, ...same } = await storedAssistant(app.database, assistant_id)
  expect(row).toMatchObject(same)
  expect(await client.data('GET', `${path}/update-log`)).toEqual(before)
})

test('a tool that a restored assistant has in its copy of a layer is in use', async () => {
  const id = String(await make('tools', { ...tool, scope: 'global' }))
  const { id: assistant, letGo } = await deleted.create(id)
  await letGo()
  const path = `/assistants/${assistant}`
  const version = (await client.data('GET', `${path}/update-log`)).at(-1).id
  expect((await client.send('POST', `${path}/update-log/${version}/restore`)).status).toBe(200)
  await client.data('PUT', path, { name: 'Desk', model: { toolIds: [] } })
  expect((await admin.send('DELETE', `/admin/tools/${id}`)).status).toBe(409)
  const { userId } = await newUser(app.database)
  const taken = await admin.send('PUT', `/admin/tools/${id}`, { ...tool, scope: 'own', owner_id: userId })
  expect(taken.body.errors).toEqual({ owner_id: ['The tool Look up is in use by the assistant Desk.'] })
})
