import { sql } from 'drizzle-orm'
import { index, integer, pgTable, serial, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '../../db/columns.ts'
import { users } from '../users/table.ts'
import { workspaces } from '../workspaces/table.ts'

/** In the order in which they are adopted: what comes later names what comes before. */
export const importKinds = ['tool', 'assistant', 'squad', 'phone_number'] as const
export type ImportKind = (typeof importKinds)[number]

export const importItemStates = ['pending', 'adopted', 'refused'] as const

/** Imports of live objects, each worked on until nothing of it is pending. */
export const imports = pgTable(
  'imports',
  {
    id: serial('id').primaryKey(),
    workspaceId: integer('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** Whose the adopted resources are. */
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    resellerId: integer('reseller_id').notNull(),
    /** The operator, as histories name it. */
    requestedBy: integer('requested_by').notNull(),
    requestedByName: text('requested_by_name').notNull(),
    /** Which claim it is worked on under. */
    owner: uuid('owner'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    dueAt: timestamptz('due_at').notNull().defaultNow(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    finishedAt: timestamptz('finished_at'),
  },
  (table) => [
    index('imports_workspace_id').on(table.workspaceId),
    index('imports_user_id').on(table.userId),
    // One at a time: two would stamp the same objects.
    uniqueIndex('imports_one_running').on(sql`(finished_at is null)`).where(sql`finished_at is null`),
  ],
)

/** The objects of an import. */
export const importItems = pgTable(
  'import_items',
  {
    id: serial('id').primaryKey(),
    importId: integer('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<ImportKind>().notNull(),
    liveId: text('live_id').notNull(),
    name: text('name').notNull(),
    /** The reference that the record and its object get, the same at every try. */
    ref: uuid('ref').notNull(),
    state: text('state').$type<(typeof importItemStates)[number]>().notNull(),
    /** The id in the paths of what was made of it. */
    resource: text('resource'),
    reason: text('reason'),
  },
  (table) => [index('import_items_import_id').on(table.importId, table.state, table.id)],
)
