import { and, eq, gt, sql } from 'drizzle-orm'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Transaction } from '../../db/client.ts'
import { enterQueue } from '../../db/lease/queue.ts'
import { inMs } from '../../db/schedule.ts'
import {
  type BudgetPrices,
  budgetPricesOf,
  budgetsOf,
  capWithin,
  holdBudgets,
  releaseBudgets,
  releaseExpiredBudgets,
  settleBudgets,
} from './budget-holds.ts'
import { freeExpired, freeHold } from './expiry.ts'
import { holdMs } from './hold-time.ts'
import { chargedBefore, payable } from './payable.ts'
import { type BudgetSubjects, outOfFunds, type Payer, payerOf, type Spender } from './payer.ts'
import { completionWithin, costOf, type Price, requirePrice, type Usage } from './price.ts'
import { holds, ledger, type Purpose, wallets } from './table.ts'
import { type Wait, waiting } from './waiting.ts'
import { isWallet, moveBalance, type Wallet, type WalletKey, walletBalance, walletResponse } from './wallet.ts'

export { outOfFundsErrors, outOfFundsOf, requireFunds, type Spender, spendingErrors } from './payer.ts'
export type { Usage } from './price.ts'

/** A turn that is about to run. */
export interface TurnEstimate {
  /** The workspace whose balance pays. */
  payerWorkspaceId: number
  model: string
  /** The most that the turn can use; `completionTokens` is the output cap. */
  estimate: Usage
  /** New for every turn. */
  turnId: string
  /** The agent whose budget it falls under (internal id). */
  agentId?: number
  /** What it is for; a turn of an agent unless given. */
  purpose?: Purpose
  /** Who pays, where that was read just now with the budgets of the agent and the caller's token. */
  payer?: Payer
}

/** Money set aside for a turn: end it with `settle` or `release`. */
export interface Hold {
  readonly turnId: string
  /** The output cap that the turn must respect: the estimate's, or what the balance can pay. */
  readonly maxCompletionTokens: number
  /** Undefined: the payer is not billed. */
  readonly reserved: Reserved | undefined
  /** What is counted in budgets; undefined: there is none. */
  readonly budgeted: Budgeted | undefined
}

/** The budgets that a turn falls under, and what its tokens cost there. */
interface Budgeted {
  readonly subjects: BudgetSubjects
  readonly prices: BudgetPrices
  /** The caller is who pays. */
  readonly isSelf: boolean
}

/** What is charged, to whom, at which price and for whom, whatever changes while the turn runs. */
interface Reserved extends WalletKey {
  readonly model: string
  readonly price: Price
  readonly userId: number | null
  readonly tokenId: number | null
  readonly agentId: number | null
  readonly purpose: Purpose
  /** The caller is who pays. */
  readonly isSelf: boolean
}

interface Order extends TurnEstimate {
  readonly reserved: Reserved
}

/** How often a turn that waits looks whether what it waits for was left by a dead process. */
const triesPerLook = 10
/** A cap below this makes no reply worth its price. */
const leastCompletion = 64

/**
 * Sets aside what a turn may cost, before it runs, so that turns at once cannot spend the same money. A balance that
 * is too small for the estimate lowers the output cap.
 * Throws 402 when the balance cannot pay, 422 on `model` when it has no price, and 429 when the balance is still held
 * by other turns after three seconds; the same of the budgets of the agent and the token.
 */
export async function reserve(ctx: Spender, turn: TurnEstimate): Promise<Hold> {
  const subjects = { agentId: turn.agentId, tokenId: ctx.account?.tokenId ?? undefined }
  const payer = turn.payer ?? (await payerOf(ctx, turn.payerWorkspaceId, subjects))
  const within = payer.isBudgeted
    ? await waiting(ctx, (wait) => reserveBudgets(ctx, turn, { subjects, isSelf: payer.isSelf }, wait))
    : { estimate: turn.estimate, budgeted: undefined }
  try {
    return await reserveBalance(ctx, { ...turn, estimate: within.estimate }, payer, within.budgeted)
  } catch (error) {
    if (within.budgeted) await releaseBudgets(ctx.db, turn.turnId)
    throw error
  }
}

/**
 * Refuses with 402 when a budget of the caller's token leaves less than the shortest reply of the model takes; 422 on
 * `model` when the budget is in money and it has no price.
 */
export async function requireBudget(ctx: Spender, payerWorkspaceId: number, model: string): Promise<void> {
  const found = await budgetsOf(ctx.db, { agentId: undefined, tokenId: ctx.account?.tokenId })
  if (found.length === 0) return
  const prices = await budgetPricesOf(ctx.db, found, model)
  const { isSelf } = await payerOf(ctx, payerWorkspaceId)
  const estimate = { promptTokens: 0, completionTokens: leastCompletion }
  capWithin(found, { estimate, prices, leastCompletion, isSelf })
}

/** Sets aside what a turn may take of the budgets that it falls under, and lowers its output cap to what they leave. */
async function reserveBudgets(
  ctx: Spender,
  turn: TurnEstimate,
  { subjects, isSelf }: Omit<Budgeted, 'prices'>,
  { abandon, pause }: Wait,
) {
  const { model, turnId } = turn
  for (let tries = 0; ; tries++) {
    const found = await budgetsOf(ctx.db, subjects)
    if (found.length === 0) return { estimate: turn.estimate, budgeted: undefined }
    const prices = await budgetPricesOf(ctx.db, found, model)
    const completionTokens = capWithin(found, { estimate: turn.estimate, prices, leastCompletion, isSelf })
    const estimate = { ...turn.estimate, completionTokens }
    if (await holdBudgets(ctx.db, found, { turnId, estimate, prices })) {
      return { estimate, budgeted: { subjects, prices, isSelf } }
    }
    if (abandon.aborted) throw new ApiError('too_many_requests', { headers: { 'retry-after': '1' } })
    if (tries % triesPerLook === 0) {
      await releaseExpiredBudgets(
        ctx.db,
        found.map(({ budget }) => budget.id),
      )
    }
    await pause()
  }
}

