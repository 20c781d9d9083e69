import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, serial, text, uuid } from 'drizzle-orm/pg-core'
import { timestamps, timestamptz } from '../../db/columns.ts'
import { sealedJson } from '../../secrets/sealed-json.ts'
import { assistants } from '../assistants/table.ts'
import { resellers } from '../resellers/table.ts'
import { squads } from '../squads/table.ts'
import { users } from '../users/table.ts'
import { workspaces } from '../workspaces/table.ts'
import type { StoredFallback, StoredServer } from './schema.ts'

/** The carrier's id of a number that was adopted from the live platform: whoever sold it still has it. */
export const importedCarrierId = 'imported'

const numberStatuses = ['owned', 'releasing'] as const
export type NumberStatus = (typeof numberStatuses)[number]

const ownerColumns = {
  userId: integer('user_id')
    .notNull()
    .references(() => users.id),
  createdBy: integer('created_by').notNull(),
  resellerId: integer('reseller_id')
    .notNull()
    .references(() => resellers.id),
  workspaceId: integer('workspace_id')
    .notNull()
    .references(() => workspaces.id),
}

/** Phone numbers that an account owns, each registered on the voice platform, or about to be. */
export const phoneNumbers = pgTable(
  'phone_numbers',
  {
    id: serial('id').primaryKey(),
    /** E.164; also the reference by which its live writes are journalled. */
    phoneNumber: text('phone_number').notNull().unique(),
    /** The purchase that brought it: the same purchase asked for again finds it. */
    purchaseRef: uuid('purchase_ref').notNull().unique(),
    /** The carrier's id, by which it is released. */
    carrierId: text('carrier_id').notNull(),
    /** Null until the voice platform has it. */
    voicePhoneNumberId: uuid('voice_phone_number_id').unique(),
    /** `releasing`: given up by its account, still to be given back to the carrier. */
    status: text('status').$type<NumberStatus>().notNull(),
    provider: text('provider').notNull(),
    assistantId: integer('assistant_id').references(() => assistants.id),
    squadId: integer('squad_id').references(() => squads.id),
    voiceAssistantId: text('voice_assistant_id'),
    voiceSquadId: text('voice_squad_id'),
    voiceWorkflowId: text('voice_workflow_id'),
    name: text('name'),
    fallbackDestination: sealedJson('fallback_destination').$type<StoredFallback>(),
    server: sealedJson('server').$type<StoredServer>(),
    hooks: sealedJson('hooks').$type<unknown[]>().notNull(),
    smsEnabled: boolean('sms_enabled').notNull(),
    /** Whether the carrier delivers messages for it. */
    smsCapable: boolean('sms_capable').notNull(),
    staticIpEnabled: boolean('static_ip_enabled').notNull(),
    metadata: sealedJson('metadata').$type<Record<string, unknown>>(),
    lastSyncedAt: timestamptz('last_synced_at'),
    /** Who syncs it right now in the background; null when nobody does. */
    syncOwner: uuid('sync_owner'),
    /** When the outside is next brought to what this row says; null when it is there. */
    syncDueAt: timestamptz('sync_due_at'),
    syncAttempts: integer('sync_attempts').notNull().default(0),
    /** Why the last try failed, for operators. */
    syncError: text('sync_error'),
    ...ownerColumns,
    ...timestamps(),
  },
  (table) => [
    // What accounts have is counted and listed without those that are being given back.
    index('phone_numbers_owned').on(table.id).where(sql`${table.status} = 'owned'`),
    index('phone_numbers_workspace_id').on(table.workspaceId, table.id),
    index('phone_numbers_reseller_id').on(table.resellerId, table.id),
    index('phone_numbers_assistant_id').on(table.assistantId),
    index('phone_numbers_squad_id').on(table.squadId),
    index('phone_numbers_user_id').on(table.userId),
    index('phone_numbers_sync_due_at').on(table.syncDueAt),
  ],
)

/**
 * Purchases under way at the carrier. A row is written before the carrier is asked and removed in the transaction that
 * records the number, so that a paid number is never lost and never bought twice.
 */
export const phoneNumberPurchases = pgTable(
  'phone_number_purchases',
  {
    phoneNumber: text('phone_number').primaryKey(),
    /** Stamped on the number at the carrier. */
    ref: uuid('ref').notNull().unique(),
    name: text('name'),
    ...ownerColumns,
    /** Who asks the carrier right now; null when nobody does. */
    owner: uuid('owner'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    /** When it was opened, or the carrier was last asked for it. */
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    /** When the carrier is asked what became of it. */
    dueAt: timestamptz('due_at').notNull(),
  },
  (table) => [
    index('phone_number_purchases_due_at').on(table.dueAt),
    index('phone_number_purchases_user_id').on(table.userId),
    index('phone_number_purchases_reseller_id').on(table.resellerId),
    index('phone_number_purchases_workspace_id').on(table.workspaceId),
  ],
)
