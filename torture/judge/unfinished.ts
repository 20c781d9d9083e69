import type { Places } from '../server/fleet.ts'
import type { Ask } from '../server/inspect.ts'

const work = `
  select 'live writes' as what, count(*) as count from live_writes
  union all select 'purchases', count(*) from phone_number_purchases
  union all select 'numbers out of step', count(*) from phone_numbers where sync_due_at is not null
  union all select 'files to delete', count(*) from stored_deletions
  union all select 'holds', count(*) from holds`

const kept = `
  select storage_key as key from knowledge_files
  union all select key from stored_deletions`

/** What is still to be done in the background, by table, and stored files that no row refers to. */
export async function unfinished(ask: Ask, places: Pick<Places, 'storedKeys'>): Promise<string[]> {
  // Keys first: a file that is stored afterwards has its row before.
  const stored = await places.storedKeys()
  const keys = new Set((await ask<{ key: string }>(kept)).map(({ key }) => key))
  const orphans = stored.filter((key) => !keys.has(key)).map((key) => `stored file ${key} belongs to nothing`)
  const rows = await ask<{ what: string; count: string }>(work)
  const left = rows.filter(({ count }) => Number(count) > 0)
  return [...orphans, ...left.map(({ what, count }) => `${count} ${what} are left`)]
}
