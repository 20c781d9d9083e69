import { Glob } from 'bun'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { createModels } from '../../src/language-model/models.ts'
import { converseThrough } from '../../src/resources/calls/converse.ts'
import { callerOf } from '../agents/caller.ts'
import { type FakeModelServer, fakeModelServer } from '../agents/fake-model-server.ts'
import { newAssistant } from '../calls/call.ts'
import { newTokenFor, newUser, type TestApp, type TestUser, testApp, testClock } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { credit, dropPrice, newPayer, setPrice, stored } from '../support/payer.ts'
import { restingTimers } from '../support/rest.ts'
import { newWidget } from '../widget/rig.ts'

/** Every use of a paid model passes one gate: who pays, whether the balance can, and how much runs at once. */
let fake: FakeModelServer
beforeAll(async () => {
  fake = fakeModelServer()
  await setPrice({ database: await testDatabase() }, 'fake-1', 1, 2)
})
afterAll(async () => {
  await dropPrice({ database: await testDatabase() }, 'fake-1')
  fake.stop()
})

/** An application whose embedded platform speaks through the fake model. */
async function paidApp(overrides: Parameters<typeof testApp>[0] = {}, slots = createSlots({ total: 9, perKey: 9 })) {
  const database = await testDatabase()
  const models = createModels(localModel(), fake.models)
  const converse = converseThrough({ db: database.db, models, slots })
  return testApp({ models: fake.models, turnSlots: slots, ...overrides }, { converse })
}

const asked = () => fake.received.length

const say = async (app: TestApp, user: TestUser, message = 'Hello') => {
  const key = await (await newWidget(app, {}, user)).key()
  const answer = await app.send('POST', `/widget/${key}/chat`, { body: { message } })
  return { status: answer.status, body: await answer.json() }
}

const testCall = async (app: TestApp, user: TestUser, as = user) => {
  const { assistantId } = await newAssistant(app, user)
  const body = { messages: ['When are you open?'] }
  const answer = await app.send('POST', `/assistants/${assistantId}/test-calls`, { token: as.token, body })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

const ownerPays = {
  error: true,
  insufficient_tokens: true,
  payer_is_self: false,
  message: 'This workspace is out of USD. Please ask the workspace owner to recharge.',
}

describe("a website's visitor", () => {
  test("is paid for by the assistant's workspace", async () => {
    const app = await paidApp()
    const payer = await newPayer(app, 'usd')
    await credit(app, payer, 'usd', 100_000)
    fake.script.push({ reply: 'At nine.', usage: { prompt: 20, completion: 7 } })
    expect(await say(app, payer)).toMatchObject({ status: 200, body: { reply: 'At nine.' } })
    const { deltas, held, entries } = await stored(app, payer, 'usd')
    expect([deltas, held]).toEqual([[100_000, -34], 0])
    expect(entries[1]).toMatchObject({ model: 'fake-1', promptTokens: 20, userId: null, tokenId: null })
  })

  test.each([0, 40])('is told 402 when that has %i micro-dollars, and no model is asked', async (balance) => {
    const app = await paidApp()
    const payer = await newPayer(app, 'usd')
    if (balance > 0) await credit(app, payer, 'usd', balance)
    const before = asked()
    expect(await say(app, payer)).toEqual({ status: 402, body: ownerPays })
    expect(asked()).toBe(before)
  })

  test('is charged nothing for a reply that failed', async () => {
    const app = await paidApp()
    const payer = await newPayer(app, 'usd')
    await credit(app, payer, 'usd', 100_000)
    fake.script.push({ status: 401 })
    expect((await say(app, payer)).status).toBe(502)
    expect(await stored(app, payer, 'usd')).toMatchObject({ deltas: [100_000], held: 0, holds: [] })
  })

  test('is told 429 when too many conversations wait for a reply', async () => {
    const app = await paidApp({}, createSlots({ total: 9, perKey: 0 }))
    const before = asked()
    const answer = await say(app, await newUser(app.database))
    expect([answer, asked()]).toEqual([{ status: 429, body: { message: 'Too Many Attempts.' } }, before])
  })
})

describe('a simulated call', () => {
  test("is paid for by the assistant's workspace, whoever starts it", async () => {
    const app = await paidApp()
    const payer = await newPayer(app, 'usd')
    await credit(app, payer, 'usd', 100_000)
    const operator = await newUser(app.database, { role: 'admin' })
    fake.script.push({ reply: 'At nine.', usage: { prompt: 30, completion: 5 } })
    expect((await testCall(app, payer, operator)).status).toBe(201)
    expect(await stored(app, payer, 'usd')).toMatchObject({ deltas: [100_000, -40], held: 0 })
  })

  test('is refused with 402 without money, and no model is asked', async () => {
    const app = await paidApp()
    const payer = await newPayer(app, 'usd')
    const before = asked()
    const message = 'Your USD balance is empty. Please recharge to continue.'
    expect(await testCall(app, payer)).toMatchObject({
      status: 402,
      body: { ...ownerPays, payer_is_self: true, message },
    })
    expect(asked()).toBe(before)
  })

  test('is counted against the budget of the token that asks, and refused with the 402 that names it', async () => {
    const app = await paidApp()
    const payer = await newPayer(app, 'usd')
    await credit(app, payer, 'usd', 100_000)
    const operator = await newUser(app.database, { role: 'admin' })
    const setter = callerOf(app, await newTokenFor(app.database, operator.userId))
    const tokens = (await setter.get('/user/tokens')).body.data
    const path = `/user/tokens/${Math.min(...tokens.map(({ id }: { id: number }) => id))}/budget`
    await setter.send('PUT', path, { window: 'month', tokens: 2_000 })
    fake.script.push({ reply: 'At nine.', usage: { prompt: 1_500, completion: 450 } })
    expect((await testCall(app, payer, operator)).status).toBe(201)
    expect((await setter.get(path)).body.data.used_tokens).toBe(1_950)
    const { entries, held } = await stored(app, payer, 'usd')
    expect([entries[1], held]).toMatchObject([{ userId: operator.userId }, 0])
    const before = asked()
    expect(await testCall(app, payer, operator)).toMatchObject({
      status: 402,
      body: { insufficient_tokens: true, message: 'The budget is used up: 2000 tokens per month for this token.' },
    })
    expect(asked()).toBe(before)
    expect((await testCall(app, payer)).status).toBe(201)
  })

  test('counts as a turn', async () => {
    const app = await paidApp({ clock: testClock(), rateLimits: { perMinute: 0, turnsPerMinute: 1 } })
    const user = await newUser(app.database)
    expect((await testCall(app, user)).status).toBe(201)
    const second = await testCall(app, user)
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '60'])
  })
})