async function reserveBalance(
  ctx: Spender,
  turn: TurnEstimate,
  { workspaceId, currency, isSelf }: Payer,
  budgeted: Budgeted | undefined,
): Promise<Hold> {
  const { model, estimate, turnId, agentId = null, purpose = 'turn' } = turn
  if (!currency) return { turnId, maxCompletionTokens: estimate.completionTokens, reserved: undefined, budgeted }
  const price = await requirePrice(ctx.db, model)
  const { userId, tokenId } = ctx.account ?? { userId: null, tokenId: null }
  const order: Order = {
    ...turn,
    reserved: { workspaceId, currency, model, price, userId, tokenId, agentId, purpose, isSelf },
  }
  const hold = (await tryHold(ctx, order)) ?? (await waitForHold(ctx, order))
  return { ...hold, budgeted }
}

/** The output cap that the balance can pay, holds of others not taken off. Throws 402 when there is none. */
async function affordableCap(ctx: Spender, { reserved, estimate }: Order): Promise<number> {
  const { currency, price, isSelf } = reserved
  const balance = await walletBalance(ctx.db, reserved)
  const wanted = estimate.completionTokens
  const within = completionWithin(balance, currency, price, estimate.promptTokens)
  if (balance <= 0 || within < Math.min(wanted, leastCompletion)) throw outOfFunds(isSelf, currency)
  return Math.min(wanted, within)
}

/** One try: undefined when other turns hold the money. Throws 402. */
async function tryHold(ctx: Spender, order: Order): Promise<Hold | undefined> {
  const { turnId, reserved, estimate } = order
  const { workspaceId, currency, price } = reserved
  const maxCompletionTokens = await affordableCap(ctx, order)
  const amount = costOf(currency, price, { ...estimate, completionTokens: maxCompletionTokens })
  const enough = amount > 0 ? sql`${wallets.balance} - ${wallets.held} >= ${amount}` : undefined
  const held = await ctx.db.transaction(async (tx) => {
    const [taken] = await tx
      .update(wallets)
      .set({ held: sql`${wallets.held} + ${amount}` })
      .where(and(isWallet(reserved), gt(wallets.balance, 0), enough))
      .returning({ held: wallets.held })
    if (!taken) return false
    await tx.insert(holds).values({ turnId, workspaceId, currency, amount, expiresAt: inMs(holdMs) })
    return true
  })
  return held ? { turnId, maxCompletionTokens, reserved, budgeted: undefined } : undefined
}

/** Tries again while the money is held; turns of this process take their turn in order. Throws 402, 429. */
const waitForHold = (ctx: Spender, order: Order): Promise<Hold> =>
  waiting(ctx, async ({ abandon, pause }) => {
    const { workspaceId, currency } = order.reserved
    const busy = new ApiError('too_many_requests', { headers: { 'retry-after': '1' } })
    const leave = await enterQueue(ctx.db, `wallet:${workspaceId}:${currency}`, abandon).catch(() => {
      throw busy
    })
    try {
      for (let tries = 0; !abandon.aborted; tries++) {
        if (tries % triesPerLook === 0) await freeExpired(ctx.db, order.reserved)
        const hold = await tryHold(ctx, order)
        if (hold) return hold
        await pause()
      }
      throw busy
    } finally {
      leave()
    }
  })

/**
 * Charges what a turn really used and ends its hold, in the caller's transaction that stores the turn; call it last
 * there, because the wallet is locked until that ends. A turn that used more than was set aside for it takes what is
 * free besides, and no more: no balance falls below zero (record 0050). A turn is charged once however often this is
 * called, also when its hold has expired meanwhile. Null when the payer is not billed. Throws GenerationFailedError
 * when the hold was lost, because this process was held up, and others hold the money now.
 */
export async function settle(tx: Transaction, hold: Hold, usage: Usage): Promise<Wallet> {
  const { turnId, reserved, budgeted } = hold
  if (budgeted) await settleBudgets(tx, { turnId, ...budgeted }, usage)
  if (!reserved) return null
  const { workspaceId, currency, model, price, userId, tokenId, agentId, purpose } = reserved
  const [freed] = await tx.delete(holds).where(eq(holds.turnId, turnId)).returning({ amount: holds.amount })
  const before = freed ? undefined : await chargedBefore(tx, turnId)
  if (before !== undefined) return walletResponse(currency, await walletBalance(tx, reserved), before)
  const cost = await payable(tx, reserved, costOf(currency, price, usage), freed?.amount)
  const [entry] = await tx
    .insert(ledger)
    .values({
      ...{ workspaceId, currency, kind: 'charge', delta: -cost, turnId, model },
      ...{ ...usage, ...price, userId, tokenId, agentId, purpose },
    })
    .onConflictDoNothing({ target: ledger.turnId })
    .returning({ id: ledger.id })
  const balance = await moveBalance(tx, reserved, { delta: entry ? -cost : 0, freed: freed?.amount ?? 0 })
  return walletResponse(currency, balance, entry ? cost : ((await chargedBefore(tx, turnId)) ?? 0))
}

/** Ends the hold of a turn that failed: nothing is charged. Harmless when it is settled or released already. */
export async function release(ctx: Spender, hold: Hold): Promise<void> {
  if (hold.budgeted) await releaseBudgets(ctx.db, hold.turnId)
  if (hold.reserved) await freeHold(ctx.db, hold.turnId, hold.reserved)
}
