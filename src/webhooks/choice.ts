import { type SQL, sql } from 'drizzle-orm'
import { webhookDeliveries as table } from './table.ts'

/** A workspace gets one of so many free places. */
const shareOfFree = 4

/** Those of one call are first tried in order: a later one waits for the earlier. */
const isNext = sql.raw(`not exists (
  select 1 from webhook_deliveries e
  where e.call_id = d.call_id and e.sequence < d.sequence and e.status = 'pending' and e.attempts = 0)`)

/**
 * Chooses deliveries that are due: of every workspace that has some in turn, and of none more than its share, so that
 * one whose receivers are silent holds up no other. Workspaces are found by steps through the index, whatever the
 * number of their rows. `underWay`: how many of each workspace are being sent here.
 */
export function fairChoice(room: number, underWay: Readonly<Record<number, number>>): SQL {
  const share = Math.max(1, Math.floor(room / shareOfFree))
  // The rest is for whoever has nothing under way, the next time.
  const limit = Math.max(1, room - share)
  return sql`with recursive workspaces(id) as (
      (select workspace_id from ${table} where status = 'pending' order by workspace_id limit 1)
      union all
      select (select n.workspace_id from ${table} n
        where n.status = 'pending' and n.workspace_id > w.id order by n.workspace_id limit 1)
      from workspaces w where w.id is not null),
    -- Worked out once: looked at again, rows that this statement has changed would be missing.
    due as materialized (select f.id from workspaces w cross join lateral (
      select d.id, d.due_at, d.sequence from ${table} d
      where d.workspace_id = w.id and d.status = 'pending' and d.due_at <= now() and ${isNext}
      order by d.due_at, d.sequence
      limit greatest(0, ${share} - coalesce((${JSON.stringify(underWay)}::text::jsonb ->> w.id::text)::int, 0))
      for update skip locked) f
    order by row_number() over (partition by w.id order by f.due_at, f.sequence), f.due_at, f.sequence
    limit ${limit})
    select id from due`
}

/** When the next delivery may be sent; null when none waits. */
export const nextDelivery = sql<Date | null>`(
  select d.due_at from ${table} d where d.status = 'pending' and ${isNext} order by d.due_at limit 1)`
