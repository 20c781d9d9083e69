import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { validationError } from '../../api/errors/api-error.ts'
import { recordAudit } from '../audit/record.ts'
import { requireWorkspace } from '../workspaces/service.ts'
import type { BillingMode } from '../workspaces/table.ts'
import { balanceOf } from './balance.ts'
import { creditPayment, findPayment } from './credit.ts'
import type { CreateCreditInput } from './schema.ts'
import type { Currency } from './table.ts'

interface Amount {
  currency: Currency
  amount: number
}

/** The one amount of a credit, in micro-dollars or tokens. Throws 422 when there is none, or two. */
function amountOf({ amount_usd: usd, tokens }: z.output<typeof CreateCreditInput>): Amount {
  if (usd != null && tokens != null) throw validationError({ tokens: ['Send amount_usd or tokens, not both.'] })
  if (usd != null) return { currency: 'usd', amount: Math.round(usd * 1_000_000) }
  if (tokens != null) return { currency: 'tokens', amount: tokens }
  throw validationError({ amount_usd: ['Send amount_usd or tokens.'] })
}

/** Throws 422 for the currency that the workspace does not have. */
function checkCurrency(billing: BillingMode, { currency }: Amount): void {
  if (billing === 'none' || billing === currency) return
  const [sent, right] = billing === 'usd' ? ['tokens', 'amount_usd'] : ['amount_usd', 'tokens']
  throw validationError({ [sent]: [`This workspace is billed in ${billing}: send ${right}.`] })
}

/**
 * Credits a payment to a workspace, once however often it is sent (contract: billing 3). Returns the balance.
 * Throws 404, 422 for the amount, 409 when the payment was another amount or another workspace's.
 */
export async function createCredit(ctx: AccountContext, input: z.output<typeof CreateCreditInput>) {
  const { id: workspaceId, payment_id: paymentId } = input
  const { userId, tokenId } = ctx.account
  const paid = amountOf(input)
  const workspace = await requireWorkspace(ctx.db, workspaceId)
  if (!(await findPayment(ctx.db, paymentId))) checkCurrency(workspace.billing, paid)
  await ctx.db.transaction(async (tx) => {
    if (!(await creditPayment(tx, { workspaceId, ...paid, paymentId, userId, tokenId }))) return
    const after = { payment_id: paymentId, ...paid }
    await recordAudit(tx, ctx, { action: 'credited', subject: { kind: 'workspace', id: workspaceId }, after })
  })
  return await balanceOf(ctx.db, workspace)
}
