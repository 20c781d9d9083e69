import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretColumns } from '../../src/app/sealed-columns.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { systemTimers } from '../../src/runtime/timers.ts'
import { rotateSecrets } from '../../src/secrets/rotate.ts'
import { sealingPart, sealOldRows } from '../../src/secrets/seal-old-rows.ts'
import { createVault } from '../../src/secrets/vault.ts'
import { valueAt, withLeaves } from '../../src/voice-platform/mirror/agreement/leaves.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'
import { storedAsGiven } from '../support/rows/sealed.ts'
import { columnsHolding } from './columns-holding.ts'
import { type Place, secretPlaces } from './places.ts'

type Json = Record<string, unknown>

const lookalike = `sealed:v1:deadbeef:${'A'.repeat(40)}`
const mark = `planted-${crypto.randomUUID()}`
let planted = 0
const secret = () => `${mark}-${planted++}`

/** A body with a secret of its own at each place; lists have one item. */
function plant(places: readonly Place[], body: Json = {}): Json {
  return places.reduce<Json>((made, { path, free }) => {
    const holders = path.flatMap((key, index) => (key === '0' ? [path.slice(0, index)] : []))
    const lists = holders.filter((at) => valueAt(made, at) === undefined).map((at) => ({ path: at, to: [{}] }))
    return withLeaves(made, [...lists, { path, to: free ? { 'X-Own-Name': secret() } : secret() }])
  }, body)
}

const [old, fresh] = [randomBytes(32), randomBytes(32)]
let database: DatabaseHandle
let app: TestApp
let admin: Client
let user: Client
let places: Place[]
beforeAll(async () => {
  places = await secretPlaces('CreateAssistantDto')
  database = await freshDatabase()
  app = await testApp({ database, vault: createVault({ current: old }) })
  admin = await newClient(app, { role: 'admin' })
  user = await newClient(app)
})
afterAll(() => database.close())

/** What a function takes of the places that tools of all types have together, and the rest of one. */
const ofFunction: ReadonlySet<string> = new Set(['server', 'parameters'])
const isTool = (path: readonly string[], at: number) =>
  path[at] === 'tool' || (path[at] === '0' && path[at - 1] === 'tools')

/** Where a tool stands in a place of a body, if it lies in one; the first, as tools may lead to others. */
function toolAbove({ path }: Place): readonly string[] | undefined {
  const at = path.findIndex((_, index) => isTool(path, index))
  return at < 0 ? undefined : path.slice(0, at + 1)
}

/** The places that a body can have at once: of tools, those of a function. */
const possible = (all: readonly Place[]): Place[] =>
  all.filter((place) => {
    const above = toolAbove(place)
    return above === undefined || ofFunction.has(place.path[above.length] ?? '')
  })

/** A body with a secret at each place that it can have, with what makes its tools whole. */
function whole(all: readonly Place[]): Json {
  const tools = new Map<string, readonly string[]>()
  for (const place of possible(all)) {
    const above = toolAbove(place)
    if (above) tools.set(above.join('.'), above)
  }
  return [...tools.values()].reduce<Json>(
    (body, above) =>
      withLeaves(body, [
        { path: [...above, 'type'], to: 'function' },
        { path: [...above, 'function'], to: { name: 'orders' } },
        ...(valueAt(body, [...above, 'parameters']) === undefined
          ? []
          : [{ path: [...above, 'parameters', '0', 'key'], to: 'k' }]),
      ]),
    plant(possible(all)),
  )
}

/** The secrets of one function that is defined in place, as a body below `model.tools`. */
function tool(name: string): Json {
  const own = possible(places).flatMap(({ path, free }) =>
    path.slice(0, 3).join('.') === 'model.tools.0' ? [{ path: path.slice(3), free }] : [],
  )
  const { parameters, ...rest } = plant(own, {
    type: 'function',
    function: { name },
    server: { url: 'https://tools.example.com/' },
  })
  const [first] = Array.isArray(parameters) ? parameters : []
  return { ...rest, parameters: [{ key: 'k', ...first }] }
}

