import { beforeAll, describe, expect, test } from 'vitest'
import { newTokenFor, newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { contextOf, credit, newMember, newModel, newPayer, spend, turnOf } from '../support/payer.ts'

let app: TestApp
let model: string
beforeAll(async () => {
  app = await testApp()
  model = await newModel(app, 0.15, 0.6)
})

const read = (path: string, { token }: TestUser) => clientOf(app, token).get(path)

describe('GET /usage', () => {
  test('without billing has no balance', async () => {
    expect(await read('/usage', await newUser(app.database))).toEqual({
      status: 200,
      body: { object: 'usage', billing_active: false, balance_tokens: null, balance_usd: null, agents: 0, chats: 0 },
    })
  })

  test("counts the caller's own agents and its token's chats", async () => {
    const [user, colleague] = [await newUser(app.database), await newUser(app.database)]
    const [own, other] = [clientOf(app, user.token), clientOf(app, colleague.token)]
    const agent = (await own.data('POST', '/agents', { name: 'Agent' })).id
    await own.data('POST', '/agents', { name: 'Agent' })
    await own.send('PUT', `/agents/${agent}/shares/${colleague.userId}`, { access: 'view' })
    const otherToken = { ...user, token: await newTokenFor(app.database, user.userId) }
    for (const caller of [own, own, own, clientOf(app, otherToken.token), other]) {
      await caller.data('POST', `/agents/${agent}/chats`, {})
    }
    expect((await read('/usage', user)).body).toMatchObject({ agents: 2, chats: 3 })
    expect((await read('/usage', otherToken)).body).toMatchObject({ agents: 2, chats: 1 })
    expect((await read('/usage', colleague)).body).toMatchObject({ agents: 0, chats: 1 })
  })

  test('counts no chats of a share that has ended, or is without MCP access, until there is one again', async () => {
    const [user, guest] = [await newUser(app.database), await newUser(app.database)]
    const [own, other] = [clientOf(app, user.token), clientOf(app, guest.token)]
    const agent = (await own.data('POST', '/agents', { name: 'Agent' })).id
    const share = `/agents/${agent}/shares/${guest.userId}`
    const counted = async () => (await read('/usage', guest)).body.chats
    await own.send('PUT', share, { access: 'view' })
    for (const _chat of [1, 2]) await other.data('POST', `/agents/${agent}/chats`, {})
    await other.data('POST', `/agents/${(await other.data('POST', '/agents', { name: 'Own' })).id}/chats`, {})
    expect(await counted()).toBe(3)
    await own.send('PUT', share, { access: 'edit', mcp_access: false })
    expect(await counted()).toBe(1)
    await own.send('DELETE', share)
    expect(await counted()).toBe(1)
    await own.send('PUT', share, { access: 'view' })
    expect(await counted()).toBe(3)
  })

  test.each([
    ['usd', { balance_usd: 1.234567, balance_tokens: null }],
    ['tokens', { balance_usd: null, balance_tokens: 1_234_567 }],
  ] as const)('has the balance in %s, and that alone', async (currency, balance) => {
    const user = await newPayer(app, currency)
    await credit(app, user, currency, 1_234_567)
    expect((await read('/usage', user)).body).toMatchObject({ billing_active: true, ...balance })
    expect((await read('/usage', await newMember(app, user))).body).toMatchObject(balance)
  })

  test('a wallet that was never credited is at 0', async () => {
    const user = await newPayer(app, 'usd')
    expect((await read('/usage', user)).body).toMatchObject({ billing_active: true, balance_usd: 0 })
  })
})

describe('GET /usage/ledger', () => {
  test('lists credits and charges, newest first', async () => {
    const user = await newPayer(app, 'usd')
    await credit(app, user, 'usd', 2_000)
    const ctx = await contextOf(app, user)
    const turn = turnOf(user, model, 101, 1_000)
    await spend(ctx, turn, { promptTokens: 101, completionTokens: 57 })
    const { status, body } = await read('/usage/ledger', user)
    expect(status).toBe(200)
    expect(body).toMatchObject({ object: 'list', has_more: false })
    const made = {
      id: expect.any(Number),
      object: 'ledger_entry',
      user_id: user.userId,
      amount_tokens: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    }
    const charge = {
      ...made,
      kind: 'charge',
      purpose: 'turn',
      amount_usd: -0.00005,
      payment_id: null,
      turn_id: turn.turnId,
      model,
      prompt_tokens: 101,
      completion_tokens: 57,
      prompt_usd_per_million: 0.15,
      completion_usd_per_million: 0.6,
      token_id: ctx.account.tokenId,
    }
    const none = { purpose: null, turn_id: null, model: null, prompt_tokens: null, completion_tokens: null }
    const noPrice = { prompt_usd_per_million: null, completion_usd_per_million: null }
    const paid = { kind: 'credit', amount_usd: 0.002, payment_id: expect.any(String), token_id: 1 }
    expect(body.data).toEqual([charge, { ...made, ...none, ...noPrice, ...paid }])
  })

  test('is of the own workspace alone, for every member', async () => {
    const [user, stranger] = [await newPayer(app, 'tokens'), await newPayer(app, 'tokens')]
    await credit(app, user, 'tokens', 100)
    const amounts = async (who: TestUser) =>
      (await read('/usage/ledger', who)).body.data.map((entry: { amount_tokens: number }) => entry.amount_tokens)
    expect(await amounts(user)).toEqual([100])
    expect(await amounts(await newMember(app, user))).toEqual([100])
    expect(await amounts(stranger)).toEqual([])
    expect(await amounts(await newUser(app.database, { role: 'admin' }))).toEqual([])
  })

  test('is paged', async () => {
    const user = await newPayer(app, 'usd')
    for (const amount of [1, 2, 3, 4, 5]) await credit(app, user, 'usd', amount * 1_000_000)
    const page = async (query: string) => {
      const { body } = await read(`/usage/ledger?${query}`, user)
      return [body.data.map((entry: { amount_usd: number }) => entry.amount_usd), body.has_more]
    }
    expect(await page('')).toEqual([[5, 4, 3, 2, 1], false])
    expect(await page('per_page=2')).toEqual([[5, 4], true])
    expect(await page('per_page=2&page=3')).toEqual([[1], false])
    expect(await page('per_page=5')).toEqual([[5, 4, 3, 2, 1], false])
    expect(await page('per_page=0')).toEqual([[5], true])
    expect(await page('page=9')).toEqual([[], false])
  })
})

describe.each(['/usage', '/usage/ledger'])('%s asks for', (path) => {
  test('a token', async () => {
    const answer = await app.send('GET', path)
    expect([answer.status, await answer.json()]).toEqual([401, { message: 'Unauthenticated.' }])
  })

  test('a verified e-mail address', async () => {
    const { status, body } = await read(path, await newUser(app.database, { emailVerified: false }))
    expect([status, body.code]).toEqual([409, 'EMAIL_NOT_VERIFIED'])
  })

  test('the feature', async () => {
    const { status, body } = await read(path, await newUser(app.database, { features: ['assistants'] }))
    expect([status, body.feature]).toEqual([403, 'ai_chat'])
  })

  test('no more than the viewer role', async () => {
    const { status } = await read(path, await newUser(app.database, { workspaceRole: 'viewer' }))
    expect(status).toBe(200)
  })
})
