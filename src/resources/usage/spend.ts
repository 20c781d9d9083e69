import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { AccountContext } from '../../api/context.ts'
import { daysAfter } from '../../runtime/time-zone.ts'
import { agents } from '../agents/table.ts'
import { type Currency, ledger } from '../billing/table.ts'
import { usd } from '../billing/wallet.ts'
import { periodOf } from '../stats/period.ts'
import { requireWorkspace } from '../workspaces/service.ts'
import type { Spend, SpendQuery } from './schema.ts'

const maxDayRows = 5_000
const maxRows = 100

/** What is summed of the charges of each group. */
const sums = {
  spent: sql<number>`(-sum(${ledger.delta}))::float8`,
  turns: sql<number>`count(*)::int`,
  prompt_tokens: sql<number>`coalesce(sum(${ledger.promptTokens}), 0)::float8`,
  completion_tokens: sql<number>`coalesce(sum(${ledger.completionTokens}), 0)::float8`,
}

interface Summed {
  spent: number
  turns: number
  prompt_tokens: number
  completion_tokens: number
}

const summed =
  (currency: Currency) =>
  <Row extends Summed>({ spent, ...row }: Row) => ({
    ...row,
    amount_usd: currency === 'usd' ? usd(spent) : null,
    amount_tokens: currency === 'tokens' ? spent : null,
  })

const largest = desc(sql`-sum(${ledger.delta})`)

async function rowsOf({ db, account }: AccountContext, charges: SQL | undefined) {
  const day = sql<string>`to_char(${ledger.createdAt} at time zone 'UTC', 'YYYY-MM-DD')`
  // An agent is its owner's: of those of others nobody is told more than what they cost together.
  const own = sql<string | null>`case when ${agents.ownerId} = ${account.userId} then ${agents.agentId}::text end`
  const name = sql<string | null>`case when ${agents.ownerId} = ${account.userId} then ${agents.name} end`
  return Promise.all([
    db
      .select({ spent: sql<number>`coalesce(-sum(${ledger.delta}), 0)::float8` })
      .from(ledger)
      .where(charges),
    db
      .select({ date: day, model: ledger.model, ...sums })
      .from(ledger)
      .where(charges)
      .groupBy(sql`1`, ledger.model)
      .orderBy(sql`1`, ledger.model)
      .limit(maxDayRows),
    db
      .select({ model: ledger.model, ...sums })
      .from(ledger)
      .where(charges)
      .groupBy(ledger.model)
      .orderBy(largest, ledger.model)
      .limit(maxRows),
    db
      .select({ agent_id: own, name, ...sums })
      .from(ledger)
      .leftJoin(agents, eq(agents.id, ledger.agentId))
      .where(charges)
      .groupBy(sql`1`, sql`2`)
      .orderBy(largest, sql`1`)
      .limit(maxRows),
  ])
}

/**
 * What the caller's workspace was charged in the currency that it is billed in, summed in the database by day and model, by
 * model and by agent (contract: billing 15). Throws 422 for a period that is none.
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
  const [[{ spent } = { spent: 0 }], days, models, owners] = await rowsOf(ctx, charges)
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
