import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newTokenFor, newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { storedMessages } from '../support/rows/chats.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

let fake: FakeModelServer
let app: TestApp
let user: TestUser
let caller: Caller
let agentId: string

const unknownId = '3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d'
const hello = [{ role: 'user', content: 'Hello' }]

beforeAll(async () => {
  fake = fakeModelServer()
  app = await testApp({ models: fake.models, remember: false })
  user = await newUser(app.database)
  caller = callerOf(app, user.token)
  agentId = await caller.agent({ name: 'Desk', instructions: 'Be brief.' })
})
afterAll(() => fake.stop())
beforeEach(() => {
  fake.script.length = 0
  fake.received.length = 0
})

const complete = (body: object) => caller.post('/chat/completions', body)
const stored = (chatId: string) => storedMessages(app.database, chatId)
const chatCount = async (agent = agentId) => (await caller.get(`/agents/${agent}/chats?per_page=100`)).body.data.length

describe('stateless', () => {
  test('answers a completion and seeds a fresh thread', async () => {
    fake.script.push({ reply: 'Good day', usage: { prompt: 12, completion: 3 } })
    const given = [
      { role: 'system', content: 'Speak formally.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'How are you?' },
    ]
    const { status, body } = await complete({ messages: given, temperature: 0.3 })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'fake-1',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Good day' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
      service: { agent: agentId, chat: expect.stringMatching(/^[0-9a-f-]{36}$/), tools_used: [] },
    })
    expect(Math.abs(body.created - Date.now() / 1000)).toBeLessThan(10)
    const [system, ...thread] = fake.received[0]?.messages ?? []
    expect(system?.content).toContain('Be brief.')
    expect(system?.content).toContain('Speak formally.')
    expect(thread.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    const listed = await caller.get(`/agents/${agentId}/chats/${body.service.chat}/messages`)
    expect(listed.body.data.map(({ role, content, model }: Record<string, string>) => [role, content, model])).toEqual([
      ...given.map(({ role, content }) => [role, content, null]),
      ['assistant', 'Good day', 'fake-1'],
    ])
    const chat = (await caller.get(`/agents/${agentId}/chats/${body.service.chat}`)).body.data
    expect(chat.title).toBe('New chat')
    expect(chat.created_at).toBe(listed.body.data[0].created_at)
  })

  test('messages that follow each other are one for the model, and stay as they are in the thread', async () => {
    const messages = [
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'I have a question.' },
      { role: 'user', content: 'When do you open?' },
      { role: 'assistant', content: 'At nine.' },
      { role: 'assistant', content: 'On Mondays at ten.' },
      { role: 'user', content: 'And close?' },
    ]
    const { body } = await caller.post('/chat/completions', { messages })
    expect(fake.received.at(-1)?.messages.slice(1)).toEqual([
      { role: 'user', content: '…' },
      messages[0],
      { role: 'user', content: 'I have a question.\n\nWhen do you open?' },
      { role: 'assistant', content: 'At nine.\n\nOn Mondays at ten.' },
      messages[5],
    ])
    const { agent, chat } = body.service
    const listed = (await caller.get(`/agents/${agent}/chats/${chat}/messages`)).body.data
    expect(listed.slice(0, 6).map(({ content }: { content: string }) => content)).toEqual(
      messages.map(({ content }) => content),
    )
  })

  test('the preamble stays in a thread that goes on', async () => {
    const first = await complete({ messages: [{ role: 'system', content: 'Speak formally.' }, ...hello] })
    await complete({ chat: first.body.service.chat, messages: [{ role: 'user', content: 'Go on' }] })
    const [system, ...thread] = fake.received.at(-1)?.messages ?? []
    expect(system?.content).toContain('Speak formally.')
    expect(thread.map(({ content }) => content)).toEqual(['Hello', 'echo: Hello', 'Go on'])
  })

  test('the most recently active own agent answers where none is named, never a shared one', async () => {
    const other = await newUser(app.database)
    const them = callerOf(app, other.token)
    const send = async () => (await them.post('/chat/completions', { messages: hello })).body.service?.agent
    const none = await them.post('/chat/completions', { messages: hello })
    const message = 'Agent not found.'
    expect([none.status, none.body]).toEqual([404, { error: { message, type: 'invalid_request_error', code: 404 } }])
    const [first, second] = [await them.agent(), await them.agent()]
    expect(await send()).toBe(second)
    await them.post('/chat/completions', { messages: hello, agent: first })
    expect(await send()).toBe(first)
    const shared = await caller.agent()
    await caller.send('PUT', `/agents/${shared}/shares/${other.userId}`, { access: 'view' })
    await them.post('/chat/completions', { messages: hello, agent: shared })
    expect(await send()).toBe(first)
  })

  test('null is as good as left out, and the model can be named', async () => {
    const { status, body } = await complete({ messages: hello, model: null, agent: null, chat: null, stream: false })
    expect([status, body.model]).toEqual([200, 'fake-1'])
    const local = await complete({ messages: hello, model: 'local-extractive', agent: agentId })
    expect([local.status, local.body.model]).toEqual([200, 'local-extractive'])
    expect(local.body.choices[0].message.content).toContain('I am Desk.')
  })

  test('an answer that was cut says so', async () => {
    fake.script.push({ reply: 'Good', finish: 'length' }, { reply: 'x', finish: 'content_filter' })
    const reason = async () => (await complete({ messages: hello })).body.choices[0].finish_reason
    expect([await reason(), await reason()]).toEqual(['length', 'content_filter'])
  })

  test('a failed generation is 500 and leaves no thread', async () => {
    const before = await chatCount()
    fake.script.push({ status: 401 })
    const failed = await complete({ messages: hello, agent: agentId })
    const message = 'The assistant could not generate a response. Please try again.'
    expect([failed.status, failed.body]).toEqual([500, { error: { message, type: 'api_error', code: 500 } }])
    expect(failed.headers.get('x-should-retry')).toBe('false')
    expect(await chatCount()).toBe(before)
  })

  test('the same Idempotency-Key is one thread', async () => {
    const before = await chatCount()
    const send = () =>
      caller.post('/chat/completions', { messages: hello, agent: agentId }, { 'idempotency-key': 'completion' })
    expect((await send()).body).toEqual((await send()).body)
    expect(await chatCount()).toBe(before + 1)
  })
})

