import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAiCompatibleModels } from '../../src/language-model/openai-compatible.ts'
import { callerOf } from '../agents/caller.ts'
import { type FakeModelServer, fakeModelServer } from '../agents/fake-model-server.ts'
import { newTokenFor, newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { newClient, type Reply } from '../support/client.ts'
import {
  addCharge,
  chargesOf,
  contextOf,
  credit,
  newPayer,
  openHolds,
  setPrice,
  stored,
  storedBudget,
} from '../support/payer.ts'

let fake: FakeModelServer
let app: TestApp
const unpriced = `unpriced-${crypto.randomUUID()}`
const free = `free-${crypto.randomUUID()}`
const priced = `priced-${crypto.randomUUID()}`

beforeAll(async () => {
  fake = fakeModelServer()
  const models = openAiCompatibleModels({ ...fake, apiKey: undefined, models: [unpriced, free, priced] }, fetch)
  app = await testApp({ models, remember: false })
  const operator = await newClient(app, { role: 'admin' })
  const price = { model: free, prompt_usd_per_million: 0, completion_usd_per_million: 0 }
  expect((await operator.post('/admin/model-prices', price)).status).toBe(201)
  await setPrice(app, priced, 1, 1)
})
afterAll(() => fake.stop())

const messages = [{ role: 'user', content: 'Hello' }]
/** What the server of the models counts of a reply. */
const used = 27

/** A user with an agent that has a budget. */
async function budgeted(budget: object, given?: TestUser) {
  const user = given ?? (await newUser(app.database))
  const caller = callerOf(app, user.token)
  const agent = await caller.agent()
  const [row] = await app.database.sql<{ id: number }[]>`select id from agents where agent_id = ${agent}`
  const path = `/agents/${agent}/budget`
  const put = (more: object) => caller.data('PUT', path, { window: 'day', ...budget, ...more })
  const complete = (more: object = {}) =>
    caller.post('/chat/completions', { messages, agent, model: priced, max_tokens: 50, ...more })
  await put({})
  return { ...caller, user, path, agentId: row?.id ?? 0, put, complete }
}

/** Does something while a turn runs, which must leave what that holds. Returns what it holds. */
async function whileRunning(
  { agentId, complete }: Awaited<ReturnType<typeof budgeted>>,
  work = async () => {},
  more: object = {},
) {
  const end = Promise.withResolvers<void>()
  fake.script.push({ reply: 'Hi', until: end.promise })
  const running = complete(more)
  const held = async () => (await storedBudget(app.database, { agentId }))?.held ?? 0
  await expect.poll(held).toBeGreaterThan(0)
  const before = await held()
  await work()
  expect(await held()).toBe(before)
  end.resolve()
  expect((await running).status).toBe(200)
  return before
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
    expect((await caller.complete({ model })).status).toBe(200)
    expect((await caller.get(caller.path)).body.data).toMatchObject(counted)
  })

  test('of tokens ends the turns of a free model', async () => {
    const caller = await budgeted({ tokens: 300 })
    const complete = () => caller.complete({ model: free })
    fake.script.push({ reply: 'Hi', usage: { prompt: 100, completion: 190 } })
    expect((await complete()).status).toBe(200)
    expect(await complete()).toMatchObject({
      status: 402,
      body: { error: { message: expect.stringMatching(/^The budget is used up: 300 tokens per day/) } },
    })
  })
})

test('max_tokens, and max_completion_tokens before it, is the most of a response that is set aside', async () => {
  const held = async (more: object) => whileRunning(await budgeted({ tokens: 100_000 }), undefined, more)
  const least = await held({ max_tokens: 1 })
  expect(await held({ max_tokens: 301 })).toBe(least + 300)
  expect(await held({ max_tokens: 301, max_completion_tokens: 101 })).toBe(least + 100)
  expect(await held({ max_tokens: null })).toBeGreaterThan(least + 300)
})

