import { and, eq, getTableColumns, gt, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Database, Executor, Transaction } from '../../db/client.ts'
import { preparedSelect } from '../../db/prepared/statement.ts'
import { inMs } from '../../db/schedule.ts'
import { localModelId } from '../../language-model/local/sources.ts'
import { budgetHolds, budgets } from '../budgets/table.ts'
import { spentNow, startOf } from './budget-window.ts'
import { holdMs } from './hold-time.ts'
import { type BudgetSubjects, ofSubjects } from './payer.ts'
import { completionWithin, costOf, free, type Price, requirePrice, type Usage } from './price.ts'
import type { Currency } from './table.ts'
import { usd } from './wallet.ts'

type Budget = typeof budgets.$inferSelect

const said = ({ unit, limit }: Budget) => (unit === 'usd' ? `${usd(limit)} USD` : `${limit} tokens`)

/** The 402 that names the limit. `isSelf`: the caller is who pays (contract: billing 9). */
export const exceeded = (budget: Budget, isSelf: boolean): ApiError =>
  new ApiError('budget_exceeded', {
    detail: `${said(budget)} per ${budget.window} for this ${budget.agentId === null ? 'token' : 'agent'}`,
    extra: { payer_is_self: isSelf },
  })

const budgetColumns = { ...getTableColumns(budgets), spentNow }

const findBudgets = preparedSelect<Budget & { spentNow: number }>(budgetColumns, (executor) =>
  executor.select(budgetColumns).from(budgets).where(ofSubjects).orderBy(budgets.id),
)

/** The budgets that a turn falls under, in the order in which they are locked. */
export async function budgetsOf(executor: Executor, { agentId, tokenId }: BudgetSubjects) {
  if (agentId === undefined && tokenId === undefined) return []
  const rows = await findBudgets(executor, { agentId: agentId ?? null, tokenId: tokenId ?? null })
  return rows.map(({ spentNow, ...budget }) => ({ budget, spent: spentNow }))
}

/** A budget of tokens counts them whatever they cost. */
const perToken: Price = { promptUsdPerMillion: 1, completionUsdPerMillion: 1 }

/** What a model's tokens count in a budget of each unit. */
export type BudgetPrices = Record<Currency, Price>

/**
 * What a model's tokens count in these budgets: those of the built-in model nothing, as no server of a model counts
 * them. Throws 422 on `model` when one is in money and the model has no price.
 */
export async function budgetPricesOf(
  db: Database,
  found: Awaited<ReturnType<typeof budgetsOf>>,
  model: string,
): Promise<BudgetPrices> {
  const inMoney = found.some(({ budget }) => budget.unit === 'usd')
  return { usd: inMoney ? await requirePrice(db, model) : free, tokens: model === localModelId ? free : perToken }
}

/** The output cap that all budgets can pay, holds of others not taken off. Throws 402 where there is none. */
export function capWithin(
  found: Awaited<ReturnType<typeof budgetsOf>>,
  order: { estimate: Usage; prices: BudgetPrices; leastCompletion: number; isSelf: boolean },
): number {
  const { estimate, prices, leastCompletion, isSelf } = order
  let cap = estimate.completionTokens
  for (const { budget, spent } of found) {
    const left = budget.limit - spent
    const within = completionWithin(left, budget.unit, prices[budget.unit], estimate.promptTokens)
    if (left <= 0 || within < Math.min(cap, leastCompletion)) throw exceeded(budget, isSelf)
    cap = Math.min(cap, within)
  }
  return cap
}

class BudgetHeldError extends Error {}

/** Sets aside in every budget what a turn may use; false when other turns hold too much of one. */
export async function holdBudgets(
  db: Database,
  found: Awaited<ReturnType<typeof budgetsOf>>,
  turn: { turnId: string; estimate: Usage; prices: BudgetPrices },
): Promise<boolean> {
  const { turnId, estimate, prices } = turn
  if (found.length === 0) return true
  try {
    await db.transaction(async (tx) => {
      for (const { budget } of found) {
        const amount = costOf(budget.unit, prices[budget.unit], estimate)
        const [held] = await tx
          .update(budgets)
          .set({ held: sql`${budgets.held} + ${amount}` })
          .where(and(eq(budgets.id, budget.id), sql`${spentNow} + ${budgets.held} + ${amount} <= ${budgets.limit}`))
          .returning({ id: budgets.id })
        if (!held) throw new BudgetHeldError()
        const { id: budgetId, workspaceId } = budget
        await tx.insert(budgetHolds).values({ turnId, budgetId, workspaceId, amount, expiresAt: inMs(holdMs) })
      }
    })
    return true
  } catch (error) {
    if (error instanceof BudgetHeldError) return false
    throw error
  }
}

const lockBudgets = preparedSelect<Budget & { spentNow: number }>(budgetColumns, (executor) =>
  executor.select(budgetColumns).from(budgets).where(ofSubjects).orderBy(budgets.id).for('update'),
)

/**
 * Locks the budgets of holds before the holds, as a delete of an agent does: in one order, nobody waits in a circle.
 */