describe('stateful', () => {
  test('only the newest user message is sent and stored; the chat names agent and model', async () => {
    const other = await caller.agent({ name: 'Other' })
    const chat = await caller.chat(other, { model: 'fake-2' })
    const body = {
      chat,
      messages: [...hello, { role: 'assistant', content: 'x' }, { role: 'user', content: 'Newest' }],
    }
    const answer = await complete({ ...body, messages: [...body.messages, { role: 'assistant', content: 'y' }] })
    expect([answer.status, answer.body.service, answer.body.model]).toEqual([
      200,
      { agent: other, chat, tools_used: [] },
      'fake-2',
    ])
    expect((await stored(chat)).map(({ content }) => content)).toEqual(['Newest', 'echo: Newest'])
    expect((await complete({ ...body, agent: other, model: 'fake-1' })).body.model).toBe('fake-1')
    expect(await stored(chat)).toHaveLength(4)
  })

  test('a chat of another agent or token, and one that is none, are a 404 envelope', async () => {
    const other = await caller.agent()
    const chat = await caller.chat(agentId)
    const second = callerOf(app, await newTokenFor(app.database, user.userId))
    const notFound = (message: string) => [404, { error: { message, type: 'invalid_request_error', code: 404 } }]
    for (const [body, message, from = caller] of [
      [{ chat, agent: other }, 'Chat not found.'],
      [{ chat }, 'Chat not found.', second],
      [{ chat: unknownId }, 'Chat not found.'],
      [{ chat: 'nonsense' }, 'Chat not found.'],
      [{ chat: 'nonsense', agent: agentId }, 'Chat not found.'],
      [{ agent: unknownId }, 'Agent not found.'],
      [{ agent: 'nonsense' }, 'Agent not found.'],
      [{ chat, agent: 'nonsense' }, 'Agent not found.'],
      [{ model: 'nothing' }, 'The requested model does not exist. See GET /models.'],
    ] as [object, string, Caller?][]) {
      const { status, body: answer } = await from.post('/chat/completions', { messages: hello, ...body })
      expect([status, answer]).toEqual(notFound(message))
    }
  })

  test('a failed generation leaves the thread as it was', async () => {
    const chat = await caller.chat(agentId)
    fake.script.push({ reply: '' })
    expect((await complete({ chat, messages: hello })).status).toBe(500)
    expect(await stored(chat)).toEqual([])
  })
})

