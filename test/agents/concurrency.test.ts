import { drizzle } from 'drizzle-orm/postgres-js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { listening, until } from '../support/listening.ts'
import { credit, emptyWallet, newPayer, openHolds, setPrice, stored as walletOf } from '../support/payer.ts'
import { storedMessages } from '../support/rows/chats.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

let fake: FakeModelServer
let app: TestApp
let user: TestUser
let caller: Caller
let agentId: string
let server: ReturnType<typeof listening>

beforeAll(async () => {
  fake = fakeModelServer()
  app = await testApp({ models: fake.models, remember: false })
  server = listening(app)
  user = await newUser(app.database)
  caller = callerOf(app, user.token)
  agentId = await caller.agent()
})
afterAll(() => {
  server.stop()
  fake.stop()
})
beforeEach(() => {
  fake.script.length = 0
  fake.received.length = 0
  Object.assign(fake.state, { aborted: 0, mostRunning: 0, delayMs: 0 })
})

const stored = (chatId: string) => storedMessages(app.database, chatId)
const pathOf = (chatId: string) => `/agents/${agentId}/chats/${chatId}/messages`
const send = (chatId: string, content: string) => caller.post(pathOf(chatId), { content })
const sendOver = (chatId: string, content: string, signal?: AbortSignal) =>
  fetch(`${server.url}${pathOf(chatId)}`, {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  })

describe('one chat', () => {
  test('20 messages at once are taken one after the other, each with its reply', async () => {
    const chatId = await caller.chat(agentId)
    const sent = await Promise.all(Array.from({ length: 20 }, (_, index) => send(chatId, `m${index}`)))
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]))
    expect(fake.state.mostRunning).toBe(1)
    const rows = await stored(chatId)
    expect(rows).toHaveLength(40)
    for (let index = 0; index < 40; index += 2) {
      expect([rows[index]?.role, rows[index + 1]?.role]).toEqual(['user', 'assistant'])
      expect(rows[index + 1]?.content).toBe(`echo: ${rows[index]?.content}`)
    }
    expect(fake.received.at(-1)?.messages).toHaveLength(1 + 39)
  })

  test('the same message while the first runs joins it: one turn, one answer', async () => {
    const chatId = await caller.chat(agentId)
    fake.state.delayMs = 150
    const sent = await Promise.all([1, 2, 3].map(() => send(chatId, 'Same')))
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(sent[1]?.body).toEqual(sent[0]?.body)
    expect(fake.received).toHaveLength(1)
    expect(await stored(chatId)).toHaveLength(2)
    expect((await send(chatId, 'Same')).status).toBe(201)
    expect(await stored(chatId)).toHaveLength(4)
  })

  test('the same message to another instance while the first runs is one turn, too', async () => {
    const chatId = await caller.chat(agentId)
    const waits = Promise.withResolvers<void>()
    // By then it knows what the chat has.
    const logQuery = (query: string) => {
      if (query.startsWith('insert into "leases"')) waits.resolve()
    }
    const db = drizzle(app.database.sql, { logger: { logQuery } })
    const other = await testApp({ models: fake.models, remember: false, database: { ...app.database, db } })
    const gate = Promise.withResolvers<void>()
    fake.script.push({ reply: 'Once', until: gate.promise })
    const first = send(chatId, 'Same')
    await expect.poll(() => fake.received.length, { timeout: 30_000 }).toBe(1)
    const second = callerOf(other, user.token).post(pathOf(chatId), { content: 'Same' })
    await waits.promise
    gate.resolve()
    const [here, there] = await Promise.all([first, second])
    expect(there.body).toEqual(here.body)
    expect(fake.received).toHaveLength(1)
    expect(await stored(chatId)).toHaveLength(2)
    expect((await send(chatId, 'Same')).status).toBe(201)
    expect(await stored(chatId)).toHaveLength(4)
  })

  test('the same message under two Idempotency-Keys is two turns', async () => {
    const chatId = await caller.chat(agentId)
    fake.state.delayMs = 50
    const keyed = (key: string) => caller.post(pathOf(chatId), { content: 'Same' }, { 'idempotency-key': key })
    await Promise.all([keyed('a'), keyed('b')])
    expect(await stored(chatId)).toHaveLength(4)
  })

  test('a second sender waits a bounded time, then 429 with Retry-After', async () => {
    const impatient = await testApp({ models: fake.models, remember: false, turns: { queueMs: 100 } })
    const hasty = callerOf(impatient, user.token)
    const chatId = await caller.chat(agentId)
    fake.script.push({ reply: 'Slow', delayMs: 600 })
    const first = hasty.post(pathOf(chatId), { content: 'One' })
    await until(() => fake.received.length === 1)
    const second = await hasty.post(pathOf(chatId), { content: 'Two' })
    expect([second.status, second.body, second.headers.get('retry-after')]).toEqual([
      429,
      { message: 'Too Many Attempts.' },
      '5',
    ])
    expect((await first).status).toBe(201)
    expect(await stored(chatId)).toHaveLength(2)
  })

  test('turns of different chats run at once', async () => {
    const chats = await Promise.all([1, 2, 3].map(() => caller.chat(agentId)))
    fake.state.delayMs = 200
    await Promise.all(chats.map((chatId) => send(chatId, 'Hello')))
    expect(fake.state.mostRunning).toBe(3)
  })

  test('a chat or an agent deleted in mid-turn is 404 and nothing is left', async () => {
    const agent = await caller.agent()
    const chat = await caller.chat(agent)
    for (const [path, text] of [
      [`/agents/${agent}/chats/${chat}`, 'Chat not found.'],
      [`/agents/${agent}`, 'Agent not found.'],
    ] as const) {
      const target = path.includes('chats') ? chat : await caller.chat(agent)
      fake.script.push({ reply: 'Late', delayMs: 150 })
      const before = fake.received.length
      const sent = caller.post(`/agents/${agent}/chats/${target}/messages`, { content: 'Hello' })
      await until(() => fake.received.length > before)
      expect((await caller.send('DELETE', path)).status).toBe(200)
      expect([(await sent).status, (await sent).body]).toEqual([404, { message: text }])
      expect(await stored(target)).toEqual([])
    }
  })
})

