import { eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../db/client.ts'
import { inMs } from '../../db/schedule.ts'
import { type Allowance, sumOf, type Usage } from '../../language-model/allowance.ts'
import { exceeded, lockHeldBudgets, raiseBudgets } from './budget-holds.ts'
import { holdMs } from './hold-time.ts'
import { outOfFunds } from './payer.ts'
import { completionWithin, costOf } from './price.ts'
import type { Hold } from './spend.ts'
import { holds, wallets } from './table.ts'
import { isWallet, lockFree } from './wallet.ts'

type Reserved = NonNullable<Hold['reserved']>

/** What a turn holds of its wallet and what is free besides, which nobody else moves until the transaction ends. */
async function lockHeld(tx: Transaction, turnId: string, reserved: Reserved) {
  const [hold] = await tx.select({ amount: holds.amount }).from(holds).where(eq(holds.turnId, turnId)).for('update')
  const own = hold?.amount ?? 0
  return { own, most: own + (await lockFree(tx, reserved)) }
}

/** Lets a turn hold `more`; one whose hold was lost meanwhile gets another. */
async function raiseWallet(tx: Transaction, turnId: string, reserved: Reserved, more: number): Promise<void> {
  const { workspaceId, currency } = reserved
  await tx
    .update(wallets)
    .set({ held: sql`${wallets.held} + ${more}` })
    .where(isWallet(reserved))
  await tx
    .insert(holds)
    .values({ turnId, workspaceId, currency, amount: more, expiresAt: inMs(holdMs) })
    .onConflictDoUpdate({ target: holds.turnId, set: { amount: sql`${holds.amount} + ${more}` } })
}

/**
 * Lets a running turn hold what `wanted` costs: all of its prompt, and as much of its completion as the balance and all
 * budgets have free now, all or nothing. What other turns hold is not waited for, as they may wait for what this one
 * holds. Returns the completion, or why it would be less than `least`; then nothing has changed.
 */
export const raiseHold = (
  db: Database,
  { turnId, reserved, budgeted }: Hold,
  { promptTokens, completionTokens: wanted }: Usage,
  least: number,
): ReturnType<Allowance['cover']> =>
  db.transaction(async (tx) => {
    let completionTokens = wanted
    const inBudgets = budgeted ? await lockHeldBudgets(tx, turnId, budgeted.subjects) : []
    for (const { budget, most } of inBudgets) {
      const within = budgeted ? completionWithin(most, budget.unit, budgeted.prices[budget.unit], promptTokens) : wanted
      if (within < least) return { refused: exceeded(budget, budgeted?.isSelf ?? false) }
      completionTokens = Math.min(completionTokens, within)
    }
    const inWallet = reserved && (await lockHeld(tx, turnId, reserved))
    if (reserved && inWallet) {
      const within = completionWithin(inWallet.most, reserved.currency, reserved.price, promptTokens)
      if (within < least) return { refused: outOfFunds(reserved.isSelf, reserved.currency) }
      completionTokens = Math.min(completionTokens, within)
    }
    const usage = { promptTokens, completionTokens }
    if (budgeted) await raiseBudgets(tx, turnId, inBudgets, budgeted.prices, usage)
    if (reserved && inWallet) {
      const more = costOf(reserved.currency, reserved.price, usage) - inWallet.own
      if (more > 0) await raiseWallet(tx, turnId, reserved, more)
    }
    return { completionTokens }
  })

/** An allowance that ends with its turn. */
interface EndingAllowance extends Allowance {
  /** Covers nothing more. What is being raised is waited for, so that it is released with the rest. */
  end(): Promise<void>
}

/** The allowance of a turn within its hold, which is raised as far as its calls need it. */
export function allowanceOf(db: Database, hold: Hold, estimate: Usage): EndingAllowance {
  const { maxCompletionTokens, reserved, budgeted } = hold
  let isOver = false
  let raising: Promise<unknown> = Promise.resolve()
  let used: Usage = { promptTokens: 0, completionTokens: 0 }
  let held: Usage = { promptTokens: estimate.promptTokens, completionTokens: maxCompletionTokens }
  return {
    maxCompletionTokens,
    get used() {
      return used
    },
    async cover(call, leastCompletion) {
      if (isOver) return { refused: new Error('the turn is over') }
      const wanted = sumOf(used, call)
      const isHeld = wanted.promptTokens <= held.promptTokens && wanted.completionTokens <= held.completionTokens
      if (isHeld || !(reserved || budgeted)) return { completionTokens: call.completionTokens }
      const raise = raiseHold(db, hold, wanted, used.completionTokens + leastCompletion)
      raising = Promise.allSettled([raising, raise])
      const raised = await raise
      if ('refused' in raised) return raised
      held = { promptTokens: wanted.promptTokens, completionTokens: raised.completionTokens }
      return { completionTokens: raised.completionTokens - used.completionTokens }
    },
    count(usage) {
      used = sumOf(used, usage)
    },
    async end() {
      isOver = true
      await raising
    },
  }
}
