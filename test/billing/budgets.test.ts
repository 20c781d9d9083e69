import { beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/api/errors/api-error.ts'
import { releaseExpiredHolds } from '../../src/resources/billing/expiry.ts'
import { keepingHolds } from '../../src/resources/billing/keep.ts'
import { release, reserve, settle } from '../../src/resources/billing/spend.ts'
import { callerOf } from '../agents/caller.ts'
import { fakeModelServer } from '../agents/fake-model-server.ts'
import { newTokenFor, newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import {
  ageBudget,
  chargesOf,
  contextOf,
  credit,
  expireBudgetHolds,
  newMember,
  newModel,
  newPayer,
  storedBudget,
  turnOf,
} from '../support/payer.ts'

let app: TestApp
let model: string
beforeAll(async () => {
  app = await testApp()
  model = await newModel(app, 1, 1)
})

/** A user with an agent, and a second token that sets budgets. */
async function owner(given?: TestUser) {
  const user = given ?? (await newUser(app.database))
  const caller = callerOf(app, user.token)
  const agent = await caller.agent()
  const [row] = await app.database.sql<{ id: number }[]>`select id from agents where agent_id = ${agent}`
  const ctx = await contextOf(app, user)
  return { user, caller, agent, agentId: row?.id ?? 0, ctx, tokenId: ctx.account.tokenId }
}

const estimate = { promptTokens: 40, completionTokens: 60 }
const cost = 100

/** How many sends come at once; CONCURRENT_SENDS asks for more than a suite has time for. */
const sends = Number(process.env.CONCURRENT_SENDS ?? 200)

describe('many turns at once', () => {
  test.each([
    ['tokens, for a tenth of them', 'tokens', sends / 10],
    ['money, for all of them', 'usd', sends],
  ] as const)(
    'on an agent’s budget in %s: so many run, the others are refused, nothing is overspent',
    async (_name, unit, paid) => {
      const limits = unit === 'usd' ? { usd: (paid * cost) / 1_000_000 } : { tokens: paid * cost }
      const { user, caller, agent, agentId, ctx } = await owner()
      await caller.send('PUT', `/agents/${agent}/budget`, { window: 'day', ...limits })
      const failed = new Set<number>()
      const run = async (number: number): Promise<string> => {
        try {
          const hold = await reserve(ctx, { ...turnOf(user, model, 40, 60), agentId })
          await Bun.sleep(number % 5)
          if (number % 10 === 0 && !failed.has(number)) {
            failed.add(number)
            await release(ctx, hold)
            return run(number)
          }
          await ctx.db.transaction((tx) => settle(tx, hold, estimate))
          return 'run'
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          return error.code === 'too_many_requests' ? run(number) : error.code
        }
      }
      const ends = await Promise.all(Array.from({ length: sends }, (_, number) => run(number)))
      expect(ends.filter((end) => end === 'run')).toHaveLength(paid)
      expect(ends.filter((end) => end === 'budget_exceeded')).toHaveLength(sends - paid)
      expect(await storedBudget(app.database, { agentId })).toMatchObject({
        spent: paid * cost,
        held: 0,
        limit: paid * cost,
      })
    },
    60_000 + sends * 100,
  )

  test('are charged although their holds are renewed and budgets are set at that moment', async () => {
    const payer = await newPayer(app, 'tokens')
    await credit(app, payer, 'tokens', 1_000_000)
    const { caller, agent, agentId, ctx } = await owner(payer)
    const path = `/agents/${agent}/budget`
    // The older of two budgets is the one that is named last.
    await caller.send('PUT', path, { window: 'day', usd: 100 })
    const set = () => caller.send('PUT', path, { window: 'day', usd: 100, tokens: 1_000_000 })
    await set()
    const run = async () => {
      const hold = await reserve(ctx, { ...turnOf(payer, model, 40, 60), agentId })
      const settling = () => ctx.db.transaction((tx) => settle(tx, hold, estimate))
      await keepingHolds(ctx, hold.turnId, () => Bun.sleep(5).then(settling), 1)
    }
    const turns = Array.from({ length: 20 }, run)
    const answers = await Promise.all([set(), set(), set()])
    await Promise.all(turns)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await chargesOf(app.database, payer.workspaceId)).filter(({ kind }) => kind === 'charge')).toHaveLength(20)
    const { body } = await caller.get(path)
    expect([body.data.used_tokens, body.data.used_usd]).toEqual([20 * cost, (20 * cost) / 1_000_000])
  })

  test('that use more than they hold count what is free besides, and no more', async () => {
    const { user, caller, agent, agentId, ctx } = await owner()
    await caller.send('PUT', `/agents/${agent}/budget`, { window: 'day', tokens: 250 })
    const turn = () => ({ ...turnOf(user, model, 40, 60), agentId })
    const holds = [await reserve(ctx, turn()), await reserve(ctx, turn())]
    const used = { promptTokens: 40, completionTokens: 1_000 }
    for (const hold of holds) await ctx.db.transaction((tx) => settle(tx, hold, used))
    expect(await storedBudget(app.database, { agentId })).toMatchObject({ spent: 250, held: 0 })
  })

  test('two budgets hold both or none', async () => {
    const { user, caller, agent, agentId, ctx, tokenId } = await owner()
    const other = callerOf(app, await newTokenFor(app.database, user.userId))
    await caller.send('PUT', `/agents/${agent}/budget`, { window: 'day', tokens: 10_000 })
    await other.send('PUT', `/user/tokens/${tokenId}/budget`, { window: 'month', tokens: 150 })
    const turn = () => ({ ...turnOf(user, model, 40, 60), agentId })
    const hold = await reserve(ctx, turn())
    await expect(reserve({ ...ctx, signal: AbortSignal.timeout(1) }, turn())).rejects.toMatchObject({
      code: 'too_many_requests',
    })
    await ctx.db.transaction((tx) => settle(tx, hold, estimate))
    await expect(reserve(ctx, turn())).rejects.toMatchObject({ code: 'budget_exceeded' })
    for (const of of [{ agentId }, { tokenId }]) {
      expect(await storedBudget(app.database, of)).toMatchObject({ spent: 100, held: 0 })
    }
  })
})