test("an agent's memory is paid for by its owner's workspace, whoever spoke to it", async () => {
  const clock = testClock()
  const { timers, rest } = restingTimers(clock)
  const app = await paidApp({ clock, timers })
  const payer = await newPayer(app, 'usd')
  const editor = await newPayer(app, 'usd')
  for (const user of [payer, editor]) await credit(app, user, 'usd', 100_000)
  const agent = await callerOf(app, payer.token).agent()
  await callerOf(app, payer.token).send('PUT', `/agents/${agent}/shares/${editor.userId}`, { access: 'edit' })
  clock.advance(10 * 60_000)
  fake.script.push(
    { reply: 'Good day', usage: { prompt: 20, completion: 7 } },
    { reply: '{"add": ["Prefers tea."]}', usage: { prompt: 50, completion: 10 } },
  )
  const body = { agent, messages: [{ role: 'user', content: 'I prefer tea.' }] }
  expect((await callerOf(app, editor.token).post('/chat/completions', body)).status).toBe(200)
  rest()
  await app.services.memory.idle()
  expect(await stored(app, editor, 'usd')).toMatchObject({ deltas: [100_000, -34], held: 0 })
  expect(await stored(app, payer, 'usd')).toMatchObject({ deltas: [100_000, -70], held: 0 })
})

test('nobody asks a model past the gate', async () => {
  const users: string[] = []
  for await (const path of new Glob('src/**/*.ts').scan('.')) {
    const source = await Bun.file(path).text()
    const asks = /import \{[^}]*\b(generateTurn|askForJson)\b[^}]*\}/.test(source)
    if (!asks) continue
    users.push(path)
    expect([path, /import \{[^}]*\bpaidUse\b[^}]*\}/.test(source)]).toEqual([path, true])
  }
  expect(users.length).toBeGreaterThan(2)
})
