import { eq, sql } from 'drizzle-orm'
import { ApiError } from '../../api/errors/api-error.ts'
import type { Executor, Transaction } from '../../db/client.ts'
import { ledger, wallets } from './table.ts'
import type { WalletKey } from './wallet.ts'

/** A payment to a wallet, in micro-dollars or tokens, and who entered it. */
export interface Payment extends WalletKey {
  paymentId: string
  amount: number
  userId: number
  tokenId: number
}

/** The ledger's entry of a payment, if it was credited before. */
export async function findPayment(executor: Executor, paymentId: string) {
  const [entry] = await executor.select().from(ledger).where(eq(ledger.paymentId, paymentId))
  return entry
}

/**
 * Adds a payment to the balance, once however often and wherever it is sent: this is the only way into a wallet.
 * Returns whether it was added now. Throws 409 when the payment was another amount or another wallet's.
 */
export async function creditPayment(tx: Transaction, payment: Payment): Promise<boolean> {
  const { amount, ...fields } = payment
  const { workspaceId, currency, paymentId } = fields
  const [entry] = await tx
    .insert(ledger)
    .values({ ...fields, kind: 'credit', delta: amount })
    .onConflictDoNothing({ target: ledger.paymentId })
    .returning({ id: ledger.id })
  if (entry) {
    await tx
      .insert(wallets)
      .values({ workspaceId, currency, balance: amount })
      .onConflictDoUpdate({
        target: [wallets.workspaceId, wallets.currency],
        set: { balance: sql`${wallets.balance} + excluded.balance`, updatedAt: sql`now()` },
      })
    return true
  }
  const before = await findPayment(tx, paymentId)
  const same = before?.workspaceId === workspaceId && before.currency === currency && before.delta === amount
  if (!same) throw new ApiError('payment_conflict')
  return false
}
