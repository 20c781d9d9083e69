import { sql } from 'drizzle-orm'
import { index, pgTable, serial, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '../../../db/columns.ts'

/**
 * What our record and its live object last agreed on, one row for each. Changed in the transaction that records the
 * write, so that whatever the live object has besides was changed outside.
 */
export const liveBases = pgTable(
  'live_bases',
  {
    id: serial('id').primaryKey(),
    kind: text('kind').notNull(),
    /** The public id of the resource, as in `live_writes`. */
    ref: text('ref').notNull(),
    liveId: text('live_id').notNull(),
    /** The ids that its live object had before the platform lost it, the last first. */
    formerIds: text('former_ids').array().notNull().default([]),
    /** Another one with each agreement, so that readers see whether it moved. */
    revision: uuid('revision').notNull(),
    /** The agreed bodies as JSON, sealed: they hold the secrets of webhooks. */
    bodies: text('bodies').notNull(),
    agreedAt: timestamptz('agreed_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('live_bases_resource').on(table.kind, table.ref),
    index('live_bases_live_id').on(table.kind, table.liveId),
    index('live_bases_former_ids').using('gin', table.formerIds).where(sql`${table.formerIds} <> '{}'`),
  ],
)
