import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { createModels } from '../../src/language-model/models.ts'
import { converseThrough } from '../../src/resources/calls/converse.ts'
import type { SimulatedCall } from '../../src/voice-platform/simulation.ts'
import { type FakeModelServer, fakeModelServer } from '../agents/fake-model-server.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { type Caller, caller } from '../support/numbers/rig.ts'
import { violations } from '../support/voice-platform/description.ts'

/** What servers are asked while a call goes on, and what their responses do. */
type Json = Record<string, unknown>

interface AskedServer {
  url: string
  received: { headers: Headers; text: string; message: Json }[]
  /** Each response, in order; a text is sent as it is, none never comes. */
  responses: (Json | string | number | undefined)[]
  stop(): Promise<void>
}

function askedServer(): AskedServer {
  const received: AskedServer['received'] = []
  const responses: AskedServer['responses'] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const text = await request.text()
      const { message } = JSON.parse(text)
      received.push({ headers: request.headers, text, message })
      if (message.type !== 'tool-calls' && message.type !== 'assistant-request') return new Response(null)
      const response = responses.shift()
      if (typeof response === 'number') return new Response(null, { status: response })
      if (typeof response === 'string') return new Response(response)
      const [call] = Array.isArray(message.toolCallList) ? message.toolCallList : []
      return Response.json(
        response?.result === undefined ? response : { results: [{ toolCallId: call.id, ...response }] },
      )
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, received, responses, stop: () => server.stop(true) }
}

let app: TestApp
let me: Caller
let fake: FakeModelServer
let server: AskedServer

beforeAll(async () => {
  fake = fakeModelServer()
  const { db } = await testDatabase()
  const models = createModels(localModel(), fake.models)
  const converse = converseThrough({ db, models, slots: createSlots({ total: 40 }) })
  app = await testApp({ allowPrivateNetwork: ['127.0.0.1'], models: fake.models }, { converse })
  me = await caller(app)
})
afterAll(() => fake.stop())
beforeEach(() => {
  server = askedServer()
  fake.script.length = 0
})
afterEach(() => server.stop())

const weather = (over: object = {}) => ({
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Tells the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
  server: { url: `${server.url}/weather`, headers: { 'X-Key': 'hush' } },
  ...over,
})

const desk = (tools: object[], body: object = {}): Promise<{ assistant_id: string; voice_assistant_id: string }> =>
  me.data(201, 'POST', '/assistants', {
    name: `Desk ${crypto.randomUUID().slice(0, 8)}`,
    firstMessage: 'Hello.',
    serverMessages: ['tool-calls'],
    model: { tools },
    ...body,
  }) as never

const callDesk = (assistantId: string, ...messages: string[]): Promise<Json> =>
  me.data(201, 'POST', `/assistants/${assistantId}/test-calls`, { messages })

/** A call as the platform returns it. */
const stored = async (id: unknown): Promise<Json> => ({ ...(await app.services.platform.calls.get(String(id))) })

/** The description that is at hand leaves out the tools of assistants. */
const withoutAssistant = ({ assistant: _assistant, ...message }: Json = {}) => message

const usesTool = (call = 'get_weather', args = '{"city":"Oslo"}', reply = 'It rains in Oslo.') => {
  fake.script.push({ call, args }, { reply })
}

interface Logged extends Json {
  id: string
  response: unknown
}
/** What was asked for an assistant, newest first, with its body and response. */
const logged = async (assistantId: string): Promise<Logged[]> => {
  const listed = (await me.data(200, 'GET', `/assistants/${assistantId}/deliveries`)) as never as Logged[]
  return Promise.all(listed.map(({ id }) => me.data(200, 'GET', `/deliveries/${id}`) as never as Promise<Logged>))
}

