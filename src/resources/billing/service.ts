import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, validationError } from '../../api/errors.ts'
import { requireWorkspace } from '../workspaces/service.ts'
import type { BillingMode } from '../workspaces/table.ts'
import { balanceOf } from './balance.ts'
import type { CreateCreditInput } from './schema.ts'
import { credits } from './table.ts'

interface Amount {
  amountMicroUsd: number
  tokens: number
}

/** The one amount of a credit. Throws 422 when there is none, or two. */
function amountOf({ amount_usd: usd, tokens }: z.output<typeof CreateCreditInput>): Amount {
  if (usd == null && tokens == null) throw validationError({ amount_usd: ['Send amount_usd or tokens.'] })
  if (usd != null && tokens != null) throw validationError({ tokens: ['Send amount_usd or tokens, not both.'] })
  return { amountMicroUsd: Math.round((usd ?? 0) * 1_000_000), tokens: tokens ?? 0 }
}

/** Throws 422 for the currency that the workspace does not have. */
function checkCurrency(billing: BillingMode, amount: Amount): void {
  const wrong = billing === 'usd' ? amount.tokens > 0 : billing === 'tokens' && amount.amountMicroUsd > 0
  if (!wrong) return
  const [sent, right] = billing === 'usd' ? ['tokens', 'amount_usd'] : ['amount_usd', 'tokens']
  throw validationError({ [sent]: [`This workspace is billed in ${billing}: send ${right}.`] })
}

/**
 * Credits a payment to a workspace, once however often it is sent (spec 3, section 2). Answers the balance.
 * Throws 404, 422 for the amount, 409 when the payment was another amount or another workspace's.
 */
export async function createCredit(ctx: AccountContext, input: z.output<typeof CreateCreditInput>) {
  const { id: workspaceId, payment_id: paymentId } = input
  const amount = amountOf(input)
  const workspace = await requireWorkspace(ctx.db, workspaceId)
  const credited = async () => {
    const [row] = await ctx.db.select().from(credits).where(eq(credits.paymentId, paymentId))
    return row
  }
  let credit = await credited()
  if (!credit) {
    checkCurrency(workspace.billing, amount)
    const values = { workspaceId, paymentId, ...amount, createdBy: ctx.account.userId, createdAt: ctx.clock.now() }
    await ctx.db.insert(credits).values(values).onConflictDoNothing()
    credit = await credited()
  }
  if (!credit) throw new ApiError('internal_error')
  const same =
    credit.workspaceId === workspaceId &&
    credit.amountMicroUsd === amount.amountMicroUsd &&
    credit.tokens === amount.tokens
  if (!same) throw new ApiError('payment_conflict')
  return { success: true as const, data: await balanceOf(ctx.db, workspace) }
}
