import { beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/api/errors/api-error.ts'
import type { Allowance } from '../../src/language-model/allowance.ts'
import { chargeOnly, paidUse } from '../../src/resources/billing/paid-use.ts'
import { callerOf } from '../agents/caller.ts'
import { type TestApp, type TestUser, testApp } from '../support/app.ts'
import { contextOf, credit, newModel, newPayer, openHolds, stored, storedBudget, turnOf } from '../support/payer.ts'

/** How a turn holds more while it runs. */
let app: TestApp
let model: string
beforeAll(async () => {
  app = await testApp()
  model = await newModel(app, 1, 1)
})

const call = { promptTokens: 40, completionTokens: 60 }

async function payer(balance: number) {
  const user = await newPayer(app, 'tokens')
  await credit(app, user, 'tokens', balance)
  const caller = callerOf(app, user.token)
  const agent = await caller.agent()
  const [row] = await app.database.sql<{ id: number }[]>`select id from agents where agent_id = ${agent}`
  return { user, caller, agent, agentId: row?.id ?? 0, ctx: await contextOf(app, user) }
}

/** A turn of calls that take what they ask for, as far as they are covered; how many calls it made. */
const turn = async (ctx: Awaited<ReturnType<typeof contextOf>>, user: TestUser, agentId: number, calls: number) => {
  const use = async (allowance: Allowance) => {
    let made = 0
    while (made < calls) {
      const covered = await allowance.cover(call, 1)
      if ('refused' in covered) break
      await Bun.sleep(made % 3)
      allowance.count({ promptTokens: call.promptTokens, completionTokens: covered.completionTokens })
      made++
    }
    return { made, usage: allowance.used }
  }
  const order = { ...turnOf(user, model, call.promptTokens, call.completionTokens), agentId }
  return paidUse(ctx, order, use, chargeOnly(ctx))
}

describe('a turn that makes more calls than it began with', () => {
  test('holds more of the balance, to the last token, and the last call writes what is left', async () => {
    const { user, ctx, agentId } = await payer(275)
    expect(await turn(ctx, user, agentId, 9)).toEqual({ made: 3, usage: { promptTokens: 120, completionTokens: 155 } })
    expect(await stored(app, user, 'tokens')).toMatchObject({ balance: 0, held: 0, holds: [], deltas: [275, -275] })
  })

  test('holds more of a budget, and nothing of the balance where the budget has no more', async () => {
    const { user, caller, agent, ctx, agentId } = await payer(1_000)
    await caller.send('PUT', `/agents/${agent}/budget`, { window: 'day', tokens: 230 })
    expect((await turn(ctx, user, agentId, 9)).made).toBe(2)
    expect(await storedBudget(app.database, { agentId })).toMatchObject({ spent: 200, held: 0 })
    expect(await stored(app, user, 'tokens')).toMatchObject({ balance: 800, held: 0, holds: [] })
  })

  test('holds what it takes once more where its hold was freed meanwhile', async () => {
    const { user, ctx, agentId } = await payer(500)
    const order = { ...turnOf(user, model, 40, 60), agentId }
    const use = async (allowance: Allowance) => {
      allowance.count(call)
      await app.database.sql`delete from holds where turn_id = ${order.turnId}`
      await app.database.sql`update wallets set held = 0 where workspace_id = ${user.workspaceId}`
      expect(await allowance.cover(call, 1)).toEqual({ completionTokens: 60 })
      const [hold] = await openHolds(app.database, user.workspaceId)
      expect(hold?.amount).toBe(200)
      allowance.count(call)
      return { usage: allowance.used }
    }
    await paidUse(ctx, order, use, chargeOnly(ctx))
    expect(await stored(app, user, 'tokens')).toMatchObject({ balance: 300, held: 0, deltas: [500, -200] })
  })
})

test('a turn that ends while a call of it is being covered leaves no hold', async () => {
  const { user, ctx, agentId } = await payer(500)
  const late: ReturnType<Allowance['cover']>[] = []
  const use = async (allowance: Allowance): Promise<{ usage: Allowance['used'] }> => {
    allowance.count(call)
    late.push(allowance.cover(call, 1))
    setTimeout(() => late.push(allowance.cover(call, 1)), 50)
    throw new Error('left')
  }
  const order = { ...turnOf(user, model, 40, 60), agentId }
  await expect(paidUse(ctx, order, use, chargeOnly(ctx))).rejects.toThrow('left')
  await Bun.sleep(100)
  expect(await Promise.all(late)).toEqual([{ completionTokens: 60 }, { refused: expect.any(Error) }])
  expect(await stored(app, user, 'tokens')).toMatchObject({ balance: 500, held: 0, holds: [], deltas: [500] })
})

test('200 turns of up to three calls at once overspend neither balance nor budget, and every token can be spent', async () => {
  const { user, caller, agent, ctx, agentId } = await payer(12_000)
  const path = `/agents/${agent}/budget`
  const limits = { window: 'day', usd: 100, tokens: 11_000 }
  await caller.send('PUT', path, limits)
  const run = async (number: number): Promise<string | number> => {
    try {
      return (await turn(ctx, user, agentId, 1 + (number % 3))).made
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return error.code === 'too_many_requests' ? run(number) : error.code
    }
  }
  const turns = Array.from({ length: 200 }, (_, number) => run(number))
  // Budgets are set while turns hold something of them.
  const set = await Promise.all(Array.from({ length: 5 }, () => caller.send('PUT', path, limits)))
  const ends = await Promise.all(turns)
  expect(set.map(({ status }) => status)).toEqual(Array(5).fill(200))
  const { balance, held, holds, entries } = await stored(app, user, 'tokens')
  const spent = entries.slice(1).reduce((sum, { delta }) => sum - delta, 0)
  expect([balance, held, holds]).toEqual([12_000 - spent, 0, []])
  expect(spent).toBeLessThanOrEqual(11_000)
  expect(spent).toBeGreaterThan(11_000 - 200)
  expect(await storedBudget(app.database, { agentId })).toMatchObject({ held: 0, limit: expect.any(Number) })
  expect((await caller.get(path)).body.data.used_tokens).toBe(spent)
  const made = ends.filter((end) => typeof end === 'number').reduce((sum, end) => sum + Number(end), 0)
  expect(made).toBeGreaterThan(100)
})
