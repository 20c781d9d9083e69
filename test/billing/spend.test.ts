import { beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/api/errors/api-error.ts'
import { release, requireFunds, reserve, settle } from '../../src/resources/billing/spend.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { contextOf, credit, dropPrice, newModel, newPayer, setPrice, spend, stored, turnOf } from '../support/payer.ts'
import { changeWorkspace } from '../support/rows/accounts.ts'

let app: TestApp
/** A dollar per million prompt tokens, two per million completion tokens. */
let model: string
beforeAll(async () => {
  app = await testApp()
  model = await newModel(app, 1, 2)
})

const codeOf = (failing: Promise<unknown>) =>
  failing.then(
    () => 'no error',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

const usdPayer = async (balance: number) => {
  const user = await newPayer(app, 'usd')
  if (balance > 0) await credit(app, user, 'usd', balance)
  return { user, ctx: await contextOf(app, user) }
}

describe('a turn in dollars', () => {
  test('holds its estimate, then charges what was used', async () => {
    const { user, ctx } = await usdPayer(1_000)
    const turn = turnOf(user, model, 100, 200)
    const hold = await reserve(ctx, turn)
    expect(hold.maxCompletionTokens).toBe(200)
    expect(await stored(app, user, 'usd')).toMatchObject({ balance: 1_000, held: 500, holds: [500] })
    const wallet = await ctx.db.transaction((tx) => settle(tx, hold, { promptTokens: 90, completionTokens: 30 }))
    expect(wallet).toEqual({
      balance_usd: 0.00085,
      charged_usd: 0.00015,
      balance_tokens: null,
      charged_tokens: null,
    })
    const { entries, ...rest } = await stored(app, user, 'usd')
    expect(rest).toEqual({ balance: 850, held: 0, holds: [], deltas: [1_000, -150] })
    expect(entries[1]).toMatchObject({
      kind: 'charge',
      turnId: turn.turnId,
      paymentId: null,
      model,
      promptTokens: 90,
      completionTokens: 30,
      promptUsdPerMillion: 1,
      completionUsdPerMillion: 2,
      userId: user.userId,
      tokenId: ctx.account.tokenId,
    })
  })

  test('is free when it fails', async () => {
    const { user, ctx } = await usdPayer(1_000)
    const hold = await reserve(ctx, turnOf(user, model, 100, 200))
    await release(ctx, hold)
    await release(ctx, hold)
    expect(await stored(app, user, 'usd')).toMatchObject({ balance: 1_000, held: 0, holds: [], deltas: [1_000] })
  })

  test('is charged once, and a release after it gives nothing back', async () => {
    const { user, ctx } = await usdPayer(1_000)
    const hold = await reserve(ctx, turnOf(user, model, 100, 200))
    const settled = () => ctx.db.transaction((tx) => settle(tx, hold, { promptTokens: 100, completionTokens: 100 }))
    const answers = await Promise.all([settled(), settled(), settled()])
    await release(ctx, hold)
    const once = { balance_usd: 0.0007, charged_usd: 0.0003, balance_tokens: null, charged_tokens: null }
    expect(answers).toEqual([once, once, once])
    expect(await stored(app, user, 'usd')).toMatchObject({ balance: 700, held: 0, deltas: [1_000, -300] })
  })

  test('is not charged when the transaction that stores it fails', async () => {
    const { user, ctx } = await usdPayer(1_000)
    const hold = await reserve(ctx, turnOf(user, model, 100, 200))
    const failing = ctx.db.transaction(async (tx) => {
      await settle(tx, hold, { promptTokens: 100, completionTokens: 100 })
      throw new Error('messages not stored')
    })
    await expect(failing).rejects.toThrow('messages not stored')
    expect(await stored(app, user, 'usd')).toMatchObject({ balance: 1_000, held: 500, deltas: [1_000] })
    await release(ctx, hold)
    expect(await stored(app, user, 'usd')).toMatchObject({ balance: 1_000, held: 0, holds: [] })
  })

  test('costs at the price that held when it began', async () => {
    const own = await newModel(app, 1, 1)
    const { user, ctx } = await usdPayer(1_000)
    const hold = await reserve(ctx, turnOf(user, own, 100, 100))
    await setPrice(app, own, 5, 1)
    await ctx.db.transaction((tx) => settle(tx, hold, { promptTokens: 100, completionTokens: 100 }))
    expect((await stored(app, user, 'usd')).deltas).toEqual([1_000, -200])
  })

  test('that used more than its estimate is charged what is free besides, and no more; then it is 402', async () => {
    const { user, ctx } = await usdPayer(503)
    const used = { promptTokens: 1_000, completionTokens: 500 }
    const wallet = await spend(ctx, turnOf(user, model, 100, 200), used)
    expect(wallet).toMatchObject({ balance_usd: 0, charged_usd: 0.000503 })
    const { entries, held } = await stored(app, user, 'usd')
    expect([entries[1], held]).toMatchObject([{ delta: -503, ...used }, 0])
    expect(await codeOf(reserve(ctx, turnOf(user, model, 1, 1)))).toBe('usd_balance_empty')
  })

  test('that used more than its estimate leaves others what they hold', async () => {
    const { user, ctx } = await usdPayer(1_001)
    const [one, two] = [
      await reserve(ctx, turnOf(user, model, 100, 200)),
      await reserve(ctx, turnOf(user, model, 100, 200)),
    ]
    const settled = (hold: typeof one, completionTokens: number) =>
      ctx.db.transaction((tx) => settle(tx, hold, { promptTokens: 100, completionTokens }))
    expect(await settled(one, 5_000)).toMatchObject({ balance_usd: 0.0005, charged_usd: 0.000501 })
    expect(await settled(one, 5_000)).toMatchObject({ balance_usd: 0.0005, charged_usd: 0.000501 })
    expect(await settled(two, 200)).toMatchObject({ balance_usd: 0, charged_usd: 0.0005 })
    expect(await stored(app, user, 'usd')).toMatchObject({ deltas: [1_001, -501, -500], held: 0, holds: [] })
  })
})

describe('a balance too small for the estimate', () => {
  test('lowers the output cap', async () => {
    const { user, ctx } = await usdPayer(401)
    const hold = await reserve(ctx, turnOf(user, model, 101, 10_000))
    expect(hold.maxCompletionTokens).toBe(150)
    expect((await stored(app, user, 'usd')).holds).toEqual([401])
  })

  test.each([
    ['nothing', 0],
    ['not the prompt', 99],
    ['hardly an answer', 100 + 2 * 63],
  ])('is 402 when it pays for %s', async (_title, balance) => {
    const { user, ctx } = await usdPayer(balance)
    expect(await codeOf(reserve(ctx, turnOf(user, model, 100, 10_000)))).toBe('usd_balance_empty')
    expect((await stored(app, user, 'usd')).holds).toEqual([])
  })

  test('pays for a short answer when no more is asked for', async () => {
    const { user, ctx } = await usdPayer(104)
    expect((await reserve(ctx, turnOf(user, model, 100, 2))).maxCompletionTokens).toBe(2)
  })
})

describe('a balance that other turns hold', () => {
  test('is waited for', async () => {
    const { user, ctx } = await usdPayer(500)
    const first = await reserve(ctx, turnOf(user, model, 100, 200))
    const second = reserve(ctx, turnOf(user, model, 100, 100))
    await Bun.sleep(120)
    await ctx.db.transaction((tx) => settle(tx, first, { promptTokens: 100, completionTokens: 50 }))
    expect((await second).maxCompletionTokens).toBe(100)
    expect(await stored(app, user, 'usd')).toMatchObject({ balance: 300, held: 300 })
  })

  test('is 429, not 402, when it stays held', async () => {
    const { user, ctx } = await usdPayer(500)
    await reserve(ctx, turnOf(user, model, 100, 200))
    const waiting = reserve(ctx, turnOf(user, model, 100, 100))
    await expect(waiting).rejects.toMatchObject({
      code: 'too_many_requests',
      options: { headers: { 'retry-after': '1' } },
    })
  })

  test('is 402 once the others have spent it', async () => {
    const { user, ctx } = await usdPayer(500)
    const first = await reserve(ctx, turnOf(user, model, 100, 200))
    const second = codeOf(reserve(ctx, turnOf(user, model, 100, 100)))
    await Bun.sleep(120)
    await ctx.db.transaction((tx) => settle(tx, first, { promptTokens: 100, completionTokens: 200 }))
    expect(await second).toBe('usd_balance_empty')
  })

  test('does not stop a free model', async () => {
    const { user, ctx } = await usdPayer(500)
    await reserve(ctx, turnOf(user, model, 100, 200))
    expect(await spend(ctx, turnOf(user, 'local-extractive', 100, 200))).toMatchObject({ charged_usd: 0 })
  })

  test('is not waited for when the client goes away', async () => {
    const { user, ctx } = await usdPayer(500)
    const first = await reserve(ctx, turnOf(user, model, 100, 200))
    const gone = codeOf(reserve({ ...ctx, signal: AbortSignal.timeout(50) }, turnOf(user, model, 100, 100)))
    await Bun.sleep(150)
    await release(ctx, first)
    expect(await gone).toBe('too_many_requests')
    expect((await stored(app, user, 'usd')).holds).toEqual([])
  })
})

describe('both currencies', () => {
  test('a wallet of tokens pays one for one', async () => {
    const user = await newPayer(app, 'tokens')
    await credit(app, user, 'tokens', 1_000)
    const ctx = await contextOf(app, user)
    const hold = await reserve(ctx, turnOf(user, model, 300, 10_000))
    expect(hold.maxCompletionTokens).toBe(700)
    const wallet = await ctx.db.transaction((tx) => settle(tx, hold, { promptTokens: 300, completionTokens: 50 }))
    expect(wallet).toEqual({ balance_tokens: 650, charged_tokens: 350, balance_usd: null, charged_usd: null })
  })

  test('keep their balances when the billing mode changes, and a running turn pays in the one it began in', async () => {
    const { user, ctx } = await usdPayer(1_000)
    await credit(app, user, 'tokens', 70)
    const hold = await reserve(ctx, turnOf(user, model, 100, 200))
    await changeWorkspace(app.database, user.workspaceId, { billing: 'tokens' })
    expect(await spend(ctx, turnOf(user, model, 10, 10))).toMatchObject({ balance_tokens: 50, balance_usd: null })
    const wallet = await ctx.db.transaction((tx) => settle(tx, hold, { promptTokens: 100, completionTokens: 100 }))
    expect(wallet).toMatchObject({ balance_usd: 0.0007, balance_tokens: null })
    expect((await stored(app, user, 'tokens')).balance).toBe(50)
  })
})

describe('who is let through', () => {
  test('without billing nothing is held, asked or charged', async () => {
    const user = await newUser(app.database)
    const ctx = await contextOf(app, user)
    await requireFunds(ctx, user.workspaceId)
    const hold = await reserve(ctx, turnOf(user, 'model-without-a-price', 100, 200))
    expect(hold.maxCompletionTokens).toBe(200)
    expect(await ctx.db.transaction((tx) => settle(tx, hold, { promptTokens: 1, completionTokens: 1 }))).toBeNull()
    await release(ctx, hold)
    expect(await stored(app, user, 'usd')).toMatchObject({ entries: [], holds: [] })
  })

  test('a free model asks for a balance, and charges nothing', async () => {
    const empty = await usdPayer(0)
    expect(await codeOf(reserve(empty.ctx, turnOf(empty.user, 'local-extractive', 1, 1)))).toBe('usd_balance_empty')
    const { user, ctx } = await usdPayer(1)
    const wallet = await spend(ctx, turnOf(user, 'local-extractive', 5_000, 5_000))
    expect(wallet).toEqual({ balance_usd: 0.000001, charged_usd: 0, balance_tokens: null, charged_tokens: null })
    expect((await stored(app, user, 'usd')).entries[1]).toMatchObject({
      model: 'local-extractive',
      promptTokens: 5_000,
    })
  })

  test.each([
    ['without a price', undefined],
    ['with a negative price', -1],
  ])('a model %s is refused on `model`', async (_title, price) => {
    const { user, ctx } = await usdPayer(1_000)
    const refused = price === undefined ? `model-${crypto.randomUUID()}` : await newModel(app, price, 1)
    const text = `The model ${refused} has no price, so a prepaid balance cannot pay for it.`
    await expect(reserve(ctx, turnOf(user, refused, 1, 1))).rejects.toMatchObject({
      code: 'validation_failed',
      options: { fields: { model: [text] } },
    })
    await dropPrice(app, refused)
  })

  test.each([
    ['a balance', 1, 'no error'],
    ['none', 0, 'usd_balance_empty'],
  ])('before a chat is made, with %s', async (_title, balance, code) => {
    const { user, ctx } = await usdPayer(balance)
    expect(await codeOf(requireFunds(ctx, user.workspaceId))).toBe(code)
  })
})
