import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { daysAfter } from '../../runtime/time-zone.ts'
import { type Currency, ledger } from '../billing/table.ts'
import { usd } from '../billing/wallet.ts'
import { periodOf } from '../stats/period.ts'
import { requireWorkspace } from '../workspaces/service.ts'
import type { Spend, SpendQuery } from './schema.ts'
import { chargesOf, createSums, orderOf, ownAmong, type Summed } from './sums.ts'

const maxDayRows = 5_000
const maxRows = 100
/** After the ids of all agents. */
const last = '~'

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))

const summed =
  (currency: Currency) =>
  <Row extends Summed>({ spent, ...row }: Row) => ({
    ...row,
    amount_usd: currency === 'usd' ? usd(spent) : null,
    amount_tokens: currency === 'tokens' ? spent : null,
  })

async function rowsOf(ctx: AccountContext, charges: SQL | undefined) {
  const { spent, days, models, agents } = await chargesOf(ctx, charges)
  const [placeOf, own] = [await orderOf(ctx, models), await ownAmong(ctx, agents)]
  const nobody = { agent_id: null, name: null }
  const owners = createSums<{ agent_id: string | null; name: string | null }>()
  for (const { agentId, ...sums } of agents)
    owners.add((agentId === null ? undefined : own.get(agentId)) ?? nobody, sums)
  return {
    spent,
    days: days.sort((a, b) => compare(a.date, b.date) || placeOf(a.model) - placeOf(b.model)).slice(0, maxDayRows),
    models: models.sort((a, b) => b.spent - a.spent || placeOf(a.model) - placeOf(b.model)).slice(0, maxRows),
    owners: owners
      .rows()
      .sort((a, b) => b.spent - a.spent || compare(a.agent_id ?? last, b.agent_id ?? last))
      .slice(0, maxRows),
  }
}

/**
 * What the caller's workspace was charged in the currency that it is billed in, summed by day and model, by model and
 * by agent (contract: billing 15). Throws 422 for a period that is none.
 */
export async function getSpend(
  ctx: AccountContext,
  query: z.output<typeof SpendQuery>,
): Promise<z.input<typeof Spend>> {
  const { first, last } = periodOf({ ...query, timezone: 'UTC' }, ctx.clock.now())
  const { billing } = await requireWorkspace(ctx.db, ctx.account.workspaceId)
  const period = { from: first, to: last }
  if (billing === 'none') {
    const nothing = { total_usd: null, total_tokens: null, by_day: [], by_model: [], by_agent: [] }
    return { object: 'spend', period, ...nothing }
  }
  const charges = and(
    eq(ledger.workspaceId, ctx.account.workspaceId),
    eq(ledger.kind, 'charge'),
    eq(ledger.currency, billing),
    sql`${ledger.createdAt} >= ${`${first}T00:00:00Z`}::timestamptz`,
    sql`${ledger.createdAt} < ${`${daysAfter(last, 1)}T00:00:00Z`}::timestamptz`,
  )
  const { spent, days, models, owners } = await rowsOf(ctx, charges)
  const shown = summed(billing)
  return {
    object: 'spend',
    period,
    total_usd: billing === 'usd' ? usd(spent) : null,
    total_tokens: billing === 'tokens' ? spent : null,
    by_day: days.map(shown),
    by_model: models.map(shown),
    by_agent: owners.map(shown),
  }
}
