import { and, count, desc, eq, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import { createThreadShare } from '../../../runtime/thread-share.ts'
import { startOfDay } from '../../../runtime/time-zone.ts'
import { boundsOf, daysOf, type Period } from '../../calls/days.ts'
import { type CostPart, costParts } from '../../calls/figures.ts'
import { type CallSums, type CallTotals, createTotals } from '../../calls/totals.ts'
import { platformCalls as table } from '../store/table.ts'

/** How many calls one statement adds up: the embedded database holds the thread for some milliseconds. */
export const callsAtOnce = 1_000

/** One statement of all statistics, before timers and sockets have their turn. */
const thread = createThreadShare(1)

function ofPeriod(assistantId: string, period: Period): SQL | undefined {
  const { from, to } = boundsOf(period)
  return and(eq(table.assistantId, assistantId), gte(table.createdAt, from), lt(table.createdAt, to))
}

// Columns of a slice of calls, which has those of the table.
const amount = (column: string) => sql<number>`coalesce(sum(${sql.identifier(column)}), 0)::float8`
const howMany = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`
const where = (direction: string) => howMany(sql`direction = ${direction}`)

/** What calls of one day that ended for one reason add up to. */
const sums = {
  reason: sql<string | null>`ended_reason`,
  total: count(),
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
  first: sql<Date>`min(created_at)`.mapWith(table.createdAt),
  last: sql<Date>`max(created_at)`.mapWith(table.createdAt),
  /** Of all in the slice, the one with which it ends. */
  lastId: sql<string>`(select id from slice order by created_at, id desc limit 1)`,
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

/** The calls that follow one, newest first. */
const after = (createdAt: Date, id: string) =>
  and(lte(table.createdAt, createdAt), sql`(${lt(table.createdAt, createdAt)} or ${table.id} > ${id})`)

/**
 * The figures of an assistant's calls within a period. Calls are read in slices of `atOnce`, each with a statement of its
 * own: one that changes meanwhile counts once, as it was before or after.
 */
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
  let rest: SQL | undefined
  for (;;) {
    await thread(1)
    const calls = db.select().from(table).where(and(mine, rest))
    const slice = db.$with('slice').as(calls.orderBy(desc(table.createdAt), table.id).limit(atOnce))
    const rows = await db
      .with(slice)
      .select({ ...sums, day })
      .from(slice)
      .groupBy(sql`day`, sql`ended_reason`)
      .orderBy(sums.first)
    for (const row of rows) all.add(callSums(row, days[row.day - 1] ?? period.first))
    const [oldest] = rows
    const read = rows.reduce((sum, { total }) => sum + total, 0)
    if (!oldest || read < atOnce) return all.totals({ truncated: false })
    rest = after(oldest.first, oldest.lastId)
  }
}
