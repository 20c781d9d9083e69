import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, expect, test } from 'vitest'
import { countTokens } from '../../src/language-model/tokens.ts'
import { callerOf } from '../agents/caller.ts'
import { newTokenFor, newUser, type TestApp, testApp, testClock } from '../support/app.ts'
import { newClient } from '../support/client.ts'
import { listening } from '../support/listening.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

type Body = Record<string, unknown> & { data?: Record<string, unknown>; message?: string; undo?: Undo | null }
interface Undo {
  tool: string
  arguments: Record<string, unknown>
}

/** The official client on the app itself, by bearer token. */
async function connect(token: string) {
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: (url, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers).entries())
      const body = typeof init?.body === 'string' ? init.body : undefined
      return app.send(init?.method ?? 'GET', new URL(url).pathname, { headers, body })
    },
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(transport)
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<{ ok: boolean; body: Body }> => {
    const result = await client.callTool({ name, arguments: input })
    const [part] = result.content as { type: string; text: string }[]
    return { ok: result.isError !== true, body: JSON.parse(part?.text ?? '{}') }
  }
  return { client, call }
}

test('the official client finds at most fifteen tools for intents and two for the rest, in 2,500 tokens', async () => {
  const { client } = await connect((await newUser(app.database)).token)
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  expect(names.slice(-2)).toEqual(['search_operations', 'call_operation'])
  expect(names.length).toBeLessThanOrEqual(17)
  expect(await countTokens(JSON.stringify(tools))).toBeLessThan(2_500)
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))
  expect(hints.list_assistants).toMatchObject({ readOnlyHint: true, destructiveHint: false })
  expect(hints.change_assistant).toMatchObject({ readOnlyHint: false, destructiveHint: false })
  expect(hints.call_operation).toMatchObject({ readOnlyHint: false, destructiveHint: true })
})

test('an assistant is made, talked to, broken, and the break is taken back', async () => {
  const { call } = await connect((await newUser(app.database)).token)
  const made = await call('create_assistant', {
    name: 'Desk',
    system_prompt: 'You answer for the bakery.',
    first_message: 'Bakery, good morning.',
  })
  expect(made.body).toMatchObject({ success: true, changed: 'Created Desk.' })
  const assistant_id = String(made.body.data?.assistant_id)

  const talked = await call('talk_to_assistant', { assistant_id, says: ['Hello', 'Goodbye'] })
  expect(String(talked.body.data?.transcript)).toContain('Bakery, good morning.')

  const broken = await call('change_assistant', { assistant_id, first_message: 'Wrong number.' })
  expect(broken.body).toMatchObject({
    changed: 'Changed the first message from "Bakery, good morning." to "Wrong number.".',
    undo: { tool: 'restore_assistant' },
  })
  const { undo } = broken.body
  if (!undo) throw new Error('no undo')
  const restored = await call(undo.tool, undo.arguments)
  expect(restored.body.message).toBe('Assistant restored successfully')
  const read = await call('get_assistant', { assistant_id })
  expect(read.body.data).toMatchObject({ first_message: 'Bakery, good morning.' })

  const log = await call('assistant_history', { assistant_id })
  expect(log.body.data).toHaveLength(3)
  const gone = await call(String(made.body.undo?.tool), made.body.undo?.arguments)
  expect(gone.body).toMatchObject({ message: 'Assistant deleted successfully', undo: null })
  expect((await call('get_assistant', { assistant_id })).ok).toBe(false)
})

test('every other operation is found by words and called by name', async () => {
  const { call } = await connect((await newUser(app.database)).token)
  const found = await call('search_operations', { query: 'draft a squad' })
  const operations = found.body.operations as { operation: string; rest: string; input: { properties: object } }[]
  const draft = operations.find(({ operation }) => operation === 'squads.draft')
  expect(draft).toMatchObject({ rest: 'POST /squads', input: { properties: { name: {}, members: {} } } })

  const profile = await call('call_operation', { operation: 'profile.get' })
  expect(profile.body).toMatchObject({ success: true })
  const unknown = await call('call_operation', { operation: 'no.such' })
  expect(unknown).toEqual({ ok: false, body: { message: 'There is no operation no.such: search for it first.' } })
  const upload = await call('search_operations', { query: 'upload a file' })
  expect((upload.body.operations as { operation: string }[]).map(({ operation }) => operation)).not.toContain(
    'agentFiles.upload',
  )
})

