import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newUser, type TestApp, testApp, type UserOptions } from '../support/app.ts'
import { listening, until } from '../support/listening.ts'
import { countThreads, storedMessages } from '../support/rows/chats.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

let fake: FakeModelServer
let app: TestApp
let server: ReturnType<typeof listening>
let requests: number
let caller: Caller
let token: string
let agentId: string

const clientOf = (apiKey: string, options: object = {}) =>
  new OpenAI({
    apiKey,
    baseURL: server.url,
    fetch: (input, init) => {
      requests++
      return fetch(input, init)
    },
    ...options,
  })
const hello = { model: 'fake-1', messages: [{ role: 'user' as const, content: 'Hello' }] }

beforeAll(async () => {
  fake = fakeModelServer()
  app = await testApp({ models: fake.models, remember: false })
  server = listening(app)
  token = (await newUser(app.database)).token
  caller = callerOf(app, token)
  agentId = await caller.agent()
})
afterAll(() => {
  server.stop()
  fake.stop()
})
beforeEach(() => {
  requests = 0
  fake.script.length = 0
  fake.received.length = 0
  fake.state.aborted = 0
})

const threads = async () => (await countThreads(app.database)).chats
const failing = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('It did not fail')
    },
    (error: InstanceType<typeof OpenAI.APIError>) => error,
  )

test('a completion, its extra fields, its service and its request id', async () => {
  const body = { ...hello, agent: agentId }
  const completion = await clientOf(token).chat.completions.create(body)
  expect(completion.choices[0]?.message.content).toBe('echo: Hello')
  expect(completion.usage?.total_tokens).toBe(27)
  const { service } = completion as unknown as { service: { agent: string; chat: string } }
  expect(service.agent).toBe(agentId)
  expect(completion._request_id).toMatch(/\S/)
  const next = { ...hello, chat: service.chat }
  await clientOf(token).chat.completions.create(next)
  expect(fake.received.at(-1)?.messages).toHaveLength(4)
})

test('the models', async () => {
  const found = await clientOf(token).models.list()
  expect(found.data.map(({ id }) => id)).toEqual(['fake-1', 'fake-2', 'local-extractive'])
})

test('streaming is an error, not silence', async () => {
  const error = await failing(clientOf(token).chat.completions.create({ ...hello, stream: true }))
  expect(error).toBeInstanceOf(OpenAI.BadRequestError)
  expect([error.status, error.type, requests]).toEqual([400, 'invalid_request_error', 1])
  expect(error.message).toContain('stream to false')
})

test.each([
  ['a wrong key', 401, OpenAI.AuthenticationError, undefined],
  ['an unverified e-mail address', 409, OpenAI.ConflictError, { user: { emailVerified: false } }],
  ['no feature', 403, OpenAI.PermissionDeniedError, { user: { features: [] } }],
  ['an unknown model', 404, OpenAI.NotFoundError, { body: { model: 'nothing' } }],
  ['a refused input', 422, OpenAI.UnprocessableEntityError, { body: { messages: [] } }],
] as [string, number, unknown, { user?: UserOptions; body?: object } | undefined][])(
  '%s is %i of the right class, sent once',
  async (_name, status, kind, change) => {
    const options: UserOptions = change?.user ?? {}
    const key = change === undefined ? 'vk_wrong' : (await newUser(app.database, options)).token
    const body = { ...hello, ...change?.body }
    const error = await failing(clientOf(key).chat.completions.create(body))
    expect(error).toBeInstanceOf(kind)
    expect([error.status, requests]).toEqual([status, 1])
    expect(error.message).toMatch(/\w+/)
  },
)

test('a failed generation is not sent again', async () => {
  fake.script.push({ status: 400 })
  const error = await failing(clientOf(token).chat.completions.create(hello))
  expect(error).toBeInstanceOf(OpenAI.InternalServerError)
  expect([error.status, error.type, requests]).toEqual([500, 'api_error', 1])
})

test('429 is sent again after Retry-After', async () => {
  const limited = await testApp({
    models: fake.models,
    remember: false,
    rateLimits: { perMinute: 0, turnsPerMinute: 1 },
  })
  const narrow = listening(limited)
  try {
    const client = new OpenAI({
      apiKey: token,
      baseURL: narrow.url,
      maxRetries: 0,
    })
    await client.chat.completions.create(hello)
    const error = await failing(client.chat.completions.create(hello))
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0)
  } finally {
    narrow.stop()
  }
})

test('a client that times out and tries again has one stored turn', async () => {
  const chat = await caller.chat(agentId)
  fake.script.push({ hang: true }, { reply: 'At last' })
  const client = clientOf(token, { timeout: 1200 })
  const body = { ...hello, chat }
  const completion = await client.chat.completions.create(body)
  expect([completion.choices[0]?.message.content, requests]).toEqual(['At last', 2])
  await until(() => fake.state.aborted === 1)
  expect(await storedMessages(app.database, chat)).toHaveLength(2)
})

test('so has a stateless one: one thread', async () => {
  const before = await threads()
  fake.script.push({ hang: true }, { reply: 'At last' })
  await clientOf(token, { timeout: 1200 }).chat.completions.create(hello)
  await until(() => fake.state.aborted === 1)
  expect([requests, await threads()]).toEqual([2, before + 1])
})

test('a client that insists on /v1 finds the models, one of them, and completions there', async () => {
  const client = clientOf(token, { baseURL: `${server.url}/v1` })
  expect((await client.models.list()).data.map(({ id }) => id)).toContain('fake-1')
  expect(await client.models.retrieve('fake-1')).toMatchObject({ id: 'fake-1', object: 'model', available: true })
  const { choices } = await client.chat.completions.create(hello)
  expect(choices[0]?.message.content).toEqual(expect.any(String))
})

test('a model that is not there is 404, without /v1 too', async () => {
  await expect(clientOf(token).models.retrieve('gpt-nowhere')).rejects.toMatchObject({
    status: 404,
    error: { message: 'The requested model does not exist. See GET /models.' },
  })
  expect(await caller.get('/models/gpt-nowhere')).toMatchObject({
    status: 404,
    body: { message: 'The requested model does not exist. See GET /models.' },
  })
})
