import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import { newestFirst, slicesOf } from '../../../db/slices.ts'
import { startOfDay } from '../../../runtime/time-zone.ts'
import { boundsOf, daysOf, type Period } from '../../calls/days.ts'
import { type CostPart, costParts } from '../../calls/figures.ts'
import { type CallSums, type CallTotals, createTotals } from '../../calls/totals.ts'
import { platformCalls as table } from '../store/table.ts'

function ofPeriod(assistantId: string, period: Period): SQL | undefined {
  const { from, to } = boundsOf(period)
  return and(eq(table.assistantId, assistantId), gte(table.createdAt, from), lt(table.createdAt, to))
}

// Columns of a slice of calls, which has those of the table.
const amount = (column: string) => sql<number>`coalesce(sum(${sql.identifier(column)}), 0)::float8`
const howMany = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`
const where = (direction: string) => howMany(sql`direction = ${direction}`)

const { order, columns } = newestFirst(table)

/** What calls of one day that ended for one reason add up to. */
const sums = {
  reason: sql<string | null>`ended_reason`,
  inbound: where('inbound'),
  outbound: where('outbound'),
  web: where('web'),
  in_progress: howMany(sql`not ended`),
  lengths: sql<number[]>`coalesce(json_agg(seconds) filter (where seconds is not null), '[]')`,
  seconds: amount('seconds'),
  evaluated: sql<number>`count(passed)::int`,
  passed: howMany(sql`passed`),
  cost: amount('cost'),
  transport: amount('transport'),
  transcriber: amount('transcriber'),
  model: amount('model'),
  voice: amount('voice'),
  platform: amount('platform'),
  other: amount('other'),
  last: sql<Date>`max(created_at)`.mapWith(table.createdAt),
  ...columns,
}

type Sums = { [Name in keyof typeof sums]: (typeof sums)[Name] extends SQL<infer Value> ? Value : never }

function callSums(row: Sums, date: string): CallSums {
  const { reason, total, inbound, outbound, web, in_progress, seconds, lengths, evaluated, passed, cost } = row
  return {
    calls: { total, inbound, outbound, web, in_progress },
    lengths,
    success: { evaluated, passed },
    cost: {
      total: cost,
      parts: Object.fromEntries(costParts.map((part) => [part, row[part]])) as Record<CostPart, number>,
    },
    days: { [date]: { calls: total, seconds, cost } },
    endedReasons: reason === null ? {} : { [reason]: total },
    firstCallAt: row.first,
    lastCallAt: row.last,
  }
}

/** The figures of an assistant's calls within a period, read in slices of `atOnce`. */
export async function totalsOf<Schema extends Record<string, unknown>>(
  db: PostgresJsDatabase<Schema>,
  { assistantId, period, atOnce }: { assistantId: string; period: Period; atOnce: number },
): Promise<CallTotals> {
  const mine = ofPeriod(assistantId, period)
  const days = daysOf(period)
  // The starts of days are ours, as the server may know fewer time zones than we do.
  const starts = `{${days.map((day) => startOfDay(day, period.timeZone).toISOString()).join(',')}}`
  const day = sql<number>`width_bucket(created_at, ${starts}::timestamptz[])`.as('day')
  const all = createTotals()
  const read = (rest: SQL | undefined) => {
    const calls = db.select().from(table).where(and(mine, rest))
    const slice = db.$with('slice').as(calls.orderBy(...order).limit(atOnce))
    return db
      .with(slice)
      .select({ ...sums, day })
      .from(slice)
      .groupBy(sql`day`, sql`ended_reason`)
      .orderBy(sums.first)
  }
  for await (const groups of slicesOf<Sums & { day: number }>(table, atOnce, read))
    for (const group of groups) all.add(callSums(group, days[group.day - 1] ?? period.first))
  return all.totals({ truncated: false })
}