test('the gates, scopes and checks are those of the other faces', async () => {
  const owner = await newUser(app.database)
  const { call } = await connect(owner.token)
  const made = await call('create_assistant', { name: 'Desk' })
  const assistant_id = String(made.body.data?.assistant_id)

  const viewer = await newUser(app.database, { ...owner, workspaceRole: 'viewer' })
  const asViewer = await connect(viewer.token)
  expect((await asViewer.call('get_assistant', { assistant_id })).ok).toBe(true)
  const refused = await asViewer.call('change_assistant', { assistant_id, name: 'Mine' })
  expect(refused).toMatchObject({ ok: false, body: { success: false } })

  const reader = await connect(await newTokenFor(app.database, owner.userId, undefined, ['read']))
  expect((await reader.call('get_assistant', { assistant_id })).ok).toBe(true)
  for (const [tool, input] of [
    ['change_assistant', { assistant_id, name: 'Mine' }],
    ['call_operation', { operation: 'assistants.delete', input: { assistantId: assistant_id } }],
  ] as const) {
    const message = 'This token does not have the scope assistants:write.'
    expect(await reader.call(tool, input)).toMatchObject({ ok: false, body: { message, scope: 'assistants:write' } })
  }

  const stranger = await connect((await newUser(app.database)).token)
  expect(await stranger.call('get_assistant', { assistant_id })).toMatchObject({
    ok: false,
    body: { success: false, message: 'Assistant not found' },
  })
  expect((await stranger.call('call_operation', { operation: 'admin.users.list' })).ok).toBe(false)
  const bad = await call('call_operation', { operation: 'assistants.create', input: { name: '' } })
  expect(bad).toMatchObject({ ok: false, body: { success: false, errors: { name: expect.any(Array) } } })

  const without = await app.send('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
  expect(without.status).toBe(401)
})

test('a number is led to an assistant, and the answer says how to lead it back', async () => {
  const { call } = await connect((await newUser(app.database)).token)
  const made = await call('create_assistant', { name: 'Desk' })
  const offers = await call('call_operation', { operation: 'phoneNumbers.available' })
  const [offer] = offers.body.data as unknown as { phone_number: string }[]
  await call('call_operation', { operation: 'phoneNumbers.buy', input: { phone_number: offer?.phone_number } })
  const attached = await call('attach_number', {
    number: offer?.phone_number,
    voice_assistant_id: made.body.data?.voice_assistant_id,
  })
  const nothing = { voice_assistant_id: null, voice_squad_id: null, voice_workflow_id: null }
  const undo = (target: object) => ({ tool: 'attach_number', arguments: { number: offer?.phone_number, ...target } })
  expect(attached.body).toMatchObject({ success: true })
  expect(attached.body.undo).toEqual(undo(nothing))

  const led = { number: offer?.phone_number, voice_workflow_id: 'wf-1' }
  const toAssistant = { voice_assistant_id: made.body.data?.voice_assistant_id }
  expect((await call('attach_number', led)).body.undo).toEqual(undo(toAssistant))
  const back = await call('attach_number', undo(toAssistant).arguments)
  expect(back.body).toMatchObject({ data: { ...nothing, ...toAssistant }, undo: undo({ voice_workflow_id: 'wf-1' }) })
  const off = await call('attach_number', undo(nothing).arguments)
  expect(off.body).toMatchObject({ data: nothing, undo: undo(toAssistant) })
})

test('an assistant without layers gets its values, and says so where it would leave something out', async () => {
  const { call } = await connect((await newUser(app.database)).token)
  const made = await call('create_assistant', {
    name: 'Desk',
    system_prompt: 'You answer for {{bakery}}.',
    variable_values: { bakery: 'The Crust' },
  })
  const { body } = await call('get_assistant', { assistant_id: made.body.data?.assistant_id })
  expect(JSON.stringify(body)).toContain('You answer for The Crust.')
  expect(await call('create_assistant', { name: 'Desk', personality_id: 1, layer2_key: 'after-hours' })).toEqual({
    ok: false,
    body: {
      success: false,
      message: 'personality_id and layer2_key can only be used with base_config_id or industry_template_id.',
    },
  })
})

test('an agent of one installation reaches the tools of another through a connector', async () => {
  const reached = await testApp({ allowPrivateNetwork: ['127.0.0.1'], remember: false })
  const server = listening(reached)
  try {
    const caller = callerOf(reached, (await newUser(reached.database)).token)
    const agent = await caller.agent()
    const headers = { Authorization: `Bearer ${(await newUser(reached.database)).token}` }
    const created = await caller.post('/connectors', { name: 'Calls', server_url: `${server.url}/mcp`, headers })
    const { uid } = created.body.data
    await caller.send('PUT', `/agents/${agent}/connectors/${uid}`, { enabled: true })
    const { body } = await caller.get(`/agents/${agent}/connectors`)
    const entry = body.data.find((item: { uid: string }) => item.uid === uid)
    expect(entry.tools.map(({ name }: { name: string }) => name)).toContain('create_assistant')
  } finally {
    await server.stop()
  }
})

const message = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'search_operations', arguments: { query: 'assistants' } },
})
const accepted = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

