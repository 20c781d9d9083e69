import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '../db/columns.ts'

/** The one row that says when the next backup is due, who is at it and what became of the last one. */
export const backups = pgTable('backups', {
  id: integer('id').primaryKey(),
  dueAt: timestamptz('due_at').notNull(),
  owner: uuid('owner'),
  attempts: integer('attempts').notNull().default(0),
  lastError: text('last_error'),
  /** When the last one that succeeded was whole, and where it is. */
  finishedAt: timestamptz('finished_at'),
  archive: text('archive'),
})
