import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAiCompatibleModels } from '../../src/language-model/openai-compatible.ts'
import { type Caller, callerOf } from '../agents/caller.ts'
import { type FakeModelServer, fakeModelServer } from '../agents/fake-model-server.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { newClient } from '../support/client.ts'

let fake: FakeModelServer
let app: TestApp
const unpriced = `unpriced-${crypto.randomUUID()}`
const free = `free-${crypto.randomUUID()}`

beforeAll(async () => {
  fake = fakeModelServer()
  const models = openAiCompatibleModels({ ...fake, apiKey: undefined, models: [unpriced, free] }, fetch)
  app = await testApp({ models, remember: false })
  const operator = await newClient(app, { role: 'admin' })
  const price = { model: free, prompt_usd_per_million: 0, completion_usd_per_million: 0 }
  expect((await operator.post('/admin/model-prices', price)).status).toBe(201)
})
afterAll(() => fake.stop())

const messages = [{ role: 'user', content: 'Hello' }]
/** What the server of the models counts of a reply. */
const used = 27

/** A user with an agent that has a budget. */
async function budgeted(budget: object): Promise<Caller & { path: string; agentId: string }> {
  const caller = callerOf(app, (await newUser(app.database)).token)
  const agentId = await caller.agent()
  const path = `/agents/${agentId}/budget`
  expect((await caller.send('PUT', path, { window: 'day', ...budget })).status).toBe(200)
  return { ...caller, path, agentId }
}

describe('a budget', () => {
  test.each([
    ['of tokens counts those of a free model', { tokens: 1_000 }, free, { used_tokens: used, used_usd: null }],
    ['of tokens counts those of a model without a price', { tokens: 1_000 }, unpriced, { used_tokens: used }],
    ['of money counts nothing of a free model', { usd: 1 }, free, { used_tokens: null, used_usd: 0 }],
    ['of both counts the tokens alone', { tokens: 1_000, usd: 1 }, free, { used_tokens: used, used_usd: 0 }],
    ['of tokens counts nothing of the built-in model', { tokens: 1_000 }, 'local-extractive', { used_tokens: 0 }],
  ])('%s', async (_title, budget, model, counted) => {
    const caller = await budgeted(budget)
    expect((await caller.post('/chat/completions', { messages, model, max_tokens: 50 })).status).toBe(200)
    expect((await caller.get(caller.path)).body.data).toMatchObject(counted)
  })

  test('of tokens ends the turns of a free model', async () => {
    const caller = await budgeted({ tokens: 300 })
    const complete = () => caller.post('/chat/completions', { messages, model: free, max_tokens: 10 })
    fake.script.push({ reply: 'Hi', usage: { prompt: 100, completion: 190 } })
    expect((await complete()).status).toBe(200)
    expect(await complete()).toMatchObject({
      status: 402,
      body: { error: { message: expect.stringMatching(/^The budget is used up: 300 tokens per day/) } },
    })
  })
})
