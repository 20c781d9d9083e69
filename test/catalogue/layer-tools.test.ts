import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, callerOf, operator, refusal, someEmail } from '../admin/caller.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { nameInBaseConfig } from '../support/rows/catalogue.ts'

let app: TestApp
let admin: Caller
let me: Caller
let other: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
  me = callerOf(app, await newUser(app.database))
  other = callerOf(app, await newUser(app.database))
})

const tool = { label: 'Look up', description: 'Looks something up.', type: 'function' }
const everybodys = { ...tool, scope: 'global', owner_id: null }
const ownOf = ({ userId }: Caller) => ({ ...tool, scope: 'own', owner_id: userId })
const newTool = async (body: object) => String((await admin.data('POST', '/admin/tools', body)).id)

const unknown = 'The selected tool does not exist.'
const text = (tail: string) => `The tool Look up is in use by the ${tail}.`

interface Layer {
  kind: string
  /** Where its settings stand. */
  field: string
  what: string
  body(config: object): object
}

const layers: Layer[] = [
  {
    kind: 'base-configs',
    field: 'config',
    what: 'base config Layer',
    body: (config) => ({ name: 'Layer', config }),
  },
  {
    kind: 'layer2-presets',
    field: 'overrides',
    what: 'layer-2 preset Layer',
    body: (overrides) => ({ key: crypto.randomUUID(), name: 'Layer', overrides }),
  },
]

const places: [path: string, config: (id: string) => object][] = [
  ['model.toolIds.0', (id) => ({ model: { toolIds: [id] } })],
  ['model.toolIds.0', (id) => ({ model: { toolIds: [id.toUpperCase()] } })],
  ['model.tools.0', (id) => ({ model: { tools: [id] } })],
  ['model.tools.0', (id) => ({ model: { tools: [{ value: id }] } })],
  ['model.tools.0', (id) => ({ model: { tools: [{ id: id.toUpperCase() }] } })],
  ['model.tools.0.toolId', (id) => ({ model: { tools: [{ toolId: id }] } })],
  ['hooks.0.do.0.toolId', (id) => ({ hooks: [{ on: 'call.ending', do: [{ type: 'tool', toolId: id }] }] })],
]

const cases = layers.flatMap((layer) => places.map(([path, config]) => ({ ...layer, path, config })))

describe.each(cases)('$kind with a tool at $path', ({ kind, field, what, body, path, config }) => {
  const send = (id: string) => admin.send('POST', `/admin/${kind}`, body(config(id)))

  test('name no tool that is not there, and none of somebody’s own', async () => {
    for (const id of [crypto.randomUUID(), await newTool(ownOf(other))]) {
      const refused = await send(id)
      expect(refused).toMatchObject({ status: 422, body: { errors: { [`${field}.${path}`]: [unknown] } } })
    }
  })

  test('keep the tool everybody’s, and in the catalogue', async () => {
    const id = await newTool(everybodys)
    expect((await send(id)).status).toBe(201)
    const taken = await admin.send('PUT', `/admin/tools/${id}`, ownOf(other))
    expect(taken).toMatchObject(refusal('owner_id', text(what)))
    expect((await admin.send('DELETE', `/admin/tools/${id}`)).status).toBe(409)
    expect((await admin.send('PUT', `/admin/tools/${id}`, { ...everybodys, label: 'Find' })).status).toBe(200)
  })
})

test('a base config that is replaced names no tool of somebody’s own', async () => {
  const { id } = await admin.data('POST', '/admin/base-configs', { name: 'Base', config: {} })
  const config = { model: { toolIds: [await newTool(ownOf(other))] } }
  const replaced = await admin.send('PUT', `/admin/base-configs/${id}`, { name: 'Base', config })
  expect(replaced).toMatchObject(refusal('config.model.toolIds.0', unknown))
})

describe('a base config that names a tool of another workspace since before that was refused', () => {
  const withTemplate = async () => {
    const base = await admin.data('POST', '/admin/base-configs', { name: 'Base', config: {} })
    const entry = { name: 'Greeter', prompt: 'Hi', base_config_id: base.id }
    return { base: base.id, template: (await admin.data('POST', '/admin/prompt-templates', entry)).id }
  }

  test('attaches it to no assistant of its template', async () => {
    const id = await newTool(ownOf(other))
    const { base, template } = await withTemplate()
    const older = await me.data('POST', '/assistants', { name: 'Desk', template_id: template })
    await nameInBaseConfig(app.database, base, [id])
    const path = `/assistants/${older.assistant_id}`
    const refused = refusal('model.toolIds.0', unknown)
    for (const [method, at, body] of [
      ['POST', '/assistants', { name: 'Desk', template_id: template }],
      ['POST', '/v2/assistants', { name: 'Desk', prompt_template_id: template }],
      ['PUT', path, { name: 'Front desk' }],
      ['PUT', `${path}/advanced`, { name: 'Front desk' }],
    ] as const) {
      expect(await me.send(method, at, body)).toMatchObject({ ...refused, body: { errors: refused.body.errors } })
    }
    const live = await app.services.platform.assistants.get(older.voice_assistant_id)
    expect(live).toMatchObject({ name: 'Desk' })
    expect(live.model?.toolIds ?? []).toEqual([])
    const theirs = await other.data('POST', '/assistants', { name: 'Desk', template_id: template })
    expect((await app.services.platform.assistants.get(theirs.voice_assistant_id)).model?.toolIds).toEqual([id])
  })

  test('keeps the owner of the tool in the workspace', async () => {
    const body = { name: 'Ada', email: someEmail(), workspace_id: me.workspaceId }
    const ada = await admin.data('POST', '/admin/users', body)
    const id = await newTool({ ...tool, scope: 'own', owner_id: ada.id })
    await nameInBaseConfig(app.database, (await withTemplate()).base, [id])
    const moved = await admin.send('PATCH', `/admin/users/${ada.id}`, { workspace_id: other.workspaceId })
    expect(moved).toMatchObject(refusal('workspace_id', text('base config Base')))
  })
})
