import { eq, or, sql } from 'drizzle-orm'
import type { Account } from '../../accounts/account.ts'
import type { AccountContext } from '../../api/context.ts'
import { ApiError, type ErrorName } from '../../api/errors/api-error.ts'
import { preparedSelect } from '../../db/prepared/statement.ts'
import { readsOf } from '../../db/reads.ts'
import type { Timers } from '../../runtime/timers.ts'
import { budgets } from '../budgets/table.ts'
import { workspaces } from '../workspaces/table.ts'
import type { Currency } from './table.ts'
import { walletBalance } from './wallet.ts'

/** Who spends: a request's caller, or nobody in particular, such as the visitor of a website. */
export interface Spender extends Pick<AccountContext, 'db' | 'signal'> {
  readonly account: Pick<Account, 'userId' | 'tokenId'> | undefined
  /** How it waits; as this process does unless given. */
  readonly timers?: Timers
}

/** Who pays for a turn. */
export interface Payer {
  workspaceId: number
  /** Undefined: the workspace is not billed. */
  currency: Currency | undefined
  /** The caller is the workspace's owner. Of a workspace without one nobody is. */
  isSelf: boolean
  /** There are budgets of the agent or the token that was asked about. */
  isBudgeted: boolean
}

/** Whose budgets a turn falls under. */
export interface BudgetSubjects {
  agentId: number | undefined
  tokenId: number | undefined
}

/** Nothing is equal to null: who is left out has none. */
export const ofSubjects = or(
  eq(budgets.agentId, sql.placeholder('agentId')),
  eq(budgets.tokenId, sql.placeholder('tokenId')),
)

const payerColumns = {
  billing: workspaces.billing,
  ownerId: workspaces.ownerId,
  isBudgeted: sql`exists (select 1 from ${budgets} where ${ofSubjects})`,
}
const findPayer = preparedSelect<{
  billing: Currency | 'none'
  ownerId: number | null
  isBudgeted: boolean
}>(payerColumns, (executor) =>
  executor
    .select(payerColumns)
    .from(workspaces)
    .where(eq(workspaces.id, sql.placeholder('id'))),
)

/**
 * The payer of a workspace, as it is now: its owner and its billing mode can change between two turns.
 * @param subjects whose budgets are asked about
 */
export async function payerOf(
  ctx: Spender,
  workspaceId: number,
  { agentId, tokenId }: Partial<BudgetSubjects> = {},
): Promise<Payer> {
  const [row] = await findPayer(readsOf(ctx.db), {
    id: workspaceId,
    agentId: agentId ?? null,
    tokenId: tokenId ?? null,
  })
  if (!row) throw new ApiError('internal_error')
  const { billing, ownerId, isBudgeted } = row
  return {
    workspaceId,
    currency: billing === 'none' ? undefined : billing,
    isSelf: ownerId !== null && ownerId === ctx.account?.userId,
    isBudgeted,
  }
}

/** The 402s, for the metadata of the operations that spend. */
export const outOfFundsErrors: ErrorName[] = [
  'usd_balance_empty',
  'token_limit_reached',
  'workspace_out_of_usd',
  'workspace_out_of_tokens',
]

/** Those of the operations that run turns, which budgets limit as well. */
export const spendingErrors: ErrorName[] = [...outOfFundsErrors, 'budget_exceeded']

/** Whether a balance or a budget had too little. */
export const isOutOfFunds = (error: unknown): boolean =>
  error instanceof ApiError && spendingErrors.includes(error.code)

/** The 402 in the wording for this payer (contract: billing 8, billing 9). */
export function outOfFunds(isSelf: boolean, currency: Currency): ApiError {
  if (currency === 'usd') return new ApiError(isSelf ? 'usd_balance_empty' : 'workspace_out_of_usd')
  return new ApiError(isSelf ? 'token_limit_reached' : 'workspace_out_of_tokens')
}

/** The 402 of a workspace whose balance turned out not to be enough. */
export async function outOfFundsOf(ctx: Spender, payerWorkspaceId: number): Promise<ApiError> {
  const { isSelf, currency } = await payerOf(ctx, payerWorkspaceId)
  return outOfFunds(isSelf, currency ?? 'usd')
}

/** Refuses with 402 when a billed workspace has nothing left (contract: chats 4). */
export async function requireFunds(ctx: Spender, payerWorkspaceId: number): Promise<void> {
  const { workspaceId, currency, isSelf } = await payerOf(ctx, payerWorkspaceId)
  if (currency && (await walletBalance(ctx.db, { workspaceId, currency })) <= 0) throw outOfFunds(isSelf, currency)
}