test('the output cap is lowered to what is left, a new window begins anew, and dead processes hold nothing', async () => {
  const { user, caller, agent, agentId, ctx } = await owner()
  await caller.send('PUT', `/agents/${agent}/budget`, { window: 'day', tokens: 200 })
  const turn = (completion: number) => ({ ...turnOf(user, model, 40, completion), agentId })
  const hold = await reserve(ctx, turn(1000))
  expect(hold.maxCompletionTokens).toBe(160)
  await expireBudgetHolds(app.database, hold.turnId)
  await releaseExpiredHolds(app.database.db)
  const next = await reserve(ctx, turn(160))
  await ctx.db.transaction((tx) => settle(tx, next, { promptTokens: 40, completionTokens: 160 }))
  await expect(reserve(ctx, turn(60))).rejects.toMatchObject({ code: 'budget_exceeded' })
  await ageBudget(app.database, agentId)
  expect((await caller.get(`/agents/${agent}/budget`)).body.data.used_tokens).toBe(0)
  await release(ctx, await reserve(ctx, turn(60)))
})

describe('over the API', () => {
  test('a budget is set, read, used and removed; a 402 names it', async () => {
    const fake = fakeModelServer()
    try {
      const asked = await testApp({ models: fake.models, remember: false, database: app.database })
      const user = await newPayer(app, 'none')
      const caller = callerOf(asked, user.token)
      const agent = await caller.agent()
      const path = `/agents/${agent}/budget`
      const none = { window: null, tokens: null, usd: null, used_tokens: null, used_usd: null, window_start: null }
      expect((await caller.get(path)).body).toEqual({ data: none })
      const put = await caller.send('PUT', path, { window: 'month', tokens: 300 })
      const began = new Date()
      const start = new Date(Date.UTC(began.getUTCFullYear(), began.getUTCMonth())).toISOString()
      const set = { ...none, window: 'month', tokens: 300, used_tokens: 0, window_start: start }
      expect([put.status, put.body]).toEqual([200, { data: set }])
      const complete = () => caller.post('/chat/completions', { agent, messages: [{ role: 'user', content: 'Hello' }] })
      fake.script.push({ reply: 'Hi', usage: { prompt: 100, completion: 190 } })
      expect((await complete()).status).toBe(200)
      expect((await caller.get(path)).body.data.used_tokens).toBe(290)
      const refused = await complete()
      const message = 'The budget is used up: 300 tokens per month for this agent.'
      expect([refused.status, refused.body.error]).toEqual([402, { message, type: 'insufficient_quota', code: 402 }])
      const chat = await caller.chat(agent)
      const sent = await caller.post(`/agents/${agent}/chats/${chat}/messages`, { content: 'Hello' })
      expect([sent.status, sent.body]).toEqual([
        402,
        { error: true, insufficient_tokens: true, payer_is_self: true, message },
      ])
      expect((await caller.send('PUT', path, { window: 'month', tokens: null })).body).toEqual({ data: none })
      expect((await complete()).status).toBe(200)
    } finally {
      await fake.stop()
    }
  })

  test.each([
    [1e-9, 422],
    [0.000_000_9, 422],
    [0.000_001, 200],
    [0, 200],
  ])('a limit of %d dollars is %d: what cannot be kept is no limit of nothing', async (usd, status) => {
    const { user, caller, agent, tokenId } = await owner()
    const other = callerOf(app, await newTokenFor(app.database, user.userId))
    const put = [
      await caller.send('PUT', `/agents/${agent}/budget`, { window: 'day', usd }),
      await other.send('PUT', `/user/tokens/${tokenId}/budget`, { window: 'day', usd }),
    ]
    const message = 'The usd field must be 0 or at least 0.000001.'
    const errors = { usd: [message] }
    for (const response of put) {
      const said = status === 200 ? { data: expect.objectContaining({ usd }) } : { message, errors }
      expect(response.status).toBe(status)
      expect(response.body).toMatchObject(said)
    }
  })

  test('only the owner sets an agent’s budget, and a token not its own', async () => {
    const { user, caller, agent, tokenId } = await owner()
    const viewer = await newUser(app.database)
    await caller.send('PUT', `/agents/${agent}/shares/${viewer.userId}`, { access: 'edit' })
    const body = { window: 'day', tokens: 1 }
    const theirs = await callerOf(app, viewer.token).send('PUT', `/agents/${agent}/budget`, body)
    expect([theirs.status, theirs.body.message]).toEqual([403, 'Only the owner of this agent may do this.'])
    const self = await caller.send('PUT', `/user/tokens/${tokenId}/budget`, body)
    expect([self.status, self.body.message]).toEqual([403, 'A token does not set its own budget. Use another one.'])
    const foreign = await callerOf(app, viewer.token).send('PUT', `/user/tokens/${tokenId}/budget`, body)
    expect(foreign.status).toBe(404)
    const other = callerOf(app, await newTokenFor(app.database, user.userId))
    const set = await other.send('PUT', `/user/tokens/${tokenId}/budget`, body)
    expect(set.body).toMatchObject({ success: true, data: body })
    expect((await other.get(`/user/tokens/${tokenId}/budget`)).body).toMatchObject({ success: true, data: body })
    const further = await caller.post('/user/tokens', { name: 'Without a budget' })
    expect([further.status, further.body.message]).toEqual([403, 'A token that has a budget makes no other tokens.'])
    expect((await other.post('/user/tokens', { name: 'More' })).status).toBe(201)
    const rest: { id: number }[] = (await caller.get('/user/tokens')).body.data
    const another = rest.find(({ id }) => id !== tokenId)
    for (const path of [`/user/tokens/${another?.id}/budget`, `/agents/${agent}/budget`]) {
      const put = await caller.send('PUT', path, { window: 'day', tokens: null, usd: null })
      expect([put.status, put.body.message]).toEqual([403, 'A token that has a budget sets no budgets.'])
    }
    expect((await other.send('PUT', `/agents/${agent}/budget`, body)).status).toBe(200)
    const admin = await newUser(app.database, { role: 'admin' })
    const operator = callerOf(app, admin.token)
    const [own] = (await operator.get('/user/tokens')).body.data
    const spare = callerOf(app, await newTokenFor(app.database, admin.userId))
    expect((await spare.send('PUT', `/user/tokens/${own.id}/budget`, body)).status).toBe(200)
    expect((await operator.post(`/admin/users/${admin.userId}/tokens`, {})).status).toBe(403)
  })
})

test.each([
  ['the owner of the workspace', true],
  ['another member', false],
])('the 402 of a budget says to %s whether they pay themselves (billing 9)', async (_who, isSelf) => {
  const payer = await newPayer(app, 'none')
  const { agentId, agent, caller, ctx, user } = await owner(isSelf ? payer : await newMember(app, payer))
  await caller.send('PUT', `/agents/${agent}/budget`, { window: 'day', tokens: 10 })
  const refused = reserve(ctx, { ...turnOf(user, model, 40, 60), agentId })
  await expect(refused).rejects.toMatchObject({
    code: 'budget_exceeded',
    options: { extra: { payer_is_self: isSelf } },
  })
})
