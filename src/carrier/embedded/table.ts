import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '../../db/columns.ts'

/** What the embedded carrier has sold: its own state, apart from what the server records. */
export const carrierNumbers = pgTable('carrier_numbers', {
  number: text('number').primaryKey(),
  id: uuid('id').notNull().unique(),
  reference: text('reference').notNull(),
  sms: boolean('sms').notNull(),
  createdAt: timestamptz('created_at').notNull().defaultNow(),
})
