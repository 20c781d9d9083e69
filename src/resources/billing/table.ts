import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { timestamps, timestamptz } from '../../db/columns.ts'
import { workspaces } from '../workspaces/table.ts'

export const currencies = ['usd', 'tokens'] as const
/** Amounts of `usd` are whole micro-dollars, those of `tokens` whole tokens. */
export type Currency = (typeof currencies)[number]

const amount = (name: string) => bigint(name, { mode: 'number' }).notNull()

/** A workspace's prepaid balance in one currency; another billing mode leaves the other currency's balance as it is. */
export const wallets = pgTable(
  'wallets',
  {
    workspaceId: integer('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    currency: text('currency').$type<Currency>().notNull(),
    /** The sum of the ledger's deltas. */
    balance: amount('balance').default(0),
    /** The sum of the wallet's holds. */
    held: amount('held').default(0),
    ...timestamps(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.currency] }),
    check('wallets_held', sql`${table.held} >= 0`),
  ],
)

/** What running turns may cost at most; one that has expired was left by a process that died. */
export const holds = pgTable(
  'holds',
  {
    turnId: text('turn_id').primaryKey(),
    workspaceId: integer('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    currency: text('currency').$type<Currency>().notNull(),
    amount: amount('amount'),
    expiresAt: timestamptz('expires_at').notNull(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
  },
  (table) => [index('holds_expires_at').on(table.expiresAt), index('holds_workspace_id').on(table.workspaceId)],
)

export const entryKinds = ['credit', 'charge', 'adjust'] as const

/**
 * What a charge was for: a turn of an agent, what it remembers, a long chat's summary, an assistant's reply, vectors of
 * texts.
 */
export const purposes = ['turn', 'memory', 'summary', 'reply', 'embeddings'] as const
export type Purpose = (typeof purposes)[number]

/** Every change of a balance. Rows are only ever added: a mistake is corrected by an `adjust`. */
export const ledger = pgTable(
  'ledger',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    workspaceId: integer('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    currency: text('currency').$type<Currency>().notNull(),
    kind: text('kind').$type<(typeof entryKinds)[number]>().notNull(),
    /** Added to the balance: negative for a charge. */
    delta: amount('delta'),
    /** A turn is charged once. */
    turnId: text('turn_id').unique(),
    /** A payment is credited once. */
    paymentId: text('payment_id').unique(),
    /** Null for what is no charge, and for what was charged before this was kept. */
    purpose: text('purpose').$type<Purpose>(),
    model: text('model'),
    promptTokens: bigint('prompt_tokens', { mode: 'number' }),
    completionTokens: bigint('completion_tokens', { mode: 'number' }),
    /** The model's price when the turn began. */
    promptUsdPerMillion: doublePrecision('prompt_usd_per_million'),
    completionUsdPerMillion: doublePrecision('completion_usd_per_million'),
    /** Null: nobody with an account, such as a website's visitor. */
    userId: integer('user_id'),
    tokenId: integer('token_id'),
    /** Whose turn it was; null for what is no agent's, and for what was charged before this was kept. */
    agentId: integer('agent_id'),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('ledger_workspace_id').on(table.workspaceId, table.id),
    index('ledger_charges').on(table.workspaceId, table.createdAt).where(sql`${table.kind} = 'charge'`),
    // What a budget has used in a window: most charges have no agent, or no token.
    index('ledger_agent_charges')
      .on(table.agentId, table.createdAt)
      .where(sql`${table.kind} = 'charge' and ${table.agentId} is not null`),
    index('ledger_token_charges')
      .on(table.tokenId, table.createdAt)
      .where(sql`${table.kind} = 'charge' and ${table.tokenId} is not null`),
  ],
)
