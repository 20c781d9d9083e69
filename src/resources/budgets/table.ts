import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { timestamptz, workspaceKey } from '../../db/columns.ts'
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
    agentId: integer('agent_id'),
    tokenId: integer('token_id'),
    /** The agent's or the token's. */
    workspaceId: workspaceKey(),
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
    foreignKey({
      name: 'budgets_of_agent',
      columns: [table.agentId, table.workspaceId],
      foreignColumns: [agents.id, agents.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    foreignKey({
      name: 'budgets_of_token',
      columns: [table.tokenId, table.workspaceId],
      foreignColumns: [tokens.id, tokens.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    uniqueIndex('budgets_workspace').on(table.workspaceId, table.id),
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
    budgetId: integer('budget_id').notNull(),
    /** Its budget's. */
    workspaceId: workspaceKey(),
    amount: amount('amount'),
    expiresAt: timestamptz('expires_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.turnId, table.budgetId] }),
    foreignKey({
      name: 'budget_holds_budget',
      columns: [table.budgetId, table.workspaceId],
      foreignColumns: [budgets.id, budgets.workspaceId],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
    index('budget_holds_expires_at').on(table.expiresAt),
    index('budget_holds_budget_id').on(table.budgetId),
  ],
)
