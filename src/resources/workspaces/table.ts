import { index, integer, jsonb, pgTable, serial, text, uuid } from 'drizzle-orm/pg-core'
import { timestamps } from '../../db/columns.ts'
import { resellers } from '../resellers/table.ts'

export const billingModes = ['none', 'usd', 'tokens'] as const
export type BillingMode = (typeof billingModes)[number]

/** A workspace has an owner and members; `owner_id` is the payer (contract: accounts 5). */
export const workspaces = pgTable(
  'workspaces',
  {
    id: serial('id').primaryKey(),
    uuid: uuid('uuid').notNull().unique(),
    resellerId: integer('reseller_id')
      .notNull()
      .references(() => resellers.id),
    name: text('name').notNull(),
    billing: text('billing').$type<BillingMode>().notNull().default('none'),
    /** A user's id; not a foreign key because users already point here. */
    ownerId: integer('owner_id'),
    /** The webhook credentials that it may name, granted by operators. */
    webhookCredentials: jsonb('webhook_credentials').$type<string[]>().notNull().default([]),
    ...timestamps(),
  },
  (table) => [index('workspaces_reseller_id').on(table.resellerId, table.id)],
)
