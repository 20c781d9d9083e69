import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { timestamptz } from '../../db/columns.ts'

/**
 * Objects that nothing refers to any more: each stays here until the store has deleted it. One that is being stored is
 * here, too, claimed by whoever stores it, until its record is there.
 */
export const storedDeletions = pgTable(
  'stored_deletions',
  {
    key: text('key').primaryKey(),
    /** Which claim it is worked on under. */
    owner: text('owner'),
    attempts: integer('attempts').notNull().default(0),
    /** When it was deleted, where the store may still take something late: it is deleted once more. */
    deletedAt: timestamptz('deleted_at'),
    dueAt: timestamptz('due_at').notNull().defaultNow(),
  },
  (table) => [index('stored_deletions_due_at').on(table.dueAt)],
)
