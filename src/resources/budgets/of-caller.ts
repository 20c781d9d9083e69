import { eq } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { budgets } from './table.ts'

/** Whether the token that calls has a budget: it could leave it behind with what has none. */
export async function isBudgeted({ db, account }: AccountContext): Promise<boolean> {
  const mine = eq(budgets.tokenId, account.tokenId)
  const [budget] = await db.select({ id: budgets.id }).from(budgets).where(mine).limit(1)
  return budget !== undefined
}
