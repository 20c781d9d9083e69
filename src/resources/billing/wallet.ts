import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../db/client.ts'
import { type Currency, wallets } from './table.ts'

/**
 * What a send-message response says of the payer's wallet (contract: billing 5): null when billing is off; the
 * fields of the currency that the wallet does not have are null.
 */
export type Wallet = {
  balance_tokens: number | null
  balance_usd: number | null
  charged_tokens: number | null
  charged_usd: number | null
} | null

/** Which wallet. */
export interface WalletKey {
  workspaceId: number
  currency: Currency
}

/** Micro-dollars as dollars: at most 6 decimals. */
export const usd = (microUsd: number): number => microUsd / 1_000_000

/** The condition for the row of one wallet. */
export const isWallet = ({ workspaceId, currency }: WalletKey): SQL | undefined =>
  and(eq(wallets.workspaceId, workspaceId), eq(wallets.currency, currency))

/** A wallet's balance, holds not taken off: 0 when nothing was ever credited. */
export async function walletBalance(executor: Executor, key: WalletKey): Promise<number> {
  const [row] = await executor.select({ balance: wallets.balance }).from(wallets).where(isWallet(key))
  return row?.balance ?? 0
}

/** What nobody holds of a wallet, which nobody else moves until the transaction ends: never less than 0. */
export async function lockFree(tx: Transaction, key: WalletKey): Promise<number> {
  const free = sql<number>`(${wallets.balance} - ${wallets.held})::float8`
  const [wallet] = await tx.select({ free }).from(wallets).where(isWallet(key)).for('update')
  return Math.max(0, wallet?.free ?? 0)
}

/** Adds `delta` to the balance and takes `freed` off what is held. Returns the new balance. */
export async function moveBalance(
  executor: Executor,
  key: WalletKey,
  { delta = 0, freed = 0 }: { delta?: number; freed?: number },
): Promise<number> {
  const [row] = await executor
    .update(wallets)
    .set({
      balance: sql`${wallets.balance} + ${delta}`,
      held: sql`${wallets.held} - ${freed}`,
      updatedAt: sql`now()`,
    })
    .where(isWallet(key))
    .returning({ balance: wallets.balance })
  return row?.balance ?? 0
}

/** The response's wallet of a balance and a charge. */
export const walletResponse = (currency: Currency, balance: number, charged: number): Wallet =>
  currency === 'usd'
    ? { balance_tokens: null, balance_usd: usd(balance), charged_tokens: null, charged_usd: usd(charged) }
    : { balance_tokens: balance, balance_usd: null, charged_tokens: charged, charged_usd: null }
