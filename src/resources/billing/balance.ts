import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Executor } from '../../db/client.ts'
import type { BillingMode } from '../workspaces/table.ts'
import type { Balance } from './schema.ts'
import { credits } from './table.ts'

/** What a workspace can spend: the sum of its credits. One that is not billed has both currencies. */
export async function balanceOf(
  executor: Executor,
  workspace: { id: number; billing: BillingMode },
): Promise<z.input<typeof Balance>> {
  const [sums] = await executor
    .select({
      microUsd: sql<number>`coalesce(sum(${credits.amountMicroUsd}), 0)::bigint`,
      tokens: sql<number>`coalesce(sum(${credits.tokens}), 0)::bigint`,
    })
    .from(credits)
    .where(eq(credits.workspaceId, workspace.id))
  return {
    balance_usd: workspace.billing === 'tokens' ? null : (sums?.microUsd ?? 0) / 1_000_000,
    balance_tokens: workspace.billing === 'usd' ? null : (sums?.tokens ?? 0),
  }
}
