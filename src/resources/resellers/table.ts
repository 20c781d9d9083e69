import { pgTable, serial, text } from 'drizzle-orm/pg-core'
import { timestamps } from '../../db/columns.ts'

/** A reseller has workspaces; records carry its id as a string (contract: accounts 1). */
export const resellers = pgTable('resellers', {
  id: serial('id').primaryKey(),
  name: text('name').notNull(),
  ...timestamps(),
})
