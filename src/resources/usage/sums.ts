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
export function createSums<Named extends object>() {
  const rows = new Map<string, Named & Summed>()
  return {
    add(names: Named, added: Summed) {
      const key = JSON.stringify(names)
      const row = rows.get(key) ?? { ...names, spent: 0, turns: 0, prompt_tokens: 0, completion_tokens: 0 }
      row.spent += added.spent
      row.turns += added.turns
      row.prompt_tokens += added.prompt_tokens
      row.completion_tokens += added.completion_tokens
      rows.set(key, row)
    },
    rows: () => [...rows.values()],
  }
}

/** What charges add up to: all, by day and model, by model and by agent. Each is counted once, and in every sum. */
export async function chargesOf({ db }: AccountContext, charges: SQL | undefined) {
  const read = (rest: SQL | undefined) => {
    const rows = db.select().from(ledger).where(and(charges, rest))
    const slice = db.$with('slice').as(rows.orderBy(...order).limit(rowsAtOnce))
    return db.with(slice).select(columns).from(slice).groupBy(sql`1`, sql`2`, sql`3`).orderBy(columns.first)
  }
  let spent = 0
  const days = createSums<Pick<Group, 'date' | 'model'>>()
  const models = createSums<Pick<Group, 'model'>>()
  const byAgent = createSums<Pick<Group, 'agentId'>>()
  for await (const groups of slicesOf(ledger, rowsAtOnce, read))
    for (const { date, model, agentId, total: turns, ...sums } of groups) {
      const group = { ...sums, turns }
      spent += group.spent
      days.add({ date, model }, group)
      models.add({ model }, group)
      byAgent.add({ agentId }, group)
    }
  return { spent, days: days.rows(), models: models.rows(), agents: byAgent.rows() }
}

/** The caller's own agents among these: of those of others nobody is told more than what they cost together. */
export async function ownAmong({ db, account }: AccountContext, among: readonly Pick<Group, 'agentId'>[]) {
  const ids = among.map(({ agentId }) => agentId).filter((id) => id !== null)
  const own = await db
    .select({ id: agents.id, agent_id: agents.agentId, name: agents.name })
    .from(agents)
    .where(and(eq(agents.ownerId, account.userId), sql`${agents.id} = any(${sql.param(ids)}::int[])`))
  return new Map(own.map(({ id, ...agent }) => [id, agent]))
}

/** Where models stand among each other, in the order of the database's texts. */
export async function orderOf({ db }: AccountContext, among: readonly Pick<Group, 'model'>[]) {
  const models = among.map(({ model }) => model).filter((model) => model !== null)
  const sorted = await db.execute<{ model: string }>(
    sql`select model from unnest(${sql.param(models)}::text[]) as m(model) order by model`,
  )
  const places = new Map(sorted.map(({ model }, place) => [model, place]))
  return (model: string | null) => (model === null ? places.size : (places.get(model) ?? places.size))
}