describe('refusals', () => {
  test.each([
    [{ messages: hello, stream: true }, 'Streaming is not supported. Set stream to false or leave it out.'],
    [
      { messages: [], agent: 'x'.repeat(65), stream: true },
      'Streaming is not supported. Set stream to false or leave it out.',
    ],
    [
      { messages: [{ role: 'system', content: 'x' }] },
      'messages must contain at least one message with the role user.',
    ],
  ])('400 %#', async (body, message) => {
    const refused = await complete(body)
    const error = { message, type: 'invalid_request_error', code: 400 }
    expect([refused.status, refused.body]).toEqual([400, { error }])
  })

  test('malformed JSON is a 400 envelope', async () => {
    const answer = await app.send('POST', '/chat/completions', {
      token: user.token,
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, (await answer.json()).error.code]).toEqual([400, 400])
  })

  test.each([
    [{}, 'messages', 'The messages field is required.'],
    [{ messages: null }, 'messages', 'The messages field is required.'],
    [{ messages: 'hello' }, 'messages', 'The messages field must be an array.'],
    [{ messages: [{ role: null, content: 'x' }] }, 'messages.0.role', 'The messages.0.role field is required.'],
    [{ messages: [] }, 'messages', 'The messages field must have at least 1 items.'],
    [
      { messages: [{ role: 'tool', content: 'x' }] },
      'messages.0.role',
      'The messages.0.role field must be one of: system, user, assistant.',
    ],
    [{ messages: [{ role: 'user', content: '' }] }, 'messages.0.content', 'The messages.0.content field is required.'],
    [
      { messages: [{ role: 'user', content: 'x'.repeat(20_001) }] },
      'messages.0.content',
      'The messages.0.content field must have at most 20000 characters.',
    ],
    [{ messages: hello, agent: 'x'.repeat(65) }, 'agent', 'The agent field must have at most 64 characters.'],
    [{ messages: hello, chat: 'x'.repeat(65) }, 'chat', 'The chat field must have at most 64 characters.'],
    [{ messages: hello, model: 'x'.repeat(256) }, 'model', 'The model field must have at most 255 characters.'],
    [{ messages: hello, stream: 'false' }, 'stream', 'The stream field must be true or false.'],
  ])('422 %#', async (body, field, message) => {
    const refused = await complete(body)
    const error = { message, type: 'invalid_request_error', code: 422 }
    expect([refused.status, refused.body]).toEqual([422, { message, errors: { [field]: [message] }, error }])
  })

  test('401, 403, 409 and 429 carry the plain body and an error beside it', async () => {
    const limited = await testApp({
      models: fake.models,
      remember: false,
      rateLimits: { perMinute: 100, turnsPerMinute: 1 },
    })
    const many = callerOf(limited, user.token)
    expect((await many.post('/chat/completions', { messages: hello })).headers.get('ratelimit-limit')).toBe('1')
    const off = await newUser(app.database, { features: [] })
    const unverified = await newUser(app.database, { emailVerified: false })
    const cases: [number, object, Caller][] = [
      [401, { message: 'Unauthenticated.' }, callerOf(app, 'vk_wrong')],
      [403, { feature: 'ai_chat' }, callerOf(app, off.token)],
      [409, { code: 'EMAIL_NOT_VERIFIED' }, callerOf(app, unverified.token)],
      [429, { message: 'Too Many Attempts.' }, many],
    ]
    for (const [code, body, from] of cases) {
      const refused = await from.post('/chat/completions', { messages: hello })
      expect([refused.status, refused.body]).toMatchObject([code, { ...body, error: { code } }])
      expect([code, refused.headers.get('x-should-retry')]).toEqual([code, code === 409 ? 'false' : null])
    }
    expect((await many.get('/agents')).headers.get('ratelimit-limit')).toBe('100')
  })
})

test('GET /models lists the configured models and the local one', async () => {
  const { status, body } = await caller.get('/models')
  const entry = (id: string) => ({ id, object: 'model', owned_by: 'openai-compatible', label: id, available: true })
  const local = { id: 'local-extractive', object: 'model', owned_by: 'switchboard', available: true }
  expect(status).toBe(200)
  expect(body).toEqual({
    object: 'list',
    data: [entry('fake-1'), entry('fake-2'), { ...local, label: expect.stringContaining('extractive') }],
  })
})
