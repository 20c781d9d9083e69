import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, callerOf, operator } from './admin/caller.ts'
import { newUser, type TestApp, testApp } from './support/app.ts'
import { nextNumber } from './support/numbers/numbers.ts'

let app: TestApp
let admin: Caller
let me: Caller
let assistantId: string
let number: string
beforeAll(async () => {
  app = await testApp()
  admin = await operator(app)
  me = callerOf(app, await newUser(app.database))
  assistantId = String((await me.data('POST', '/assistants', { name: 'Desk' })).assistant_id)
  number = String((await me.data('POST', '/phone-numbers', { phone_number: nextNumber() })).phone_number)
})

type Tool = { type: string } & Record<string, unknown>
type Place = [where: string, path: string, send: (tool: Tool) => ReturnType<Caller['send']>]

const model = (tool: Tool) => ({ provider: 'openai', model: 'gpt-4o', tools: [tool] })
const squad = (tool: Tool) => ({
  name: 'Team',
  members: [{ assistantId, assistantOverrides: { model: model(tool) } }],
})

/** Where a tool may be defined in place. */
const places: Place[] = [
  ['POST /assistants', 'model.tools.0', (tool) => me.send('POST', '/assistants', { name: 'A', model: model(tool) })],
  [
    'PUT /assistants/{assistantId}',
    'model.tools.0',
    (tool) => me.send('PUT', `/assistants/${assistantId}`, { name: 'A', model: model(tool) }),
  ],
  [
    'PUT /assistants/{assistantId}/advanced',
    'model.tools.0',
    (tool) => me.send('PUT', `/assistants/${assistantId}/advanced`, { name: 'A', model: model(tool) }),
  ],
  ['POST /squads', 'members.0.assistantOverrides.model.tools.0', (tool) => me.send('POST', '/squads', squad(tool))],
  [
    'PUT /squads/{id}',
    'members.0.assistantOverrides.model.tools.0',
    async (tool) => {
      const { external_squad_id } = await me.data('POST', '/squads', { name: 'Team', members: [] })
      return me.send('PUT', `/squads/${external_squad_id}`, squad(tool))
    },
  ],
  [
    'overrides of all members',
    'membersOverrides.tools:append.0',
    (tool) => me.send('POST', '/squads', { name: 'T', members: [], membersOverrides: { 'tools:append': [tool] } }),
  ],
  [
    'POST /admin/base-configs',
    'config.model.tools.0',
    (tool) => admin.send('POST', '/admin/base-configs', { name: 'Base', config: { model: model(tool) } }),
  ],
  [
    'POST /admin/layer2-presets',
    'overrides.hooks.0.do.0.tool',
    (tool) => {
      const overrides = { hooks: [{ on: 'call.ending', do: [{ type: 'tool', tool }] }] }
      return admin.send('POST', '/admin/layer2-presets', { key: crypto.randomUUID(), name: 'P', overrides })
    },
  ],
  [
    'POST /admin/tools',
    'definition',
    ({ type, ...definition }) =>
      admin.send('POST', '/admin/tools', { label: 'T', description: 'T', type, scope: 'global', definition }),
  ],
]

const hook = (tool: Tool) => ({ hooks: [{ on: 'call.ending', do: [{ type: 'tool', tool }] }] })
const ofNumber: Place = [
  'PUT /phone-numbers/{id}',
  'hooks.0.do.0.tool',
  (tool) => me.send('PUT', `/phone-numbers/${number}`, hook(tool)),
]

const called = (server: object): Tool => ({ type: 'function', function: { name: 'find' }, server })
const url = 'https://tools.example.com/find'
const request = (headers: object): Tool => ({ type: 'apiRequest', method: 'GET', url, headers })

/** What could never work, and the path of it within the tool. */
const broken: [path: string, tool: Tool][] = [
  ['type', { type: '__proto__' }],
  ['type', { type: 'nonsense' }],
  ['function.name', { type: 'function', function: { name: 'a b' } }],
  ['server.headers.a\r\nb', called({ url, headers: { 'a\r\nb': 'x' } })],
  ['server.headers.a', called({ url, headers: { a: 'x\r\nInjected: yes' } })],
  ['server.headers.a b', called({ url, headers: { 'a b': 'x' } })],
  ['server.headers.', called({ url, headers: { '': 'x' } })],
  ['server.headers.a', called({ url, headers: { a: '日本' } })],
  ['server.headers.a', called({ url, headers: { a: null } })],
  ['server.headers', called({ url, headers: 'str' })],
  ['server.secret', called({ url, secret: 'a\r\nb' })],
  ['server.timeoutSeconds', called({ url, timeoutSeconds: -1 })],
  ['server.url', called({ url: 'file:///etc/hosts' })],
  ['server.url', called({ url: 'nonsense' })],
  ['server.url', called({ url: 5 })],
  ['server.url', called({ url: 'https://tools.exam\nple.com' })],
  ['headers.a b', request({ 'a b': 'x' })],
  ['headers.X-A', request({ type: 'object', 'X-A': 'a\r\nB: c' })],
  ['headers.X-A', request({ type: 'object', 'X-Count': 5, 'X-A': null })],
  ['headers.a b', request({ properties: 'none', 'a b': 'x' })],
  ['headers.X-A', { type: 'sipRequest', verb: 'INFO', headers: { type: 'object', 'X-A': 'a\r\nB: c' } }],
  ['server.headers.X-A', called({ url, headers: { type: 'object', 'X-A': 'a\r\nB: c' } })],
  ['server.headers.properties', called({ url, headers: { type: 'object', properties: {} } })],
]