describe('a client that goes away', () => {
  test('ends the call of the model and stores nothing; the same message again is one turn', async () => {
    const chatId = await caller.chat(agentId)
    fake.script.push({ hang: true })
    const leaving = new AbortController()
    const first = sendOver(chatId, 'Hello', leaving.signal).catch(() => undefined)
    await until(() => fake.received.length === 1)
    leaving.abort()
    await first
    await until(() => fake.state.aborted === 1)
    expect(await stored(chatId)).toEqual([])
    expect((await sendOver(chatId, 'Hello')).status).toBe(201)
    expect(await stored(chatId)).toHaveLength(2)
  })

  test('leaves a turn that another waits for running', async () => {
    const chatId = await caller.chat(agentId)
    fake.script.push({ reply: 'Both', delayMs: 400 })
    const leaving = new AbortController()
    const first = sendOver(chatId, 'Hello', leaving.signal).catch(() => undefined)
    await until(() => fake.received.length === 1)
    const second = sendOver(chatId, 'Hello')
    await Bun.sleep(100)
    leaving.abort()
    await first
    expect((await second).status).toBe(201)
    expect(fake.received).toHaveLength(1)
    expect(await stored(chatId)).toHaveLength(2)
  })

  test('while it waits for the chat takes no turn', async () => {
    const chatId = await caller.chat(agentId)
    fake.script.push({ reply: 'First', delayMs: 300 })
    const first = sendOver(chatId, 'One')
    await until(() => fake.received.length === 1)
    const leaving = new AbortController()
    const second = sendOver(chatId, 'Two', leaving.signal).catch(() => undefined)
    await Bun.sleep(50)
    leaving.abort()
    await second
    await first
    expect((await sendOver(chatId, 'Three')).status).toBe(201)
    expect((await stored(chatId)).map(({ content }) => content)).toEqual(['One', 'First', 'Three', 'echo: Three'])
  })
})

describe('a billed workspace', () => {
  test('is charged for turns that succeed only, and told its wallet', async () => {
    const payer = await newPayer(app, 'tokens')
    const paying = callerOf(app, payer.token)
    const agent = await paying.agent()
    const refused = await paying.post(`/agents/${agent}/chats`)
    expect([refused.status, refused.body]).toMatchObject([
      402,
      { error: true, insufficient_tokens: true, payer_is_self: true },
    ])
    expect((await paying.get('/models')).body.data.map(({ available }: { available: boolean }) => available)).toEqual([
      false,
      false,
      true,
    ])
    await credit(app, payer, 'tokens', 100_000)
    await setPrice(app, 'fake-1', 1, 2)
    const path = `/agents/${agent}/chats/${await paying.chat(agent)}/messages`
    fake.script.push({ reply: '' }, { reply: 'Good day', usage: { prompt: 90, completion: 10 } })
    expect((await paying.post(path, { content: 'Hello' })).status).toBe(422)
    expect((await walletOf(app, payer, 'tokens')).deltas).toEqual([100_000])
    const sent = await paying.post(path, { content: 'Hello' })
    expect(sent.body.wallet).toEqual({
      balance_tokens: 99_900,
      balance_usd: null,
      charged_tokens: 100,
      charged_usd: null,
    })
    const priceless = await paying.post(path, { content: 'Hello', model: 'fake-2' })
    expect([priceless.status, Object.keys(priceless.body.errors)]).toEqual([422, ['model']])
    const completion = await paying.post('/chat/completions', {
      model: 'fake-2',
      messages: [{ role: 'user', content: 'Hello' }],
    })
    expect([completion.status, completion.body.error.code]).toEqual([404, 404])
    await emptyWallet(app, payer)
    expect((await paying.post(path, { content: 'Hello' })).status).toBe(402)
    const empty = await paying.post('/chat/completions', { messages: [{ role: 'user', content: 'Hello' }] })
    expect([empty.status, empty.body]).toMatchObject([402, { error: { type: 'insufficient_quota', code: 402 } }])
    expect(await openHolds(app.database, payer.workspaceId)).toEqual([])
  })
})
