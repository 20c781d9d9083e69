import { drizzle } from 'drizzle-orm/postgres-js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { until } from '../support/listening.ts'
import { chargesOf, credit, dropPrice, newPayer, setPrice } from '../support/payer.ts'
import { storedMessages } from '../support/rows/chats.ts'
import { callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer, type Step } from './fake-model-server.ts'

let fake: FakeModelServer
let stalled: TestApp
/** Another instance on the same database. */
let other: TestApp

beforeAll(async () => {
  fake = fakeModelServer()
  const settings = { models: fake.models, remember: false, summarise: false }
  stalled = await testApp(settings)
  const db = drizzle(stalled.database.sql)
  other = await testApp({ ...settings, database: { ...stalled.database, db } })
  await setPrice(stalled, 'fake-1', 1, 1)
})
afterAll(async () => {
  await dropPrice(stalled, 'fake-1')
  await fake.stop()
})
beforeEach(() => {
  fake.script.length = 0
  fake.received.length = 0
})

/** What an instance loses that stands still for too long. */
const loseLeases = () => stalled.database.sql`delete from leases`

const setup = async () => {
  const payer = await newPayer(stalled, 'tokens')
  await credit(stalled, payer, 'tokens', 1_000_000)
  const caller = callerOf(stalled, payer.token)
  const agentId = await caller.agent()
  const chatId = await caller.chat(agentId)
  const requests = {
    message: { path: `/agents/${agentId}/chats/${chatId}/messages`, body: { content: 'Hello' } },
    completion: {
      path: '/chat/completions',
      body: { agent: agentId, messages: [{ role: 'user', content: 'Hello' }] },
    },
  }
  const send = (kind: keyof typeof requests, app: TestApp) => {
    const { path, body } = requests[kind]
    return callerOf(app, payer.token).post(path, body, { 'idempotency-key': 'one' })
  }
  const charges = async () =>
    (await chargesOf(stalled.database, payer.workspaceId)).filter(({ kind }) => kind === 'charge').length
  return { chatId, send, charges }
}

/** A request whose model waits for `gate`, on an instance that stands still meanwhile. */
const stall = async (send: () => ReturnType<Awaited<ReturnType<typeof setup>>['send']>, step?: Partial<Step>) => {
  const gate = Promise.withResolvers<void>()
  fake.script.push({ reply: 'Late', until: gate.promise, ...step } as Step)
  const sent = send()
  const before = fake.received.length
  await until(() => fake.received.length > before)
  return { sent, goOn: gate.resolve }
}

describe('the same Idempotency-Key on another instance, while the first stands still', () => {
  test('a message is one turn and one charge, whichever response comes first', async () => {
    const { chatId, send, charges } = await setup()
    const first = await stall(() => send('message', stalled))
    await loseLeases()
    const second = await stall(() => send('message', other))
    first.goOn()
    expect((await first.sent).status).toBe(422)
    second.goOn()
    const taken = await second.sent
    expect(taken.status).toBe(201)
    const again = await send('message', other)
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', taken.body])
    expect([fake.received.length, await charges()]).toEqual([2, 1])
    expect(await storedMessages(stalled.database, chatId)).toHaveLength(2)
  })

  test('a message that the other took already is the response to both', async () => {
    const { send, charges } = await setup()
    const first = await stall(() => send('message', stalled))
    await loseLeases()
    const taken = await send('message', other)
    first.goOn()
    expect(await first.sent).toEqual(taken)
    expect([taken.status, await charges()]).toEqual([201, 1])
  })

  test('a completion that the first took meanwhile is the response to both', async () => {
    const { send, charges } = await setup()
    const first = await stall(() => send('completion', stalled))
    await loseLeases()
    const second = await stall(() => send('completion', other))
    first.goOn()
    const taken = await first.sent
    second.goOn()
    expect(await second.sent).toEqual(taken)
    const again = await send('completion', other)
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', taken.body])
    expect([taken.status, fake.received.length, await charges()]).toEqual([200, 2, 1])
  })

  test('what the first took is found after the other failed', async () => {
    const { send, charges } = await setup()
    const first = await stall(() => send('completion', stalled))
    await loseLeases()
    fake.script.push({ status: 400 })
    expect((await send('completion', other)).status).toBe(500)
    first.goOn()
    const taken = await first.sent
    const again = await send('completion', other)
    expect(again).toEqual(taken)
    expect([taken.status, fake.received.length, await charges()]).toEqual([200, 2, 1])
  })
})