describe('a tool of an assistant', () => {
  test('is asked with the secret of its server in the header for it', async () => {
    const own = {
      url: `${server.url}/weather`,
      secret: 'tool-secret',
      headers: { 'X-Key': 'hush', 'x-vapi-secret': 'no' },
    }
    const { assistant_id } = await desk([weather({ server: own })])
    usesTool()
    server.responses.push({ result: 'Rain.' })
    await callDesk(assistant_id, 'How is the weather in Oslo?')
    const asked = server.received.find(({ message }) => message.type === 'tool-calls')
    expect([asked?.headers.get('x-vapi-secret'), asked?.headers.get('x-key')]).toEqual(['tool-secret', 'hush'])
    expect(asked?.text).not.toContain('tool-secret')
  })

  test('is asked of its own server while the call goes on, and the reply is made with what it gives', async () => {
    const { assistant_id } = await desk([weather()])
    usesTool()
    server.responses.push({ result: 'Rain, 8 degrees.' })
    const made = await callDesk(assistant_id, 'How is the weather in Oslo?')
    expect(made.transcript).toBe('AI: Hello.\nUser: How is the weather in Oslo?\nAI: It rains in Oslo.\n')
    const [asked] = server.received
    expect(server.received).toHaveLength(1)
    expect(violations('ServerMessageToolCalls', withoutAssistant(asked?.message))).toEqual([])
    expect(asked?.headers.get('x-key')).toBe('hush')
    expect(asked?.text).not.toContain('hush')
    const [call] = (asked?.message.toolCallList ?? []) as { id: string; function: object }[]
    expect(call?.function).toEqual({ name: 'get_weather', arguments: '{"city":"Oslo"}' })
    expect(asked?.message).toMatchObject({ type: 'tool-calls', call: { id: made.id }, timestamp: expect.any(Number) })
    expect(fake.received.at(-1)?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Rain, 8 degrees.' })
    const kept = await stored(made.id)
    expect(violations('Call', kept)).toEqual([])
    expect(kept.messages).toMatchObject([
      { role: 'bot' },
      { role: 'user' },
      { role: 'tool_calls', toolCalls: [{ id: call?.id }] },
      { role: 'tool_call_result', toolCallId: call?.id, name: 'get_weather', result: 'Rain, 8 degrees.' },
      { role: 'bot' },
    ])
  })

  test.each<[string, Json | string | number | undefined, string]>([
    ['an error of the tool', { result: null, error: 'No such city.' }, 'Error: No such city.'],
    ['an error', { error: 'Closed.' }, 'Error: Closed.'],
    ['an object as the result', { result: { degrees: 8 } }, '{"degrees":8}'],
    ['nothing about this call', { results: [{ toolCallId: 'x', result: 'y' }] }, 'Error: the server gave no result.'],
    ['no JSON', '<html>', 'Error: The receiver gave no JSON.'],
    ['a failure', 503, 'Error: The receiver answered with status 503.'],
    ['a result without end', { result: 'a'.repeat(20_000) }, 'a'.repeat(8_000)],
    ['too much', { result: 'a'.repeat(400_000) }, 'Error: The URL gives an answer that is too large.'],
  ])('is told to the model when the server responds with %s', async (_, response, told) => {
    const { assistant_id } = await desk([weather()])
    usesTool()
    server.responses.push(response)
    expect(await callDesk(assistant_id, 'The weather?')).toMatchObject({ ended_reason: 'customer-ended-call' })
    expect(fake.received.at(-1)?.messages.at(-1)).toMatchObject({ role: 'tool', content: told })
  })

  test('is asked of the webhook of the assistant when it has no server, if that selects tool-calls', async () => {
    const tools = [weather({ server: undefined })]
    const metadata = { webhook_url: `${server.url}/hook` }
    const { assistant_id } = await desk(tools, { metadata })
    usesTool()
    server.responses.push({ result: 'Rain.' })
    await callDesk(assistant_id, 'The weather?')
    expect(server.received.map(({ message }) => message.type)).toEqual(['tool-calls'])

    const deaf = await desk(tools, { metadata, serverMessages: ['status-update'] })
    await callDesk(deaf.assistant_id, 'The weather?')
    expect(fake.received.at(-1)?.tools).toBeUndefined()
  })

  test('is not asked at an address that must not be asked', async () => {
    const { assistant_id } = await desk([weather({ server: { url: 'http://10.1.2.3/' } })])
    usesTool()
    await callDesk(assistant_id, 'The weather?')
    expect(fake.received.at(-1)?.messages.at(-1)?.content).toBe('Error: The URL must not lead to a private network.')
  })

  test('that ends the call ends it after the reply', async () => {
    const { assistant_id } = await desk([{ type: 'endCall' }])
    usesTool('endCall', '{}', 'Good day to you.')
    const made = await callDesk(assistant_id, 'I have to go.', 'Still there?')
    expect(made).toMatchObject({ ended_reason: 'assistant-ended-call' })
    expect(String(made.transcript).trim().split('\n').at(-1)).toBe('AI: Good day to you.')
  })

  test('that forwards the call tells so, and the call has its destination', async () => {
    const destination = { type: 'number', number: '+14155550999', message: 'Sales take over.' }
    const metadata = { webhook_url: `${server.url}/hook` }
    const { assistant_id } = await desk([{ type: 'transferCall', destinations: [destination] }], {
      metadata,
      serverMessages: ['status-update', 'transfer-update', 'end-of-call-report'],
    })
    usesTool('transferCall', '{"destination":"+14155550999"}', 'One moment.')
    const made = await callDesk(assistant_id, 'I want to buy.')
    await app.services.webhooks.drain()
    expect(made.ended_reason).toBe('assistant-forwarded-call')
    expect(String(made.transcript)).toContain('AI: One moment.\nAI: Sales take over.\n')
    expect(server.received.map(({ message: { type, status } }) => [type, status].filter(Boolean).join())).toEqual([
      'status-update,in-progress',
      'transfer-update',
      'status-update,forwarding',
      'status-update,ended',
      'end-of-call-report',
    ])
    const [transfer, report] = [server.received[1]?.message, server.received[4]?.message]
    expect(violations('ServerMessageTransferUpdate', withoutAssistant(transfer))).toEqual([])
    expect([transfer?.destination, report?.destination]).toEqual([destination, destination])
    expect(await stored(made.id)).toMatchObject({ destination })
  })
})

test.each([
  [3_000, []],
  [5_000, ['hang']],
])('a reply that takes %i milliseconds is told as %j', async (milliseconds, expected) => {
  const { assistant_id } = await desk([], {
    metadata: { webhook_url: `${server.url}/hook` },
    serverMessages: ['hang'],
  })
  const real = performance.now.bind(performance)
  const started = fake.received.length
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => {
    return real() + (fake.received.length > started ? milliseconds : 0)
  })
  try {
    await callDesk(assistant_id, 'Hi')
  } finally {
    spy.mockRestore()
  }
  await app.services.webhooks.drain()
  expect(server.received.map(({ message }) => message.type)).toEqual(expected)
  const [hang] = server.received
  if (hang) expect(violations('ServerMessageHang', withoutAssistant(hang.message))).toEqual([])
})

