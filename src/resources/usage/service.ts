import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { rowsOf, sliceOfList, sortedBy } from '../../api/paging/walk.ts'
import { balanceOf } from '../billing/balance.ts'
import { ledger } from '../billing/table.ts'
import { usd } from '../billing/wallet.ts'
import { requireWorkspace } from '../workspaces/service.ts'
import { countsOf } from './counts.ts'
import type { LedgerEntry, LedgerQuery } from './schema.ts'

/** The balance of the caller's workspace, and what the caller has (contract: billing 2). */
export async function getUsage(ctx: AccountContext) {
  const workspace = await requireWorkspace(ctx.db, ctx.account.workspaceId)
  const active = workspace.billing !== 'none'
  const balance = active ? await balanceOf(ctx.db, workspace) : { balance_tokens: null, balance_usd: null }
  return { object: 'usage' as const, billing_active: active, ...balance, ...(await countsOf(ctx)) }
}

const entryRecord = (row: typeof ledger.$inferSelect): z.input<typeof LedgerEntry> => ({
  id: row.id,
  object: 'ledger_entry',
  kind: row.kind,
  amount_usd: row.currency === 'usd' ? usd(row.delta) : null,
  amount_tokens: row.currency === 'tokens' ? row.delta : null,
  payment_id: row.paymentId,
  turn_id: row.turnId,
  purpose: row.purpose,
  model: row.model,
  prompt_tokens: row.promptTokens,
  completion_tokens: row.completionTokens,
  prompt_usd_per_million: row.promptUsdPerMillion,
  completion_usd_per_million: row.completionUsdPerMillion,
  user_id: row.userId,
  token_id: row.tokenId,
  created_at: row.createdAt.toISOString(),
})

const newestFirst = sortedBy('desc', ledger.id)

/** A page of the ledger of the caller's workspace, in both currencies, newest first (contract: billing 6). */
export async function listLedger(ctx: AccountContext, query: z.output<typeof LedgerQuery>) {
  const where = eq(ledger.workspaceId, ctx.account.workspaceId)
  const list = { table: ledger, key: ledger.id, where, sorted: newestFirst }
  const { rows, ...more } = await sliceOfList(ctx, query, {
    read: (window) =>
      ctx.db
        .select()
        .from(ledger)
        .where(rowsOf(list, window))
        .orderBy(...newestFirst.order)
        .limit(window.limit),
    keysOf: ({ id }) => [id],
  })
  return { data: rows.map(entryRecord), ...more }
}