/** The same as the catalogue has it. */
function definitionOf(name: string): Json {
  const { type: _type, ...definition } = tool(name)
  return definition
}

const liveOf = (id: unknown) => app.services.platform.assistants.get(String(id))

test('the description of the platform has many places for secrets', () => {
  const known = places.map(({ path }) => path.join('.'))
  expect(known).toEqual(
    expect.arrayContaining([
      'model.tools.0.server.secret',
      'model.tools.0.server.headers',
      'model.tools.0.environmentVariables.0.value',
      'model.knowledgeBase.server.headers',
      'voice.server.secret',
      'hooks.0.do.0.tool.server.headers',
    ]),
  )
})

describe('a database tells none of the secrets', () => {
  let config: Json
  let ids: { assistant: string; live: string; base: number; tool: string }

  test('of bodies with one at every place of the description', async () => {
    const hooks = places.filter(({ path }) => path[0] === 'hooks')
    const body = whole(places)
    const made = await admin.data('POST', '/admin/layer2-presets', {
      ...{ key: crypto.randomUUID(), name: 'Every place' },
      overrides: { ...body, model: { ...(body.model as Json), provider: 'openai' } },
    })
    expect(valueAt(made.overrides, ['voice', 'server'])).toEqual(valueAt(body, ['voice', 'server']))
    const read = await admin.data('GET', `/admin/layer2-presets/${made.id}`)
    expect(read).toEqual(made)
    await admin.data('PUT', `/admin/layer2-presets/${made.id}`, { ...made, overrides: whole(hooks) })
    expect(await columnsHolding(database, mark)).toEqual([])
  })

  test('and nothing that only looks sealed is taken for it', async () => {
    const overrides = { firstMessage: lookalike, startSpeakingPlan: { apiKey: lookalike } }
    const body = { key: crypto.randomUUID(), name: lookalike, overrides }
    const made = await admin.data('POST', '/admin/layer2-presets', body)
    const rotating = createVault({ current: fresh, previous: [old] })
    await rotateSecrets(database.db, rotating, secretColumns)
    app = await testApp({ database, vault: rotating })
    expect(await admin.data('GET', `/admin/layer2-presets/${made.id}`)).toEqual({ ...made, ...body })
    await admin.send('DELETE', `/admin/layer2-presets/${made.id}`)
    app = await testApp({ database, vault: createVault({ current: old, previous: [fresh] }) })
  })

  test('of an assistant that is made from a template, changed, restored and rebuilt', async () => {
    const hooks = { hooks: [{ on: 'call.ending', do: [{ type: 'tool', tool: tool('hook') }] }] }
    config = { model: { provider: 'openai', model: 'gpt-4.1', tools: [tool('base')] }, ...hooks }
    const base = await admin.data('POST', '/admin/base-configs', { name: 'Planted', config })
    const text = { name: 'Planted', prompt: 'Hi', base_config_id: base.id }
    const template = await admin.data('POST', '/admin/prompt-templates', text)
    const made = await user.data('POST', '/assistants', { name: 'A', template_id: template.id })
    const [first, second] = [tool('first'), tool('second')]
    const put = (body: object) => user.data('PUT', `/assistants/${made.assistant_id}`, { name: 'A', ...body })
    await put({ model: { tools: [first] }, startSpeakingPlan: { apiKey: secret() } })
    const entries = () => user.data('GET', `/assistants/${made.assistant_id}/update-log`)
    const [{ id: entry }] = await entries()
    expect((await liveOf(made.voice_assistant_id)).model).toMatchObject({ tools: [first] })
    await put({
      model: { tools: [second] },
      metadata: { spam_handling: 'no' },
      variableValues: { api_token: secret() },
    })
    await put({ model: { tools: [second] } })
    expect((await entries()).length).toBe(3)
    await user.data('POST', `/assistants/${made.assistant_id}/update-log/${entry}/restore`)
    expect((await liveOf(made.voice_assistant_id)).model).toMatchObject({ tools: [first] })
    expect(JSON.stringify(await entries())).not.toContain(mark)
    ids = { assistant: made.assistant_id, live: made.voice_assistant_id, base: base.id, tool: '' }

    const built = await user.data('POST', '/v2/assistants', { name: 'B', base_config_id: base.id })
    const again = { name: 'C', base_config_id: base.id, first_message: 'Hello' }
    await user.data('PUT', `/v2/assistants/${built.assistant_id ?? built.assistant.assistant_id}`, again)
    expect(await columnsHolding(database, mark)).toEqual([])
  })

  test('of tools of the catalogue, squads, simulated calls and what is imported', async () => {
    const entry = { label: 'Orders', description: 'Finds orders', type: 'function', scope: 'global' }
    const definition = definitionOf('orders')
    const made = await admin.data('POST', '/admin/tools', { ...entry, definition })
    expect(await app.services.platform.tools.get(made.id)).toMatchObject(definition)
    const changed = definitionOf('orders')
    await admin.data('PUT', `/admin/tools/${made.id}`, { ...entry, definition: changed })
    expect(await app.services.platform.tools.get(made.id)).toMatchObject(changed)
    ids.tool = made.id

    const overrides = { model: { provider: 'openai', model: 'gpt-4.1', tools: [tool('member')] } }
    const draft = await user.data('POST', '/squads', { name: 'S', members: [], membersOverrides: overrides })
    const members = [
      { assistantId: ids.assistant, assistantOverrides: { model: { ...overrides.model, tools: [tool('own')] } } },
    ]
    const put = { name: 'S', members, membersOverrides: overrides }
    const squad = await user.data('PUT', `/squads/${draft.external_squad_id}`, put)
    expect(await user.data('GET', `/squads/${squad.external_squad_id}`)).toMatchObject({ members_overrides: overrides })
    for (const path of [`/assistants/${ids.assistant}`, `/squads/${squad.external_squad_id}`]) {
      expect((await user.send('POST', `${path}/test-calls`, { messages: ['Hello'] })).status).toBe(201)
    }

    const name = 'From outside'
    const outside = { name, model: { provider: 'openai', model: 'gpt-4.1', tools: [tool('outside')] } }
    const { id } = await app.services.platform.assistants.create(outside as never)
    await admin.data('POST', '/imports', { ids: [id] })
    await app.services.adoptions.work.run()
    expect(await liveOf(id)).toMatchObject(outside)
    expect(await columnsHolding(database, mark)).toEqual([])
  })

  test('after a rotation, which reaches all of them', async () => {
    const before = await admin.data('GET', `/admin/base-configs/${ids.base}`)
    const rotating = createVault({ current: fresh, previous: [old] })
    await rotateSecrets(database.db, rotating, secretColumns)
    app = await testApp({ database, vault: createVault({ current: fresh }) })
    expect(await admin.data('GET', `/admin/base-configs/${ids.base}`)).toEqual(before)
    expect(before.config).toEqual(config)
    expect((await liveOf(ids.live)).model).toMatchObject({ tools: [{ type: 'function' }] })
    expect(await columnsHolding(database, mark)).toEqual([])
  })

  test('of rows that an earlier release stored as they were given', async () => {
    const bodies = secretColumns.filter(({ isBody }) => isBody)
    for (const column of bodies) await storedAsGiven(database, column)
    const open = await columnsHolding(database, mark)
    expect(open).toEqual(
      expect.arrayContaining([
        'assistants.config',
        'assistants.live',
        'assistant_versions.configuration',
        'tools.definition',
      ]),
    )
    const shown = await liveOf(ids.live)
    const parts = { db: database.db, vault: createVault({ current: fresh }), columns: secretColumns }
    expect(await sealOldRows(parts, () => true)).toBe(0)
    expect(await columnsHolding(database, mark)).toEqual(open)
    const part = sealingPart({ ...parts, log: app.services.log, timers: systemTimers })
    part.start?.()
    await expect.poll(() => columnsHolding(database, mark), { timeout: 60_000 }).toEqual([])
    await part.stop()
    expect(await liveOf(ids.live)).toEqual(shown)
    expect(await sealOldRows(parts)).toBe(0)
  })
})
