import { eq } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import { GenerationFailedError } from '../../language-model/failure.ts'
import { ledger } from './table.ts'
import { lockFree, type WalletKey } from './wallet.ts'

/**
 * What of its cost a turn can be charged: what it holds and what nobody does. Throws GenerationFailedError when it has
 * lost its hold and other turns hold the money.
 */
export async function payable(
  tx: Transaction,
  wallet: WalletKey,
  cost: number,
  own: number | undefined,
): Promise<number> {
  if (own !== undefined && cost <= own) return cost
  const most = (own ?? 0) + (await lockFree(tx, wallet))
  if (own === undefined && most < cost) throw new GenerationFailedError('lost its money to other turns')
  return Math.min(cost, most)
}

/** What a turn was charged; undefined: nothing yet. */
export async function chargedBefore(tx: Transaction, turnId: string): Promise<number | undefined> {
  const [entry] = await tx.select({ delta: ledger.delta }).from(ledger).where(eq(ledger.turnId, turnId))
  return entry && 0 - entry.delta
}