const lockBudgetsOf = (tx: Transaction, which: SQL | undefined) =>
  tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(inArray(budgets.id, tx.select({ id: budgetHolds.budgetId }).from(budgetHolds).where(which)))
    .orderBy(budgets.id)
    .for('update')

/** A budget that a running turn holds something of, and what it may hold at most. */
interface HeldBudget {
  budget: Budget
  own: number
  most: number
}

/** The budgets that a turn holds something of, which nobody else moves until the transaction ends. */
export async function lockHeldBudgets(
  tx: Transaction,
  turnId: string,
  subjects: BudgetSubjects,
): Promise<HeldBudget[]> {
  const { agentId = null, tokenId = null } = subjects
  const locked = await lockBudgets(tx, { agentId, tokenId })
  const held = await tx.select().from(budgetHolds).where(eq(budgetHolds.turnId, turnId)).for('update')
  return locked.flatMap(({ spentNow: spent, ...budget }) => {
    const own = held.find(({ budgetId }) => budgetId === budget.id)?.amount
    return own === undefined ? [] : { budget, own, most: own + Math.max(0, budget.limit - spent - budget.held) }
  })
}

/** Lets a turn hold what `usage` costs in budgets that are locked and have room for it. */
export async function raiseBudgets(
  tx: Transaction,
  turnId: string,
  locked: readonly HeldBudget[],
  prices: BudgetPrices,
  usage: Usage,
): Promise<void> {
  for (const { budget, own } of locked) {
    const more = costOf(budget.unit, prices[budget.unit], usage) - own
    if (more <= 0) continue
    await tx
      .update(budgets)
      .set({ held: sql`${budgets.held} + ${more}` })
      .where(eq(budgets.id, budget.id))
    await tx
      .update(budgetHolds)
      .set({ amount: own + more })
      .where(and(eq(budgetHolds.turnId, turnId), eq(budgetHolds.budgetId, budget.id)))
  }
}

/**
 * Counts what a turn used in the budgets that it holds, and ends these holds, in the caller's transaction: at most what
 * it holds there and what nobody does, as of a balance.
 */
export async function settleBudgets(
  tx: Transaction,
  { turnId, prices, subjects }: { turnId: string; prices: BudgetPrices; subjects: BudgetSubjects },
  usage: Usage,
): Promise<void> {
  const { agentId = null, tokenId = null } = subjects
  const locked = await lockBudgets(tx, { agentId, tokenId })
  const freed = await tx.delete(budgetHolds).where(eq(budgetHolds.turnId, turnId)).returning()
  const amounts = new Map(freed.map(({ budgetId, amount }) => [budgetId, amount]))
  for (const budget of locked) {
    const amount = amounts.get(budget.id)
    if (amount === undefined) continue
    await tx
      .update(budgets)
      .set({
        held: sql`${budgets.held} - ${amount}`,
        spent: sql`${spentNow} + least(${costOf(budget.unit, prices[budget.unit], usage)}::float8,
          ${amount}::float8 + greatest(0, ${budgets.limit} - ${spentNow} - ${budgets.held}))`,
        windowStart: startOf(budgets.window),
      })
      .where(eq(budgets.id, budget.id))
  }
}

/** Gives back what holds set aside. */
async function giveBack(tx: Transaction, freed: readonly (typeof budgetHolds.$inferSelect)[]): Promise<void> {
  for (const { budgetId, amount } of freed) {
    await tx
      .update(budgets)
      .set({ held: sql`${budgets.held} - ${amount}` })
      .where(eq(budgets.id, budgetId))
  }
}

/** Ends a failed turn's holds, and counts nothing. */
export const releaseBudgets = (db: Database, turnId: string): Promise<void> =>
  db.transaction(async (tx) => {
    const ofTurn = eq(budgetHolds.turnId, turnId)
    await lockBudgetsOf(tx, ofTurn)
    await giveBack(tx, await tx.delete(budgetHolds).where(ofTurn).returning())
  })

/** A hold that sets something aside although its turn does not keep it any more. */
const expired = and(lt(budgetHolds.expiresAt, sql`now()`), gt(budgetHolds.amount, 0))
/** No turn runs for longer. */
const gone = lt(budgetHolds.expiresAt, sql`now() - interval '10 minutes'`)

/** When the next hold that is not kept expires. */
export const nextExpiredBudget = sql<Date | null>`(select min(${budgetHolds.expiresAt}) from ${budgetHolds}
  where ${budgetHolds.amount} > 0)`

/**
 * Gives back what processes held when they died. The rows stay for a while, with nothing, so that a turn which was only
 * held up and settles after all is counted.
 */
export async function releaseExpiredBudgets(db: Database, ids?: readonly number[]): Promise<void> {
  await db.transaction(async (tx) => {
    const which = and(expired, ids && inArray(budgetHolds.budgetId, [...ids]))
    await lockBudgetsOf(tx, which)
    const freed = await tx.select().from(budgetHolds).where(which).for('update')
    if (freed.length > 0) {
      const turns = inArray(
        budgetHolds.turnId,
        freed.map(({ turnId }) => turnId),
      )
      await tx.update(budgetHolds).set({ amount: 0 }).where(and(which, turns))
      await giveBack(tx, freed)
    }
    await tx.delete(budgetHolds).where(gone)
  })
}
