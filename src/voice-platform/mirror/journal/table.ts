import { and, eq } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '../../../db/columns.ts'

/** The owner of a row that was left: nobody is at work on it. */
export const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * What is under way on the live platform. A row is written before a live write and removed in the transaction that
 * records its outcome, so that after a crash the rows say exactly which resources may differ from their remote objects.
 * While a write that got no response may still arrive, its row stays. There is one row per resource at most, so it is
 * also the lease that makes its holder the only writer of the resource.
 */
export const liveWrites = pgTable(
  'live_writes',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    /** The public id of the resource, stamped on its remote object as `metadata.external_ref`. */
    ref: text('ref').notNull(),
    action: text('action').$type<'create' | 'update' | 'delete'>().notNull(),
    /** Who is at work; whoever finds the row after `due_at` may take it over. */
    owner: uuid('owner').notNull(),
    /** Whether a live delete was sent whose outcome is not known: only such a delete is completed. */
    deleteSent: boolean('delete_sent').notNull().default(false),
    /** Whether a create was sent since `created_at`: it may have made an object that no record names. */
    createSent: boolean('create_sent').notNull().default(false),
    /** Whether all of those creates sent a body with a mark of their own: only what has one can be what they made. */
    createsMarked: boolean('creates_marked').notNull().default(false),
    /** Until when a write that got no response may still arrive; null when there is none. */
    lateUntil: timestamptz('late_until'),
    /** The bodies of updates that may still arrive, sealed, with what the live object was before; the last few. */
    intents: jsonb('intents').$type<string[]>().notNull().default([]),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    dueAt: timestamptz('due_at').notNull(),
  },
  (table) => [
    uniqueIndex('live_writes_resource').on(table.kind, table.ref),
    index('live_writes_due_at').on(table.dueAt),
  ],
)

/** The row as its holder took it: whoever takes it over is another owner. */
export const heldBy = ({ id, owner }: { id: string; owner: string }) =>
  and(eq(liveWrites.id, id), eq(liveWrites.owner, owner))
