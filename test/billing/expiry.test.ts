import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { releaseExpiredHolds } from '../../src/resources/billing/expiry.ts'
import { keepingHolds } from '../../src/resources/billing/keep.ts'
import { reserve, settle } from '../../src/resources/billing/spend.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { contextOf, credit, expireHolds, newModel, newPayer, runningHolds, stored, turnOf } from '../support/payer.ts'

let app: TestApp
let model: string
beforeAll(async () => {
  app = await testApp()
  model = await newModel(app, 1, 1)
})

/** A wallet of which all is held by one turn. */
async function heldWallet() {
  const user = await newPayer(app, 'usd')
  await credit(app, user, 'usd', 300)
  const ctx = await contextOf(app, user)
  const turn = turnOf(user, model, 100, 200)
  const hold = await reserve(ctx, turn)
  /** As if the time of a hold had passed since it was made. */
  const expire = () => expireHolds(ctx, turn.turnId)
  return { user, ctx, hold, expire }
}

const whole = { promptTokens: 100, completionTokens: 200 }

describe('a hold that nobody ended', () => {
  test('stays while its turn may run', async () => {
    const { user } = await heldWallet()
    await releaseExpiredHolds(app.database.db)
    expect(await stored(app, user, 'usd')).toMatchObject({ held: 300, holds: [300] })
  })

  test('is swept once it has expired, also by several sweepers at once', async () => {
    const { user, expire } = await heldWallet()
    await expire()
    const { db } = app.database
    await Promise.all([
      releaseExpiredHolds(db),
      releaseExpiredHolds(db),
      releaseExpiredHolds(db),
      releaseExpiredHolds(db),
    ])
    expect(await stored(app, user, 'usd')).toMatchObject({ balance: 300, held: 0, holds: [], deltas: [300] })
  })

  test('is freed in the background as soon as it has expired, and when it would is known', async () => {
    const { user, ctx, expire } = await heldWallet()
    const { work } = app.services.paidHolds
    const dueInMs = async () => {
      const ms = sql`(extract(epoch from ${work?.nextDue} - now()) * 1000)::float8`
      const [row] = await ctx.db.execute<{ ms: number }>(sql`select ${ms} as ms`)
      return row?.ms
    }
    // What looks for work does so every five seconds at least: both together are less than fifteen.
    expect(await dueInMs()).toBeLessThan(10_000)
    await expire()
    expect(await dueInMs()).toBeLessThan(0)
    await work?.run()
    expect(await stored(app, user, 'usd')).toMatchObject({ held: 0, holds: [] })
  })

  test('is freed at once by a start at which no other process can be at work', async () => {
    const { user } = await heldWallet()
    await app.services.paidHolds.prepare?.(false)
    expect(await stored(app, user, 'usd')).toMatchObject({ held: 300, holds: [300] })
    await app.services.paidHolds.prepare?.(true)
    expect(await stored(app, user, 'usd')).toMatchObject({ held: 0, holds: [] })
  })

  test('stays for as long as its turn runs, which renews it', async () => {
    const { user, ctx, hold, expire } = await heldWallet()
    await expire()
    const renewed = async () => (await runningHolds(ctx, hold.turnId)).length
    await keepingHolds(
      ctx,
      hold.turnId,
      async () => {
        await expect.poll(renewed, { timeout: 60_000 }).toBe(1)
      },
      10,
    )
    await releaseExpiredHolds(ctx.db)
    expect(await stored(app, user, 'usd')).toMatchObject({ held: 300, holds: [300] })
  })

  test('fails its turn, which costs nothing, when others hold the money by the time it settles', async () => {
    const { user, ctx, hold, expire } = await heldWallet()
    await expire()
    await reserve(ctx, turnOf(user, model, 100, 200))
    const settled = ctx.db.transaction((tx) => settle(tx, hold, whole))
    await expect(settled).rejects.toThrow('The generation failed: lost its money to other turns')
    expect(await stored(app, user, 'usd')).toMatchObject({ balance: 300, held: 300, holds: [300], deltas: [300] })
  })

  test('is freed at once when another turn needs the money', async () => {
    const { user, ctx, expire } = await heldWallet()
    await expire()
    const hold = await reserve(ctx, turnOf(user, model, 100, 200))
    expect(hold.maxCompletionTokens).toBe(200)
    expect(await stored(app, user, 'usd')).toMatchObject({ held: 300, holds: [300] })
  })

  test('charges its turn once all the same, when that settles after all', async () => {
    const { user, ctx, hold, expire } = await heldWallet()
    await expire()
    await releaseExpiredHolds(ctx.db)
    const settled = () => ctx.db.transaction((tx) => settle(tx, hold, whole))
    expect(await settled()).toMatchObject({ charged_usd: 0.0003, balance_usd: 0 })
    expect(await settled()).toMatchObject({ charged_usd: 0.0003, balance_usd: 0 })
    expect(await stored(app, user, 'usd')).toMatchObject({ balance: 0, held: 0, deltas: [300, -300] })
  })

  test('leaves the holds of others alone when its turn settles', async () => {
    const { user, ctx, hold, expire } = await heldWallet()
    await credit(app, user, 'usd', 300)
    await expire()
    await releaseExpiredHolds(ctx.db)
    await reserve(ctx, turnOf(user, model, 100, 200))
    await ctx.db.transaction((tx) => settle(tx, hold, whole))
    expect(await stored(app, user, 'usd')).toMatchObject({ balance: 300, held: 300, holds: [300] })
  })
})
