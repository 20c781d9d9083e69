import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import { localModelId } from '../../language-model/local/sources.ts'
import { type BudgetWindow, budgets } from '../budgets/table.ts'
import { type Currency, ledger } from './table.ts'

/** The time is the database's, so that instances need no common clock. */
export const startOf = (window: BudgetWindow | typeof budgets.window): SQL<Date> =>
  sql<Date>`date_trunc(${window}, now() at time zone 'UTC') at time zone 'UTC'`

const isCurrent = sql`${budgets.windowStart} = ${startOf(budgets.window)}`

/** What a budget has used in the window that it is in now. */
export const spentNow = sql<number>`(case when ${isCurrent} then ${budgets.spent} else 0 end)::float8`

/** What a budget has used in its window, and when the window began. */
export const budgetState = { spent: spentNow, windowStart: startOf(budgets.window) }

/** Whose budget it is. */
export type BudgetOf = { agentId: number } | { tokenId: number }

/** What a charge counts in a budget of each unit. */
const counted: Record<Currency, SQL> = {
  tokens: sql`case when ${ledger.model} = ${localModelId} then 0 else ${ledger.promptTokens} + ${ledger.completionTokens} end`,
  usd: sql`ceil(${ledger.promptTokens} * round(${ledger.promptUsdPerMillion}::numeric, 6)
    + ${ledger.completionTokens} * round(${ledger.completionUsdPerMillion}::numeric, 6))`,
}

/**
 * The columns of a budget that goes on in another window. It has used what was charged since that began, and what it
 * had counted itself where all of that is within: nothing is charged where no balance pays.
 */
export function inWindow(of: BudgetOf, unit: Currency, window: BudgetWindow) {
  const start = startOf(window)
  const mine = 'agentId' in of ? eq(ledger.agentId, of.agentId) : eq(ledger.tokenId, of.tokenId)
  // Written out, as in the indexes of charges: no plan finds them by a parameter.
  const charges = and(mine, sql`${ledger.kind} = 'charge'`, gte(ledger.createdAt, start))
  const charged = sql`(select coalesce(sum(${counted[unit]}), 0) from ${ledger} where ${charges})`
  const own = sql`case when ${isCurrent} and ${budgets.windowStart} >= ${start} then ${budgets.spent} else 0 end`
  return { window, spent: sql<number>`greatest(${charged}, ${own})::bigint`, windowStart: start }
}
