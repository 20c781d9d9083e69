import { sql } from 'drizzle-orm'
import { assistantVersions } from '../history/table.ts'

const { changes, summary } = assistantVersions

/** Bytes of text of changes that are read whole: a page holds two such entries. */
const maxRead = 4_000_000
/** What is stored in fewer bytes has less text, however well it is compressed, so that it need not be unpacked. */
const surelyLess = 15_000
const maxFieldLength = 200
const maxSummary = 20_000

const fieldsThatChanged = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('path', field)), '[]'::jsonb)
  from (
    select distinct left(split_part(path #>> '{}', '.', 1), ${maxFieldLength}) as field
    from (select jsonb_path_query(${changes}, '$[*].path') as path) as paths
    order by field limit 1000
  ) as fields
)`

/**
 * The changes of an entry as they are read. Of one with more text than entries have, as earlier releases wrote them,
 * only which fields of the assistant changed; the database cuts it, and sends no more (contract: versions 18).
 */
export const readableChanges = sql<typeof changes._.data>`case
  when pg_column_size(${changes}) < ${surelyLess} or octet_length(${changes}::text) <= ${maxRead} then ${changes}
  else ${fieldsThatChanged}
end`.mapWith(changes)

/** The summary of an entry, which earlier releases wrote with paths of any length. */
export const readableSummary = sql<string>`left(${summary}, ${maxSummary})`
