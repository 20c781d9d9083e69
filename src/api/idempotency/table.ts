import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '../../db/columns.ts'

/** What kept responses are sealed for. */
export const responseContext = 'idempotency_keys.body'

/** What noted results are sealed for. */
export const resultContext = 'idempotency_results.result'

/** Responses kept for 24 hours under the caller's `Idempotency-Key`; `status` is null while the first request runs. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** SHA-256 of token, path and key. */
    keyHash: text('key_hash').primaryKey(),
    /** SHA-256 of the request body. */
    bodyHash: text('body_hash').notNull(),
    /**
     * What the first request and its retries make has this id; null in rows of earlier releases, whose ids were
     * derived.
     */
    madeId: uuid('made_id'),
    status: integer('status'),
    /** Sealed, as a response may show a new token. */
    body: text('body'),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [index('idempotency_keys_created_at').on(table.createdAt)],
)

/**
 * What keyed requests made in one transaction, for 24 hours: noted there, so that a killed server leaves both or
 * neither.
 */
export const idempotencyResults = pgTable(
  'idempotency_results',
  {
    /** The id that is derived from the key, for one call of the request. */
    id: uuid('id').primaryKey(),
    /** Sealed, as a result may show a new token. */
    result: text('result').notNull(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [index('idempotency_results_created_at').on(table.createdAt)],
)
