import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { requireMatch } from '../../api/preconditions/match.ts'
import type { Transaction } from '../../db/client.ts'
import { requireAgent } from '../agents/access.ts'
import { agents } from '../agents/table.ts'
import { type BudgetOf, budgetState, inWindow } from '../billing/budget-window.ts'
import type { Currency } from '../billing/table.ts'
import { usd } from '../billing/wallet.ts'
import { tokens } from '../tokens/table.ts'
import { isBudgeted } from './of-caller.ts'
import type { Budget, PutAgentBudgetInput, PutTokenBudgetInput } from './schema.ts'
import { budgets } from './table.ts'

type Subject = BudgetOf & { workspaceId: number }

const isOf = (subject: Subject): SQL =>
  'agentId' in subject ? eq(budgets.agentId, subject.agentId) : eq(budgets.tokenId, subject.tokenId)

const microUsd = 1_000_000

async function budgetOf(ctx: AccountContext, subject: Subject): Promise<z.input<typeof Budget>> {
  const { unit, limit, window } = budgets
  const rows = await ctx.db
    .select({ unit, limit, window, ...budgetState })
    .from(budgets)
    .where(isOf(subject))
  const inUnit = (of: Currency) => rows.find((row) => row.unit === of)
  const [inTokens, inUsd] = [inUnit('tokens'), inUnit('usd')]
  const first = inTokens ?? inUsd
  return {
    window: first?.window ?? null,
    tokens: inTokens?.limit ?? null,
    usd: inUsd ? usd(inUsd.limit) : null,
    used_tokens: inTokens?.spent ?? null,
    used_usd: inUsd ? usd(inUsd.spent) : null,
    window_start: first ? new Date(first.windowStart).toISOString() : null,
  }
}

/**
 * Until the transaction ends nobody else sets its limits, also where it has none yet, nor counts anything in them:
 * locked in the order in which turns lock them. Throws 404 for one that was deleted since it was looked up.
 */
async function lockSubject(tx: Transaction, subject: Subject): Promise<void> {
  const isOfAgent = 'agentId' in subject
  const [found] = await (isOfAgent
    ? tx.select({ id: agents.id }).from(agents).where(eq(agents.id, subject.agentId)).for('no key update')
    : tx.select({ id: tokens.id }).from(tokens).where(eq(tokens.id, subject.tokenId)).for('no key update'))
  if (!found) throw new ApiError(isOfAgent ? 'agent_not_found' : 'token_not_found')
  await tx.select({ id: budgets.id }).from(budgets).where(isOf(subject)).orderBy(budgets.id).for('update')
}

/**
 * Sets the limits of a subject: those that are null are removed, those that stay keep what running turns hold and what
 * was used in the window, also in another one as far as that is known (contract: billing 20).
 */
async function putBudget(
  ctx: AccountContext,
  subject: Subject,
  input: Pick<z.output<typeof PutAgentBudgetInput>, 'window' | 'tokens' | 'usd'>,
) {
  const { window, tokens: inTokens, usd: inUsd } = input
  const limits: Record<Currency, number | null> = {
    tokens: inTokens,
    usd: inUsd === null ? null : Math.round(inUsd * microUsd),
  }
  await ctx.db.transaction(async (tx) => {
    await lockSubject(tx, subject)
    await requireMatch(ctx, input, tx)
    for (const unit of ['tokens', 'usd'] as const) {
      const limit = limits[unit]
      const mine = and(isOf(subject), eq(budgets.unit, unit))
      if (limit === null) {
        await tx.delete(budgets).where(mine)
        continue
      }
      const [before] = await tx.select({ window: budgets.window }).from(budgets).where(mine)
      if (before) {
        const moved = before.window === window ? {} : inWindow(subject, unit, window)
        await tx
          .update(budgets)
          .set({ ...moved, limit })
          .where(mine)
      } else {
        const windowStart = ctx.clock.now()
        await tx.insert(budgets).values({ ...subject, window, unit, limit, windowStart })
      }
    }
  })
  return budgetOf(ctx, subject)
}

async function ownedAgent(ctx: AccountContext, agentId: string): Promise<Subject> {
  const { row } = await requireAgent(ctx, agentId, 'own')
  return { agentId: row.id, workspaceId: row.workspaceId }
}

async function ownToken(ctx: AccountContext, id: number): Promise<Subject> {
  const mine = and(eq(tokens.id, id), eq(tokens.userId, ctx.account.userId), isNull(tokens.revokedAt))
  const [found] = await ctx.db.select({ id: tokens.id }).from(tokens).where(mine)
  if (!found) throw new ApiError('token_not_found')
  return { tokenId: id, workspaceId: ctx.account.workspaceId }
}

/** The budget of an agent. Throws 404, and 403 for all but its owner. */
export const getAgentBudget = async (ctx: AccountContext, input: { agent_id: string }) =>
  budgetOf(ctx, await ownedAgent(ctx, input.agent_id))

/**
 * Sets the budget of an agent, over all who use it. Throws 404, and 403 for all but its owner and for a token that has
 * a budget itself.
 */
export async function putAgentBudget(ctx: AccountContext, input: z.output<typeof PutAgentBudgetInput>) {
  const subject = await ownedAgent(ctx, input.agent_id)
  if (await isBudgeted(ctx)) throw new ApiError('agent_budget_by_budgeted')
  return putBudget(ctx, subject, input)
}

/** The budget of one of the caller's tokens. Throws 404. */
export const getTokenBudget = async (ctx: AccountContext, input: { id: number }) =>
  budgetOf(ctx, await ownToken(ctx, input.id))

/**
 * Sets the budget of one of the caller's tokens. Throws 404, and 403 for the token that calls and for one that has a
 * budget itself: two of them would lift each other's.
 */
export async function putTokenBudget(ctx: AccountContext, input: z.output<typeof PutTokenBudgetInput>) {
  const subject = await ownToken(ctx, input.id)
  if (input.id === ctx.account.tokenId) throw new ApiError('own_budget')
  if (await isBudgeted(ctx)) throw new ApiError('budget_by_budgeted')
  return putBudget(ctx, subject, input)
}
