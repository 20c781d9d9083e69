import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Who may work on a thing right now; a row whose `expires_at` has passed is free. */
export const leases = pgTable('leases', {
  key: text('key').primaryKey(),
  owner: text('owner').notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})