describe('another window', () => {
  const now = new Date()
  const startOfMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))
  /** All of this month was today. */
  const isFirst = now.getUTCDate() === 1

  test('leaves what running turns hold, and counts what they use', async () => {
    const caller = await budgeted({ tokens: 1_000 })
    const { put, agentId } = caller
    const held = await whileRunning(caller, async () => {
      expect(await put({ window: 'month' })).toMatchObject({ window: 'month', used_tokens: 0 })
    })
    expect(held).toBeGreaterThan(used)
    expect(await storedBudget(app.database, { agentId })).toMatchObject({ window: 'month', held: 0, spent: used })
  })

  test.each([
    ['a day becomes a month', { window: 'day' }, { window: 'month' }, used],
    ['a month becomes a day, of which nothing is known', { window: 'month' }, { window: 'day' }, isFirst ? used : 0],
  ])('where no balance pays: %s', async (_title, from, to, counted) => {
    const { complete, put } = await budgeted({ tokens: 1_000, ...from })
    expect((await complete()).status).toBe(200)
    expect((await put(to)).used_tokens).toBe(counted)
  })

  test('counts what was charged since it began', async () => {
    const payer = await newPayer(app, 'usd')
    await credit(app, payer, 'usd', 1_000_000)
    const budget = { tokens: 1_000, usd: 1 }
    const { complete, put, agentId } = await budgeted(budget, payer)
    const earlier = { model: priced, micros: 15, currency: 'usd', agentId } as const
    await addCharge(app, payer, { ...earlier, at: startOfMonth })
    await addCharge(app, payer, { ...earlier, at: new Date(startOfMonth.getTime() - 1) })
    await addCharge(app, payer, { ...earlier, model: 'local-extractive', at: now })
    await addCharge(app, payer, { ...earlier, agentId: agentId + 1, at: now })
    expect((await complete()).status).toBe(200)
    const month = { window: 'month', used_tokens: used + 15, window_start: startOfMonth.toISOString() }
    expect(await put({ window: 'month' })).toMatchObject({ ...month, used_usd: used / 1_000_000 })
    expect(await put({ window: 'day' })).toMatchObject({ used_tokens: used + (isFirst ? 15 : 0) })
    expect(await put({ window: 'month' })).toMatchObject(month)
  })

  test('of a token counts what was charged for it', async () => {
    const payer = await newPayer(app, 'usd')
    await credit(app, payer, 'usd', 1_000_000)
    const { complete } = await budgeted({ tokens: 1_000 }, payer)
    const { tokenId } = (await contextOf(app, payer)).account
    const other = callerOf(app, await newTokenFor(app.database, payer.userId))
    const put = (window: string) => other.data('PUT', `/user/tokens/${tokenId}/budget`, { window, tokens: 1_000 })
    await put('month')
    expect((await complete()).status).toBe(200)
    expect(await put('day')).toMatchObject({ window: 'day', used_tokens: used })
  })
})

describe('many requests at once', () => {
  const sends = 200
  const paid = 30

  test.each([
    ['tokens', (amount: number) => ({ tokens: amount }), (amount: number) => `${amount} tokens`],
    ['money', (amount: number) => ({ usd: amount / 1_000_000 }), (amount: number) => `${amount / 1_000_000} USD`],
  ])('on a budget in %s: what it pays for succeeds, all others are told its limit', async (_title, limit, said) => {
    const payer = await newPayer(app, 'usd')
    await credit(app, payer, 'usd', 1_000_000)
    // A turn is worth its price while what it would hold is left.
    const held = await whileRunning(await budgeted(limit(1_000_000), payer))
    const most = held + (paid - 1) * used + Math.floor(used / 2)
    const caller = await budgeted(limit(most), payer)
    const asked = fake.received.length
    const send = async (): Promise<Reply> => {
      const reply = await caller.complete()
      if (reply.status !== 429) return reply
      await Bun.sleep(20)
      return send()
    }
    const replies = await Promise.all(Array.from({ length: sends }, send))
    const refused = replies.filter(({ status }) => status !== 200)
    const message = `The budget is used up: ${said(most)} per day for this agent.`
    const error = { message, type: 'insufficient_quota', code: 402 }
    expect(replies).toHaveLength(paid + refused.length)
    expect(refused).toEqual(refused.map(() => ({ status: 402, body: { error } })))
    expect([sends - refused.length, fake.received.length - asked]).toEqual([paid, paid])

    const charges = (await chargesOf(app.database, payer.workspaceId)).filter(
      ({ agentId }) => agentId === caller.agentId,
    )
    expect(charges.map(({ delta }) => -delta)).toEqual(Array(paid).fill(used))
    expect(await storedBudget(app.database, caller)).toMatchObject({ spent: paid * used, held: 0 })
    expect(await openHolds(app.database, payer.workspaceId)).toEqual([])
    expect((await stored(app, payer, 'usd')).held).toBe(0)
  })
})