test('every message counts, alone or in a batch, whether or not it calls an operation', async () => {
  const limited = await testApp({ clock: testClock(), rateLimits: { perMinute: 10 } })
  const first = await newClient(limited)
  for (let id = 0; id < 10; id++) expect((await first.post('/mcp', message(id), accepted)).status).toBe(200)
  const refused = await first.post('/mcp', message(10), accepted)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('60')

  const second = await newClient(limited)
  const batch = (length: number) => Array.from({ length }, (_, id) => message(id))
  expect((await second.post('/mcp', batch(8), accepted)).status).toBe(200)
  expect((await second.post('/mcp', batch(3), accepted)).status).toBe(429)
})

test('what the messages of one batch read together is bounded', async () => {
  const client = await newClient(app)
  const model = { messages: Array.from({ length: 19 }, () => ({ role: 'system', content: 'x'.repeat(10_000) })) }
  for (const name of ['One', 'Two', 'Three']) await client.data('POST', '/assistants', { name, model })
  const list = { name: 'call_operation', arguments: { operation: 'assistants.list' } }
  const batch = Array.from({ length: 40 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: list }))
  const { token } = client
  const response = await app.send('POST', '/mcp', { token, body: JSON.stringify(batch), headers: accepted })
  expect(response.status).toBe(200)
  const events = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
  const results: { isError?: boolean; content: { text: string }[] }[] = events.map(
    (line) => JSON.parse(line.slice('data: '.length)).result,
  )
  expect(results).toHaveLength(40)
  const failed = results.filter(({ isError }) => isError)
  expect(failed.length).toBeGreaterThan(10)
  expect(results.length - failed.length).toBeGreaterThan(5)
  expect(failed[0]?.content[0]?.text).toContain('What these calls give is too large for one response.')
})

test('a search for operations takes a short query only', async () => {
  const { client } = await connect((await newUser(app.database)).token)
  const search = (query: string) => client.callTool({ name: 'search_operations', arguments: { query } })
  expect((await search('a'.repeat(200))).isError).toBeFalsy()
  const refused = await search('a'.repeat(201)).catch((error: unknown) => error)
  expect(JSON.stringify(refused instanceof Error ? refused.message : refused)).toContain('query')
  expect(refused).not.toMatchObject({ isError: false })
})

test('webhooks of an assistant that was deleted are listed with those of its workspace', async () => {
  const owner = await newUser(app.database)
  const { call } = await connect(owner.token)
  const metadata = { webhook_url: 'https://example.com/hook' }
  const made = await call('call_operation', {
    operation: 'assistants.create',
    input: { name: 'Desk', firstMessage: 'Bakery.', metadata },
  })
  const assistant_id = String(made.body.data?.assistant_id)
  await call('talk_to_assistant', { assistant_id, says: ['Hello', 'Goodbye'] })
  const { body: ofAssistant } = await call('list_deliveries', { assistant_id })
  expect(ofAssistant.data).not.toEqual([])
  await call('call_operation', { operation: 'assistants.delete', input: { assistantId: assistant_id } })
  const idsOf = (body: Body) => (body.data as unknown as { id: string }[]).map(({ id }) => id)
  const { workspaceId: workspace_id } = owner
  expect(idsOf((await call('list_deliveries', { workspace_id })).body)).toEqual(idsOf(ofAssistant))
  expect(idsOf((await call('list_deliveries')).body)).toEqual([])
  const stranger = await connect((await newUser(app.database)).token)
  expect(idsOf((await stranger.call('list_deliveries', { workspace_id })).body)).toEqual([])
  expect(await call('list_deliveries', { workspace_id, assistant_id })).toEqual({
    ok: false,
    body: { message: 'Name an assistant or a workspace, not both.' },
  })
})
