import { integer, timestamp } from 'drizzle-orm/pg-core'

/** A point in time with millisecond precision, as JavaScript and ISO 8601 strings have it. */
export const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** `created_at` and `updated_at`; services set `updated_at` from the injected clock. */
export const timestamps = () => ({
  createdAt: timestamptz('created_at').notNull().defaultNow(),
  updatedAt: timestamptz('updated_at').notNull().defaultNow(),
})

/**
 * The workspace of a row that belongs to another one's, so that rows can be kept apart by it; 0 where there is none. A
 * trigger takes it from that row at every insert, and a foreign key over both columns keeps it the same from then on.
 */
export const workspaceKey = () => integer('workspace_id').notNull().default(0)
