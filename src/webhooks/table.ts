import { sql } from 'drizzle-orm'
import { bigserial, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamps, timestamptz } from '../db/columns.ts'
import { sealedJson } from '../secrets/sealed-json.ts'
import type { BackoffPlan } from './message.ts'

export const deliveryStatuses = ['pending', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/**
 * The queue of webhooks, and the log that their owner reads. A row that is being sent is held until `due_at`, like a
 * lease: when its holder is killed, another takes it up.
 */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** The order in which things were told. */
    sequence: bigserial('sequence', { mode: 'number' }).notNull(),
    /** The call's assistant, by its id on the platform; null where none of ours is known. */
    liveAssistantId: uuid('live_assistant_id'),
    /** Whose share of the sender it takes: the call's assistant's, else its number's; 0 when neither is known. */
    workspaceId: integer('workspace_id').notNull().default(0),
    callId: uuid('call_id').notNull(),
    type: text('type').notNull(),
    /** The address without what may be secret in it. */
    address: text('address').notNull(),
    /** Sealed: the whole address, the headers and the credential. */
    request: text('request').notNull(),
    payload: sealedJson('payload').$type<Record<string, unknown>>().notNull(),
    timeoutSeconds: integer('timeout_seconds').notNull(),
    backoffPlan: jsonb('backoff_plan').$type<BackoffPlan>().notNull(),
    status: text('status').$type<DeliveryStatus>().notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    /** After how many attempts it is given up. */
    maxAttempts: integer('most_attempts').notNull(),
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    /** What a receiver responded that was asked something, secrets masked. */
    response: sealedJson('response').$type<unknown>(),
    /** Who sends it right now. */
    owner: uuid('owner'),
    dueAt: timestamptz('due_at').notNull().defaultNow(),
    deliveredAt: timestamptz('delivered_at'),
    ...timestamps(),
  },
  (table) => [
    index('webhook_deliveries_due').on(table.workspaceId, table.dueAt).where(sql`${table.status} = 'pending'`),
    index('webhook_deliveries_next').on(table.dueAt).where(sql`${table.status} = 'pending'`),
    index('webhook_deliveries_dead')
      .on(table.workspaceId, table.sequence.desc().nullsFirst())
      .where(sql`${table.status} = 'dead'`),
    index('webhook_deliveries_workspace').on(table.workspaceId, table.sequence.desc().nullsFirst()),
    index('webhook_deliveries_workspace_status').on(
      table.workspaceId,
      table.status,
      table.sequence.desc().nullsFirst(),
    ),
    index('webhook_deliveries_call').on(table.callId, table.sequence),
    index('webhook_deliveries_assistant').on(table.liveAssistantId, table.sequence.desc().nullsFirst()),
    index('webhook_deliveries_assistant_status').on(
      table.liveAssistantId,
      table.status,
      table.sequence.desc().nullsFirst(),
    ),
    index('webhook_deliveries_no_assistant')
      .on(table.workspaceId, table.sequence.desc().nullsFirst())
      .where(sql`${table.liveAssistantId} is null`),
    index('webhook_deliveries_updated_at').on(table.updatedAt),
  ],
)