describe.each([...places, ofNumber])('%s', (_where, at, send) => {
  test('refuses a tool that could never work, on its path', async () => {
    for (const [path, tool] of broken) {
      const { status, body } = await send(tool)
      const field = at === 'definition' && path === 'type' ? 'type' : `${at}.${path}`
      expect([status, Object.keys(body.errors ?? {})], JSON.stringify(tool)).toEqual([422, [field]])
      expect(body.errors[field][0]).toMatch(new RegExp(`^The ${RegExp.escape(field)} field .+\\.$`, 's'))
    }
  })
})

/** What works, although it looks like something else. */
const sound: Tool[] = [
  called({ url, secret: 'hush', headers: { 'X-Key': 'é', 'X-Count': 5, 'X-On': true }, timeoutSeconds: 300 }),
  { type: 'apiRequest', method: 'GET', url: '{{base}}/orders', headers: { type: 'object', properties: { 'a b': {} } } },
  request({ properties: { 'X-Order': { type: 'string', description: 'a\nb' } }, description: 'a\nb' }),
  request({ type: 'object', required: ['X-Order'] }),
  request({ type: 'object', 'X-A': 'a' }),
  { type: 'sipRequest', verb: 'INFO', headers: { type: 'object', properties: {} } },
  {
    type: 'function',
    function: {
      name: 'find',
      parameters: {
        type: 'object',
        properties: { tool: { type: 'string' }, server: { type: 'string' }, tools: { type: 'array' } },
      },
    },
  },
]

test.each(places)('%s takes what works', async (_where, _path, send) => {
  for (const tool of sound) {
    const { status, body } = await send(tool)
    expect(status, JSON.stringify([tool, body.errors])).toBeLessThan(300)
  }
})

test.each<[string, object]>([
  [
    'membersOverrides.voice.server.headers.a',
    { voice: { provider: 'custom-voice', server: { url, headers: { a: '\n' } } } },
  ],
  [
    'membersOverrides.model.headers.a b',
    { model: { provider: 'custom-llm', model: 'm', url, headers: { 'a b': 'x' } } },
  ],
  ['membersOverrides.server', { server: 'nonsense' }],
])('%s is looked at outside of tools as well', async (path, membersOverrides) => {
  const { status, body } = await me.send('POST', '/squads', { name: 'T', members: [], membersOverrides })
  expect([status, Object.keys(body.errors)]).toEqual([422, [path]])
})

const ownModel = (headers: object) => ({ provider: 'custom-llm', model: 'm', url, headers })

/** Where a model of one's own may stand, and its path. */
const models: [where: string, path: string, send: (headers: object) => ReturnType<Caller['send']>][] = [
  [
    'POST /squads',
    'members.0.assistantOverrides.model',
    (headers) =>
      me.send('POST', '/squads', {
        name: 'T',
        members: [{ assistantId, assistantOverrides: { model: ownModel(headers) } }],
      }),
  ],
  [
    'POST /admin/base-configs',
    'config.model',
    (headers) => admin.send('POST', '/admin/base-configs', { name: 'B', config: { model: ownModel(headers) } }),
  ],
  [
    'POST /admin/layer2-presets',
    'overrides.model',
    (headers) => {
      const overrides = { model: ownModel(headers) }
      return admin.send('POST', '/admin/layer2-presets', { key: crypto.randomUUID(), name: 'P', overrides })
    },
  ],
]

test.each(models)('headers of a model at %s are no schema, whatever they look like', async (_where, at, send) => {
  for (const [name, headers] of [
    ['X-A', { type: 'object', 'X-A': 'a\r\nB: c' }],
    ['X Y', { type: 'object', 'X Y': 'z' }],
    ['properties', { properties: {}, 'X-Y': 'z' }],
  ] as const) {
    const { status, body } = await send(headers)
    const field = `${at}.headers.${name}`
    const text = `The ${field} field cannot be sent as an HTTP header.`
    expect([status, body.errors], JSON.stringify(headers)).toEqual([422, { [field]: [text] }])
  }
  expect((await send({ type: 'object', 'X-A': 'a' })).status).toBe(201)
})
