import { pgTable, text } from 'drizzle-orm/pg-core'

/** What a database remembers of the installation that it belongs to, by name. */
export const installation = pgTable('installation', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})
