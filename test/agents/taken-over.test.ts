import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { storedMessages } from '../support/rows/chats.ts'
import { callerOf } from './caller.ts'
import { createInstances, type Instances } from './instances.ts'

let instances: Instances
let stalled: TestApp
let other: TestApp

beforeAll(async () => {
  instances = await createInstances()
  ;({ stalled, other } = instances)
})
afterAll(() => instances.stop())
beforeEach(() => instances.reset())

const setup = async () => {
  const payer = await instances.payer()
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
  return { chatId, send, charges: () => instances.charges(payer) }
}

describe('the same Idempotency-Key on another instance, while the first stands still', () => {
  test('a message is one turn and one charge, whichever response comes first', async () => {
    const { chatId, send, charges } = await setup()
    const first = await instances.stall(() => send('message', stalled))
    await instances.loseLeases()
    const second = await instances.stall(() => send('message', other))
    first.goOn()
    expect((await first.sent).status).toBe(422)
    second.goOn()
    const taken = await second.sent
    expect(taken.status).toBe(201)
    const again = await send('message', other)
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', taken.body])
    expect([instances.fake.received.length, await charges()]).toEqual([2, 1])
    expect(await storedMessages(stalled.database, chatId)).toHaveLength(2)
  })

  test('a message that the other took already is the response to both', async () => {
    const { send, charges } = await setup()
    const first = await instances.stall(() => send('message', stalled))
    await instances.loseLeases()
    const taken = await send('message', other)
    first.goOn()
    expect(await first.sent).toEqual(taken)
    expect([taken.status, await charges()]).toEqual([201, 1])
  })

  test('a completion that the first took meanwhile is the response to both', async () => {
    const { send, charges } = await setup()
    const first = await instances.stall(() => send('completion', stalled))
    await instances.loseLeases()
    const second = await instances.stall(() => send('completion', other))
    first.goOn()
    const taken = await first.sent
    second.goOn()
    expect(await second.sent).toEqual(taken)
    const again = await send('completion', other)
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', taken.body])
    expect([taken.status, instances.fake.received.length, await charges()]).toEqual([200, 2, 1])
  })

  test('what the first took is found after the other failed', async () => {
    const { send, charges } = await setup()
    const first = await instances.stall(() => send('completion', stalled))
    await instances.loseLeases()
    instances.fake.script.push({ status: 400 })
    expect((await send('completion', other)).status).toBe(500)
    first.goOn()
    const taken = await first.sent
    const again = await send('completion', other)
    expect(again).toEqual(taken)
    expect([taken.status, instances.fake.received.length, await charges()]).toEqual([200, 2, 1])
  })
})
