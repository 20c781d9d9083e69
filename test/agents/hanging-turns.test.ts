import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { maxConcurrent, maxConnections } from '../../src/app/concurrency.ts'
import { readEnv } from '../../src/app/env.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { until } from '../support/listening.ts'
import { callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

/** A model that never replies: each turn takes a connection of this process for as long. */
let fake: FakeModelServer
let app: TestApp
beforeAll(async () => {
  fake = fakeModelServer()
  app = await testApp({ models: fake.models, remember: false, turnSlots: createSlots({ total: 8 }) })
})
afterAll(() => fake.stop())

const messages = [{ role: 'user', content: 'Hello' }]

const newTenant = async () => {
  const caller = callerOf(app, (await newUser(app.database)).token)
  const agent = await caller.agent()
  return { caller, send: () => caller.post('/chat/completions', { messages, agent }) }
}

test('hanging turns of four workspaces leave room for a fifth, and all of them for other work', async () => {
  fake.script.push(...Array.from({ length: 5 }, () => ({ hang: true }) as const))
  const [one, two, three, four, five] = await Promise.all([1, 2, 3, 4, 5].map(newTenant))
  if (!one || !two || !three || !four || !five) throw new Error('no tenants')
  const message = 'Too Many Attempts.'
  const busy = { message, error: { message, type: 'invalid_request_error', code: 429 } }
  const isBusy = async ({ send }: typeof one) => {
    const { status, body, headers } = await send()
    expect([status, body, headers.get('retry-after')]).toEqual([429, busy, '5'])
  }

  // Each has a quarter of what those before it left: two of eight, then one of six, of five and of four.
  const waiting = [one.send(), one.send()]
  await until(() => fake.state.running === 2)
  await isBusy(one)
  for (const [index, tenant] of [two, three, four].entries()) {
    waiting.push(tenant.send())
    await until(() => fake.state.running === 3 + index)
    await isBusy(tenant)
  }
  expect((await five.send()).status).toBe(200)
  expect((await five.caller.get('/agents')).status).toBe(200)

  fake.stop()
  for (const turn of waiting) expect((await turn).status).toBe(500)
  expect((await five.send()).status).toBe(500)
})

test('turns take less than half of the connections that bun opens at once, and all kinds of work together not all', () => {
  expect(readEnv({}).turnsAtOnce).toBe(maxConcurrent.turns)
  expect(maxConcurrent.turns).toBeLessThan(maxConnections / 2)
  const all = Object.values(maxConcurrent).reduce((sum, bound) => sum + bound, 0)
  expect(all).toBeLessThan(maxConnections)
})
