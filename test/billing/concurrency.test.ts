import { beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/api/errors/api-error.ts'
import { release, reserve, settle, type Usage } from '../../src/resources/billing/spend.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { contextOf, credit, newModel, newPayer, stored, turnOf } from '../support/payer.ts'

let app: TestApp
/** A micro-dollar per token. */
let model: string
beforeAll(async () => {
  app = await testApp()
  model = await newModel(app, 1, 1)
})

const estimate = { promptTokens: 40, completionTokens: 60 }
const cost = 100

/** 200 turns at once, each tried again while it is 429; `used` undefined: the turn fails. Answers how each ended. */
async function twoHundred(currency: 'usd' | 'tokens', balance: number, used: (turn: number) => Usage | undefined) {
  const user = await newPayer(app, currency)
  await credit(app, user, currency, balance)
  const ctx = await contextOf(app, user)
  let lowest = balance
  const run = async (number: number): Promise<string> => {
    try {
      const hold = await reserve(ctx, turnOf(user, model, estimate.promptTokens, estimate.completionTokens))
      await Bun.sleep(number % 7)
      const usage = used(number)
      if (!usage) {
        await release(ctx, hold)
        return 'failed'
      }
      const wallet = await ctx.db.transaction((tx) => settle(tx, hold, usage))
      lowest = Math.min(lowest, wallet?.balance_tokens ?? Math.round((wallet?.balance_usd ?? 0) * 1_000_000))
      return 'charged'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return error.code === 'too_many_requests' ? run(number) : error.code
    }
  }
  const ends = await Promise.all(Array.from({ length: 200 }, (_, number) => run(number)))
  const count = (end: string) => ends.filter((each) => each === end).length
  return { user, count, lowest, after: await stored(app, user, currency) }
}

describe('200 turns at once on a balance for 50', () => {
  test.each([
    ['usd', 'usd_balance_empty'],
    ['tokens', 'token_limit_reached'],
  ] as const)('in %s: 50 are charged, 150 refused, nothing is left over or overspent', async (currency, refusal) => {
    const { count, lowest, after } = await twoHundred(currency, 50 * cost, () => estimate)
    expect([count('charged'), count(refusal)]).toEqual([50, 150])
    expect(lowest).toBe(0)
    expect(after).toMatchObject({ balance: 0, held: 0, holds: [] })
    expect(after.deltas).toEqual([50 * cost, ...Array(50).fill(-cost)])
  })

  test('those that fail are free and make room for others', async () => {
    const { count, lowest, after } = await twoHundred('usd', 50 * cost, (n) => (n % 2 ? undefined : estimate))
    expect(count('charged')).toBe(50)
    expect(count('charged') + count('failed') + count('usd_balance_empty')).toBe(200)
    expect(lowest).toBe(0)
    expect(after).toMatchObject({ balance: 0, held: 0, holds: [] })
  })

  test('turns that use less than they hold leave the rest to others, to the last token', async () => {
    const half = { promptTokens: 40, completionTokens: 10 }
    const { count, after } = await twoHundred('usd', 50 * cost, () => half)
    expect(count('charged')).toBeGreaterThan(50)
    expect(after).toMatchObject({ balance: 50 * cost - 50 * count('charged'), held: 0, holds: [] })
    expect(after.balance).toBeLessThan(cost)
    expect(after.balance).toBeGreaterThanOrEqual(0)
  })

  test.each(['usd', 'tokens'] as const)(
    'in %s: turns that use more than their estimates end at zero, too',
    async (currency) => {
      const more = { promptTokens: 40, completionTokens: 90 }
      const { count, lowest, after } = await twoHundred(currency, 50 * cost, () => more)
      expect(lowest).toBe(0)
      expect(after).toMatchObject({ balance: 0, held: 0, holds: [] })
      expect(after.deltas.reduce((sum, delta) => sum + delta)).toBe(0)
      expect(count('charged')).toBeLessThanOrEqual(50)
    },
  )
})
