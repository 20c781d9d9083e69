import { and, count, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import { startOfDay } from '../../../runtime/time-zone.ts'
import { boundsOf, daysOf, type Period } from '../../calls/days.ts'
import { costParts } from '../../calls/figures.ts'
import type { CallTotals, DayTotals } from '../../calls/totals.ts'
import { platformCalls as table } from '../store/table.ts'

function ofPeriod(assistantId: string, period: Period): SQL | undefined {
  const { from, to } = boundsOf(period)
  return and(eq(table.assistantId, assistantId), gte(table.createdAt, from), lt(table.createdAt, to))
}

const amount = (column: SQL | typeof table.cost | typeof table.seconds) =>
  sql<number>`coalesce(sum(${column}), 0)::float8`
const howMany = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`
const where = (direction: string) => howMany(sql`${table.direction} = ${direction}`)

const sums = {
  total: count(),
  inbound: where('inbound'),
  outbound: where('outbound'),
  web: where('web'),
  in_progress: howMany(sql`not ${table.ended}`),
  lengths: sql<number>`count(${table.seconds})::int`,
  seconds: amount(table.seconds),
  median: sql<number>`coalesce(percentile_cont(0.5) within group (order by ${table.seconds}), 0)::float8`,
  longest: sql<number>`coalesce(max(${table.seconds}), 0)::float8`,
  evaluated: sql<number>`count(${table.passed})::int`,
  passed: howMany(sql`${table.passed}`),
  cost: amount(table.cost),
  transport: amount(sql`${table.transport}`),
  transcriber: amount(sql`${table.transcriber}`),
  model: amount(sql`${table.model}`),
  voice: amount(sql`${table.voice}`),
  platform: amount(sql`${table.platform}`),
  other: amount(sql`${table.other}`),
  first: sql<Date | null>`min(${table.createdAt})`.mapWith(table.createdAt),
  last: sql<Date | null>`max(${table.createdAt})`.mapWith(table.createdAt),
}

/** One row for each day, by its place in the period, and ended reason: both are added up from it. */
const groups = {
  reason: table.endedReason,
  calls: count(),
  seconds: amount(table.seconds),
  cost: amount(table.cost),
}

/** The figures of an assistant's calls within a period. */
export async function totalsOf<Schema extends Record<string, unknown>>(
  db: PostgresJsDatabase<Schema>,
  assistantId: string,
  period: Period,
): Promise<CallTotals> {
  const mine = ofPeriod(assistantId, period)
  const days = daysOf(period)
  // The starts of days are ours, as the server may know fewer time zones than we do.
  const starts = days.map((day) => startOfDay(day, period.timeZone).toISOString())
  const day = sql<number>`width_bucket(${table.createdAt}, ${`{${starts.join(',')}}`}::timestamptz[])`
  const [[row], grouped] = await Promise.all([
    db.select(sums).from(table).where(mine),
    db
      .select({ ...groups, day: day.as('day') })
      .from(table)
      .where(mine)
      .groupBy(sql`day`, table.endedReason),
  ])
  if (!row) throw new Error('An aggregate has one row')
  const dated = grouped.map(({ day, ...group }) => ({ ...group, date: days[day - 1] ?? period.first }))
  return { ...overall(row), ...byGroup(dated), truncated: false }
}

type Sums = { [Name in keyof typeof sums]: Name extends 'first' | 'last' ? Date | null : number }

function overall(
  row: Sums,
): Pick<CallTotals, 'calls' | 'duration' | 'success' | 'cost' | 'firstCallAt' | 'lastCallAt'> {
  const { total, inbound, outbound, web, in_progress, evaluated, passed } = row
  return {
    calls: { total, inbound, outbound, web, in_progress },
    duration: { count: row.lengths, total: row.seconds, median: row.median, max: row.longest },
    success: { evaluated, passed },
    cost: {
      total: row.cost,
      parts: Object.fromEntries(costParts.map((part) => [part, row[part]])) as CallTotals['cost']['parts'],
    },
    firstCallAt: row.first,
    lastCallAt: row.last,
  }
}

function byGroup(grouped: ({ date: string; reason: string | null } & DayTotals)[]) {
  const days: Record<string, DayTotals> = {}
  const endedReasons: Record<string, number> = {}
  for (const { date, reason, calls, seconds, cost } of grouped) {
    const day = days[date] ?? { calls: 0, seconds: 0, cost: 0 }
    days[date] = { calls: day.calls + calls, seconds: day.seconds + seconds, cost: day.cost + cost }
    if (reason !== null) endedReasons[reason] = (endedReasons[reason] ?? 0) + calls
  }
  return { days, endedReasons }
}
