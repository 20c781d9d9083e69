import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { timestamptz } from '../../db/columns.ts'
import { agents } from '../agents/table.ts'
import type { Currency } from '../billing/table.ts'
import { tokens } from '../tokens/table.ts'

export const budgetWindows = ['day', 'week', 'month'] as const
export type BudgetWindow = (typeof budgetWindows)[number]

const amount = (name: string) => bigint(name, { mode: 'number' }).notNull()

/** What the turns of an agent, or of a token, may use within a calendar window (UTC). */
export const budgets = pgTable(
  'budgets',
  {
    id: serial('id').primaryKey(),
    agentId: integer('agent_id').references(() => agents.id, { onDelete: 'cascade' }),
    tokenId: integer('token_id').references(() => tokens.id, { onDelete: 'cascade' }),
    window: text('window').$type<BudgetWindow>().notNull(),
    /** What it is counted in: micro-dollars or tokens. */
    unit: text('unit').$type<Currency>().notNull(),
    limit: amount('limit'),
    /** Used in the window that began at `windowStart`; older ones count no more. */
    spent: amount('spent').default(0),
    windowStart: timestamptz('window_start').notNull(),
    /** The sum of its holds. */
    held: amount('held').default(0),
  },
  (table) => [
    uniqueIndex('budgets_agent').on(table.agentId, table.unit),
    uniqueIndex('budgets_token').on(table.tokenId, table.unit),
    check('budgets_subject', sql`(${table.agentId} is null) <> (${table.tokenId} is null)`),
  ],
)

/** What running turns may take of a budget at most. */
export const budgetHolds = pgTable(
  'budget_holds',
  {
    turnId: text('turn_id').notNull(),
    budgetId: integer('budget_id')
      .notNull()
      .references(() => budgets.id, { onDelete: 'cascade' }),
    amount: amount('amount'),
    expiresAt: timestamptz('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.turnId, table.budgetId] }),
    index('budget_holds_expires_at').on(table.expiresAt),
    index('budget_holds_budget_id').on(table.budgetId),
  ],
)
