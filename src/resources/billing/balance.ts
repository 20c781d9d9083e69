import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Executor } from '../../db/client.ts'
import type { BillingMode } from '../workspaces/table.ts'
import type { Balance } from './schema.ts'
import { type Currency, wallets } from './table.ts'
import { usd } from './wallet.ts'

/** A workspace's balance, holds of running turns not taken off. One that is not billed has both currencies. */
export async function balanceOf(
  executor: Executor,
  workspace: { id: number; billing: BillingMode },
): Promise<z.input<typeof Balance>> {
  const rows = await executor
    .select({ currency: wallets.currency, balance: wallets.balance })
    .from(wallets)
    .where(eq(wallets.workspaceId, workspace.id))
  const balance = (wanted: Currency) => rows.find(({ currency }) => currency === wanted)?.balance ?? 0
  return {
    balance_usd: workspace.billing === 'tokens' ? null : usd(balance('usd')),
    balance_tokens: workspace.billing === 'usd' ? null : balance('tokens'),
  }
}
