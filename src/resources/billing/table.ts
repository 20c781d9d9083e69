import { bigint, index, integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { moment } from '../../db/columns.ts'
import { workspaces } from '../workspaces/table.ts'

/** Top-ups of a workspace's prepaid balance, once per `payment_id`. */
export const credits = pgTable(
  'credits',
  {
    id: serial('id').primaryKey(),
    workspaceId: integer('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    paymentId: text('payment_id').notNull().unique(),
    /** Micro-dollars. */
    amountMicroUsd: bigint('amount_micro_usd', { mode: 'number' }).notNull().default(0),
    tokens: bigint('tokens', { mode: 'number' }).notNull().default(0),
    createdBy: integer('created_by').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [index('credits_workspace_id').on(table.workspaceId)],
)
