import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz, workspaceKey } from '../../../db/columns.ts'
import { sealedJson } from '../../../secrets/sealed-json.ts'

/** The embedded platform's own state: one row per assistant, squad, phone number or call, as its API returns it. */
export const platformObjects = pgTable(
  'platform_objects',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    body: sealedJson('body').$type<Record<string, unknown>>().notNull(),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [index('platform_objects_kind_created_at').on(table.kind, table.createdAt.desc().nullsFirst())],
)

/**
 * What is asked of many calls at once: one narrow row beside each call's object, so that neither lists nor statistics
 * of 100,000 calls read a transcript.
 */
export const platformCalls = pgTable(
  'platform_calls',
  {
    id: uuid('id')
      .primaryKey()
      .references(() => platformObjects.id, { onDelete: 'cascade' }),
    /** The workspace of its assistant, else of its number, where this database has them; a trigger looks it up. */
    workspaceId: workspaceKey(),
    assistantId: uuid('assistant_id'),
    phoneNumberId: uuid('phone_number_id'),
    createdAt: timestamptz('created_at').notNull(),
    direction: text('direction').notNull(),
    ended: boolean('ended').notNull(),
    /** Whoever simulates it renews this; a running call that nobody holds any more was left by a process that died. */
    heldUntil: timestamptz('held_until'),
    seconds: doublePrecision('seconds'),
    endedReason: text('ended_reason'),
    passed: boolean('passed'),
    cost: doublePrecision('cost').notNull(),
    transport: doublePrecision('transport').notNull(),
    transcriber: doublePrecision('transcriber').notNull(),
    model: doublePrecision('model').notNull(),
    voice: doublePrecision('voice').notNull(),
    platform: doublePrecision('platform').notNull(),
    other: doublePrecision('other').notNull(),
  },
  (table) => [
    index('platform_calls_assistant').on(table.assistantId, table.createdAt.desc().nullsFirst(), table.id),
    index('platform_calls_phone_number').on(table.phoneNumberId, table.createdAt.desc().nullsFirst()),
    index('platform_calls_created_at').on(table.createdAt.desc().nullsFirst()),
    index('platform_calls_running').on(table.createdAt).where(sql`not ${table.ended}`),
  ],
)
