import type { Database } from '../../src/db/client.ts'
import type { Allowance } from '../../src/language-model/allowance.ts'
import { GenerationFailedError } from '../../src/language-model/failure.ts'
import { creditPayment } from '../../src/resources/billing/credit.ts'
import { chargeOnly, paidUse } from '../../src/resources/billing/paid-use.ts'
import { modelPrices } from '../../src/resources/catalogue/table.ts'
import { request, type Simulated } from '../simulated.ts'

/**
 * What every turn is taken with, and its price: one micro-dollar for a token of the prompt, two for one of the reply.
 */
export const model = 'simulated-model'
export const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 2 }

/** So little that turns at once wait for each other's money. */
export const firstPayment = { paymentId: 'first', amount: 2_000 }
const payments = [300, 900, 2_500] as const
const currency = 'usd'

/** Gives a workspace the price and its first money. */
export async function fund(db: Database, workspaceId: number, userId: number): Promise<void> {
  await db.insert(modelPrices).values({ model, ...price })
  const payment = { ...firstPayment, workspaceId, currency, userId, tokenId: 1 } as const
  await db.transaction((tx) => creditPayment(tx, payment))
}

/** A turn of a language model, some of which fail, and some of which use more than anybody expected. */
export async function takeTurn(simulated: Simulated): Promise<void> {
  const { book, world } = simulated
  const ctx = request(simulated)
  if (!ctx?.idempotencyId) return
  const random = world.random()
  const turnId = ctx.idempotencyId
  const estimate = { promptTokens: random.between(10, 400), completionTokens: random.between(64, 600) }
  const [ms, fails, beyond] = [random.between(50, 15_000), random.chance(0.15), random.chance(0.1) ? 50 : 0]
  const use = async ({ maxCompletionTokens }: Allowance) => {
    await ctx.timers.sleep(ms)
    if (fails) throw new GenerationFailedError('a model that fails')
    const completionTokens = Math.ceil(maxCompletionTokens * random.next())
    return { usage: { promptTokens: estimate.promptTokens + beyond, completionTokens } }
  }
  const turn = { payerWorkspaceId: ctx.account.workspaceId, model, estimate, turnId }
  const write = { subject: 'turn', action: 'create', target: turnId, token: turnId, beyond } as const
  await book.attempt(write, () => paidUse(ctx, turn, use, chargeOnly(ctx)))
}

/** A payment, or one of which nobody knows what became, once more. */
export async function pay(simulated: Simulated): Promise<void> {
  const { book, world, account } = simulated
  const ctx = request(simulated)
  if (!ctx?.idempotencyId) return
  const earlier = book.writes.filter(({ subject }) => subject === 'payment').slice(-3)
  const again = world.random().chance(0.4) ? world.random().pick(earlier) : undefined
  const target = again?.target ?? ctx.idempotencyId
  const amount = again?.amount ?? world.random().pick(payments) ?? payments[0]
  const { workspaceId, userId } = account
  const payment = { paymentId: target, amount, workspaceId, currency, userId, tokenId: 1 } as const
  const write = { subject: 'payment', action: 'create', target, token: target, amount } as const
  await book.attempt(write, () => ctx.db.transaction((tx) => creditPayment(tx, payment)))
}
