import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../../db/columns.ts'

/** The embedded platform's own state: one row per assistant, squad, phone number or call, as its API answers it. */
export const platformObjects = pgTable(
  'platform_objects',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    body: jsonb('body').$type<Record<string, unknown>>().notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [index('platform_objects_kind_created_at').on(table.kind, table.createdAt.desc().nullsFirst())],
)
