import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { housekeeping } from '../../src/app/housekeeping.ts'
import { releaseExpiredHolds } from '../../src/resources/billing/expiry.ts'
import { reserve, settle } from '../../src/resources/billing/spend.ts'
import { holds } from '../../src/resources/billing/table.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { contextOf, credit, newModel, newPayer, stored, turnOf } from './payer.ts'

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
  const expire = () =>
    ctx.db.update(holds).set({ expiresAt: sql`now() - interval '1 second'` }).where(eq(holds.turnId, turn.turnId))
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

  test('is swept by the housekeeping', async () => {
    const { user, expire } = await heldWallet()
    await expire()
    const part = housekeeping(app.services)
    part.start?.()
    await expect.poll(async () => (await stored(app, user, 'usd')).held).toBe(0)
    part.stop()
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
