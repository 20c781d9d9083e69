import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { newestFirst, rowsAtOnce, slicesOf } from '../../db/slices.ts'
import { agents } from '../agents/table.ts'
import { ledger } from '../billing/table.ts'

/** What charges add up to. */
export interface Summed {
  spent: number
  turns: number
  prompt_tokens: number
  completion_tokens: number
}

/** Charges of one day, for one model, of one agent. */
interface Group extends Summed {
  date: string
  model: string | null
  agentId: number | null
}

const { order, columns: walked } = newestFirst(ledger)

// Columns of a slice of the ledger, which has those of the table.
const columns = {
  date: sql<string>`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')`,
  model: sql<string | null>`model`,
  agentId: sql<number | null>`agent_id`,
  spent: sql<number>`(-sum(delta))::float8`,
  prompt_tokens: sql<number>`coalesce(sum(prompt_tokens), 0)::float8`,
  completion_tokens: sql<number>`coalesce(sum(completion_tokens), 0)::float8`,
  ...walked,
}

/** Adds up what has the same names. */
function createSums<Named extends object>() {
  const rows = new Map<string, Named & Summed>()
  return {
    rows,
    add(names: Named, added: Summed) {
      const key = JSON.stringify(names)
      const row = rows.get(key) ?? { ...names, spent: 0, turns: 0, prompt_tokens: 0, completion_tokens: 0 }
      row.spent += added.spent
      row.turns += added.turns
      row.prompt_tokens += added.prompt_tokens
      row.completion_tokens += added.completion_tokens
      rows.set(key, row)
    },
  }
}

/** What groups add up to by some of their names. */
export function summedBy<Named extends object>(groups: readonly Group[], namesOf: (group: Group) => Named) {
  const sums = createSums<Named>()
  for (const group of groups) sums.add(namesOf(group), group)
  return [...sums.rows.values()]
}

/** Charges by day, model and agent, each counted once and in every sum that is made of them. */
export async function chargesOf({ db }: AccountContext, charges: SQL | undefined, atOnce = rowsAtOnce) {
  const read = (rest: SQL | undefined) => {
    const rows = db.select().from(ledger).where(and(charges, rest))
    const slice = db.$with('slice').as(rows.orderBy(...order).limit(atOnce))
    return db.with(slice).select(columns).from(slice).groupBy(sql`1`, sql`2`, sql`3`).orderBy(columns.first)
  }
  const all = createSums<Pick<Group, 'date' | 'model' | 'agentId'>>()
  for await (const groups of slicesOf(ledger, atOnce, read))
    for (const { date, model, agentId, ...sums } of groups)
      all.add({ date, model, agentId }, { ...sums, turns: sums.total })
  return [...all.rows.values()]
}

/** The caller's own agents among these: of those of others nobody is told more than what they cost together. */
export async function ownAmong({ db, account }: AccountContext, groups: readonly Group[]) {
  const ids = [...new Set(groups.map(({ agentId }) => agentId).filter((id) => id !== null))]
  const own = await db
    .select({ id: agents.id, agent_id: agents.agentId, name: agents.name })
    .from(agents)
    .where(and(eq(agents.ownerId, account.userId), sql`${agents.id} = any(${sql.param(ids)}::int[])`))
  return new Map(own.map(({ id, ...agent }) => [id, agent]))
}

/** Where models stand among each other, in the order of the database's texts. */
export async function orderOf({ db }: AccountContext, groups: readonly Group[]) {
  const models = [...new Set(groups.map(({ model }) => model).filter((model) => model !== null))]
  const sorted = await db.execute<{ model: string }>(
    sql`select model from unnest(${sql.param(models)}::text[]) as m(model) order by model`,
  )
  const places = new Map(sorted.map(({ model }, place) => [model, place]))
  return (model: string | null) => (model === null ? places.size : (places.get(model) ?? places.size))
}