test('a call and its report list what each part of it costs', async () => {
  const { assistant_id } = await desk([], {
    metadata: { webhook_url: `${server.url}/hook` },
    serverMessages: ['end-of-call-report'],
  })
  const made = await callDesk(assistant_id, 'Hi')
  await app.services.webhooks.drain()
  const kept = await stored(made.id)
  const costs = kept.costs as { type: string; cost: number }[]
  expect(costs.map(({ type }) => type)).toEqual(['transport', 'transcriber', 'model', 'voice', 'vapi'])
  expect(costs.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(Number(kept.cost), 3)
  const report = server.received[0]?.message
  expect(report?.costs).toEqual(costs)
  expect(violations('ServerMessageEndOfCallReport', report)).toEqual([])
})

/** An assistant deeper than any that can be stored. */
const nested = `{"assistant":${'{"metadata":'.repeat(20_000)}1${'}'.repeat(20_001)}`

describe('a number that nobody is set for', () => {
  const fallback = { type: 'number', number: '+14155550999' }
  const run = async (call: SimulatedCall) => {
    const made = await app.services.platform.simulation?.run(call)
    await app.services.webhooks.drain()
    if (!made) throw new Error('no call')
    return made
  }
  const number = async (body: object = {}, owner = me) => {
    const { phone_number, voice_phone_number_id } = await owner.number()
    await owner.data(200, 'PUT', `/phone-numbers/${phone_number}`, {
      server: { url: server.url, secret: 'hush' },
      ...body,
    })
    return voice_phone_number_id
  }

  test('asks its server who answers, and that assistant does', async () => {
    const { voice_assistant_id } = await desk([], { serverMessages: ['status-update'] })
    const phoneNumberId = await number()
    server.responses.push({ assistantId: voice_assistant_id, assistantOverrides: { firstMessage: 'Welcome back.' } })
    const made = await run({ phoneNumberId, messages: ['Hi'] })
    expect(made).toMatchObject({ assistantId: voice_assistant_id, endedReason: 'customer-ended-call' })
    expect(made.artifact?.transcript).toBe('AI: Welcome back.\nUser: Hi\nAI: echo: Hi\n')
    const [asked, ...told] = server.received
    expect(violations('ServerMessageAssistantRequest', asked?.message)).toEqual([])
    expect([asked?.message.type, asked?.headers.get('x-vapi-secret')]).toEqual(['assistant-request', 'hush'])
    expect(told.map(({ message }) => message.status)).toEqual(['in-progress', 'ended'])
  })

  test('asks its server in the log of webhooks of the assistant that the response names', async () => {
    const { assistant_id, voice_assistant_id } = await desk([], { serverMessages: [] })
    const phoneNumberId = await number()
    server.responses.push({ assistantId: voice_assistant_id })
    await run({ phoneNumberId, messages: ['Hi'] })
    expect(await logged(assistant_id)).toMatchObject([
      { type: 'assistant-request', status: 'delivered', response: { assistantId: voice_assistant_id } },
    ])
  })

  test('lists a question that names no assistant for who may see the number, and for nobody else', async () => {
    const owner = await caller(app)
    const taken = await number({}, owner)
    server.responses.push({ error: 'We are closed.' })
    await run({ phoneNumberId: taken, messages: ['Hi'] })
    const all = (await owner.data(200, 'GET', '/deliveries')) as never as Logged[]
    expect(all.map(({ type }) => type)).toEqual(['end-of-call-report', 'status-update', 'assistant-request'])
    const listed = all.at(-1)
    expect(listed).toMatchObject({ status: 'delivered', attempts: 1 })
    const id = String(listed?.id)
    expect(await owner.data(200, 'GET', `/deliveries/${id}`)).toMatchObject({
      payload: { message: { type: 'assistant-request' } },
      response: { error: 'We are closed.' },
    })
    expect(await owner.data(200, 'GET', '/deliveries?status=dead')).toEqual([])

    const stranger = await caller(app)
    expect(await stranger.data(200, 'GET', '/deliveries')).toEqual([])
    expect((await stranger.send('GET', `/deliveries/${id}`)).status).toBe(404)
    expect((await stranger.send('POST', `/deliveries/${id}/replay`)).status).toBe(404)
    const [seller, elsewhere] = await Promise.all([
      caller(app, { role: 'reseller_admin', resellerId: owner.resellerId }),
      caller(app, { role: 'reseller_admin' }),
    ])
    const ids = async (who: Caller) =>
      ((await who.data(200, 'GET', '/deliveries?per_page=100')) as never as Logged[]).map((one) => one.id)
    expect(await ids(seller)).toContain(id)
    expect(await ids(elsewhere)).not.toContain(id)
    expect(await ids(await caller(app, { role: 'admin' }))).toContain(id)
  })

  test('is answered by an assistant that the response tells whole', async () => {
    const phoneNumberId = await number()
    server.responses.push({ assistant: { firstMessage: 'Bakery.', model: { provider: 'openai', model: 'gpt-4.1' } } })
    const made = await run({ phoneNumberId, messages: ['Hi'] })
    expect(made.artifact?.transcript).toBe('AI: Bakery.\nUser: Hi\nAI: echo: Hi\n')
  })

  test('whose hook forwards the call tells where to, when its assistant selects that', async () => {
    const { voice_assistant_id } = await desk([], { serverMessages: ['status-update', 'transfer-update'] })
    const hooks = [{ on: 'call.ringing', do: [{ type: 'transfer', destination: fallback }] }]
    const phoneNumberId = await number({ voice_assistant_id, hooks })
    await run({ phoneNumberId, messages: ['Hi'] })
    const told = server.received.map(({ message }) => message)
    expect(told.map(({ type, status }) => status ?? type)).toEqual(['transfer-update', 'forwarding', 'ended'])
    expect(told[0]?.destination).toEqual(fallback)
    expect(violations('ServerMessageTransferUpdate', withoutAssistant(told[0]))).toEqual([])
  })

  test('is answered by a squad that the response tells whole', async () => {
    const { voice_assistant_id } = await desk([])
    const phoneNumberId = await number()
    const destination = { type: 'assistant', assistantName: 'Bill', message: 'One moment.' }
    const bill = { name: 'Bill', model: { provider: 'openai', model: 'gpt-4.1', toolIds: [crypto.randomUUID()] } }
    server.responses.push({
      squad: {
        members: [{ assistantId: voice_assistant_id, assistantDestinations: [destination] }, { assistant: bill }],
      },
      squadOverrides: { firstMessage: 'Squad here.' },
    })
    const made = await run({ phoneNumberId, messages: ['Is Bill there?'] })
    expect(made.artifact?.transcript).toBe('AI: Squad here.\nUser: Is Bill there?\nAI: One moment.\nAI: Squad here.\n')
    expect(made).toMatchObject({ assistantId: voice_assistant_id, endedReason: 'customer-ended-call' })
  })

  test('is answered by the assistant that the response names, beside fields that are null', async () => {
    const { voice_assistant_id } = await desk([])
    const phoneNumberId = await number()
    const nothing = { assistant: null, assistantOverrides: null, squadId: null, squad: null, squadOverrides: null }
    server.responses.push({ assistantId: voice_assistant_id, ...nothing, destination: null, error: null })
    const made = await run({ phoneNumberId, messages: ['Hi'] })
    expect(made).toMatchObject({ assistantId: voice_assistant_id, endedReason: 'customer-ended-call' })
  })

  test.each<[string, () => Promise<Json>]>([
    ['without members', async () => ({ members: [] })],
    ['of a member whose id is none', async () => ({ members: [{ assistantId: 'x' }] })],
    ['of a member that is nobody', async () => ({ members: [{ assistantId: crypto.randomUUID() }] })],
    [
      "of another workspace's assistant",
      async () => {
        const { voice_assistant_id } = await (await caller(app)).assistant()
        return { members: [{ assistant: { name: 'Ours' } }, { assistantId: voice_assistant_id }] }
      },
    ],
    [
      'of two members with one name',
      async () => ({ members: [{ assistant: { name: 'A' } }, { assistant: { name: 'A' } }] }),
    ],
    [
      'of more members than there may be',
      async () => ({
        members: Array.from({ length: 101 }, (_, at) => ({ assistant: { name: `A ${at}` } })),
      }),
    ],
  ])('is answered by no squad %s', async (_, squad) => {
    const phoneNumberId = await number()
    server.responses.push({ squad: await squad() })
    const made = await run({ phoneNumberId, messages: ['Hi'] })
    expect(made.endedReason).toBe('assistant-request-returned-invalid-assistant')
  })

  test.each<[string, Json | string | number, object, object]>([
    ['an error', { error: 'We are closed.' }, { endedReason: 'assistant-request-returned-error' }, {}],
    [
      'a destination',
      { destination: fallback },
      { endedReason: 'assistant-request-returned-forwarding-phone-number', destination: fallback },
      {},
    ],
    ['nobody', {}, { endedReason: 'assistant-request-returned-no-assistant' }, {}],
    [
      'an assistant that does not exist',
      { assistantId: crypto.randomUUID() },
      { endedReason: 'assistant-request-returned-invalid-assistant' },
      {},
    ],
    ...['assistantId', 'squadId'].map((name): [string, Json, object, object] => [
      `the ${name} of nothing`,
      { [name]: 'not-a-uuid' },
      { endedReason: 'assistant-request-returned-invalid-assistant' },
      {},
    ]),
    [
      'an assistant of no form',
      { assistant: { color: 'red' } },
      { endedReason: 'assistant-request-returned-invalid-assistant' },
      {},
    ],
    ['a failure', 500, { endedReason: 'assistant-request-failed' }, {}],
    ['what is nested without end', nested, { endedReason: 'assistant-request-failed' }, {}],
    [
      'a failure, where it has a fallback',
      'no JSON',
      { endedReason: 'assistant-forwarded-call', destination: fallback },
      { fallback_destination: fallback },
    ],
  ])('ends as its server says with %s', async (_, response, expected, body) => {
    const phoneNumberId = await number(body)
    server.responses.push(response)
    expect(await run({ phoneNumberId, messages: ['Hi'] })).toMatchObject({ status: 'ended', ...expected })
  })

  test('is answered with texts of bounded length, whatever fills their placeholders', async () => {
    const phoneNumberId = await number()
    const firstMessage = '{{much}}'.repeat(2_000)
    server.responses.push({
      assistant: { firstMessage, model: { provider: 'openai', model: 'gpt-4.1' } },
      assistantOverrides: { variableValues: { much: 'x'.repeat(10_000) } },
    })
    const made = await run({ phoneNumberId, messages: ['Hi'] })
    const length = made.artifact?.transcript?.length ?? 0
    expect(length > 100_000 && length < 300_000).toBe(true)
  })

  test("is not answered by another workspace's assistant", async () => {
    const stranger = await caller(app)
    const { voice_assistant_id } = await stranger.assistant()
    const phoneNumberId = await number()
    server.responses.push({ assistantId: voice_assistant_id })
    const made = await run({ phoneNumberId, messages: ['Hi'] })
    expect(made.endedReason).toBe('assistant-request-returned-invalid-assistant')
    expect(made.assistantId).toBeUndefined()
  })
})

describe('the log of webhooks', () => {
  test('has a question to a tool with its one attempt and its response, secrets masked', async () => {
    const { assistant_id } = await desk([weather()])
    usesTool()
    server.responses.push({ result: 'Rain.', token: 'hush' })
    const made = await callDesk(assistant_id, 'The weather?')
    const [asked, ...others] = await logged(assistant_id)
    expect(others).toEqual([])
    expect(asked).toMatchObject({
      ...{ type: 'tool-calls', call_id: made.id, url: `${server.url}/weather`, status: 'delivered', attempts: 1 },
      ...{ last_status: 200, last_error: null, next_attempt_at: null, delivered_at: expect.any(String) },
      payload: { message: { type: 'tool-calls', toolCallList: [{ function: { name: 'get_weather' } }] } },
      response: { results: [{ toolCallId: expect.any(String), result: 'Rain.', token: '••••' }] },
    })
    expect(JSON.stringify(asked)).not.toContain('hush')
  })

  test.each<[string, Json | string | number, number | null, string]>([
    ['a failure', 503, 503, 'The receiver answered with status 503.'],
    ['no JSON', '<html>', 200, 'The receiver gave no JSON.'],
    ['more than is read', { result: 'a'.repeat(400_000) }, null, 'The URL gives an answer that is too large.'],
  ])('has a question that got %s as given up', async (_, response, status, error) => {
    const { assistant_id } = await desk([weather()])
    usesTool()
    server.responses.push(response)
    await callDesk(assistant_id, 'The weather?')
    expect(await logged(assistant_id)).toMatchObject([
      { type: 'tool-calls', status: 'dead', attempts: 1, last_status: status, last_error: error, response: null },
    ])
  })

  test('replays a question, and leaves what was responded at the time of the call', async () => {
    const { assistant_id } = await desk([weather()])
    usesTool()
    server.responses.push({ result: 'Rain.' }, { result: 'Sun.' })
    await callDesk(assistant_id, 'The weather?')
    const [asked] = await logged(assistant_id)
    await me.data(200, 'POST', `/deliveries/${asked?.id}/replay`)
    await app.services.webhooks.drain()
    const [first, second, ...others] = server.received.map(({ message }) => message)
    expect([second, ...others]).toEqual([first])
    expect(await logged(assistant_id)).toMatchObject([{ attempts: 2, status: 'delivered', response: asked?.response }])
  })
})
