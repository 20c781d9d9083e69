import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { timestamps } from '../../db/columns.ts'
import { sealedJson } from '../../secrets/sealed-json.ts'
import type { LiveAssistantBody } from '../../voice-platform/mapping/live-assistant.ts'
import { baseConfigs, industryTemplates, layer2Presets, personalities, promptTemplates } from '../catalogue/table.ts'
import { resellers } from '../resellers/table.ts'
import { users } from '../users/table.ts'
import { workspaces } from '../workspaces/table.ts'
import type { Sources } from './rendering/sources.ts'
import type { TemplateTexts } from './rendering/spoken-texts.ts'
import type { AssistantConfig, AssistantType, Build, StoredMetadata } from './schema.ts'

const toolIdsOf = (live: AnyPgColumn): SQL => sql`(${live} #> '{model,toolIds}')`
const isArray = (value: SQL): SQL => sql`jsonb_typeof(${value}) = 'array'`

/** Voice assistants, each with a remote object on the voice platform. */
export const assistants = pgTable(
  'assistants',
  {
    id: serial('id').primaryKey(),
    /** The public id used in paths; the remote object carries it as `metadata.external_ref`. */
    assistantId: uuid('assistant_id').notNull().unique(),
    voiceAssistantId: uuid('voice_assistant_id').notNull().unique(),
    name: text('name').notNull(),
    type: text('type').$type<AssistantType>().notNull(),
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
    templateId: integer('template_id').references(() => promptTemplates.id),
    personalityId: integer('personality_id').references(() => personalities.id),
    baseConfigId: integer('base_config_id').references(() => baseConfigs.id),
    industryTemplateId: integer('industry_template_id').references(() => industryTemplates.id),
    layer2Key: text('layer2_key').references(() => layer2Presets.key, { onUpdate: 'cascade' }),
    /** What it is rendered from beside its references: copies of entries that were deleted since. */
    kept: sealedJson('kept').$type<Sources>(),
    /** How v2 built it; null for assistants of the regular editor. */
    build: sealedJson('build').$type<Build>(),
    phoneNumber: text('phone_number'),
    phoneNumberId: uuid('phone_number_id'),
    webhookUrl: text('webhook_url'),
    metadata: sealedJson('metadata').$type<StoredMetadata>().notNull(),
    /** What was asked for: texts with placeholders, local-only fields, provider selections. */
    config: sealedJson('config').$type<AssistantConfig>().notNull(),
    /** What the remote object was last told: the whole body, texts rendered. */
    live: sealedJson('live').$type<LiveAssistantBody>().notNull(),
    widgetEmbedConfig: jsonb('widget_embed_config').$type<Record<string, unknown>>(),
    /**
     * What its template brought when its texts were last rendered; null without one, and until the first save since
     * this is kept.
     */
    templateTexts: jsonb('template_texts').$type<TemplateTexts>(),
    publicKey: text('public_key').notNull().unique(),
    ...timestamps(),
  },
  (table) => [
    uniqueIndex('assistants_workspace').on(table.workspaceId, table.id),
    index('assistants_workspace_name').on(table.workspaceId, table.name, table.id),
    index('assistants_workspace_created_at').on(table.workspaceId, table.createdAt, table.id),
    index('assistants_workspace_user_id').on(table.workspaceId, table.userId, table.id),
    index('assistants_reseller_name').on(table.resellerId, table.name, table.id),
    index('assistants_reseller_created_at').on(table.resellerId, table.createdAt, table.id),
    index('assistants_reseller_user_id').on(table.resellerId, table.userId, table.id),
    index('assistants_name').on(table.name, table.id),
    index('assistants_created_at').on(table.createdAt, table.id),
    index('assistants_user_id').on(table.userId, table.id),
    index('assistants_type').on(table.type, table.workspaceId),
    // What a catalogue entry is used by is asked at its delete, by the foreign keys.
    index('assistants_personality').on(table.personalityId).where(sql`${table.personalityId} is not null`),
    index('assistants_template').on(table.templateId).where(sql`${table.templateId} is not null`),
    index('assistants_base_config').on(table.baseConfigId).where(sql`${table.baseConfigId} is not null`),
    index('assistants_industry').on(table.industryTemplateId).where(sql`${table.industryTemplateId} is not null`),
    index('assistants_layer2').on(table.layer2Key).where(sql`${table.layer2Key} is not null`),
    // Without a list in which new ids wait, which every search would read.
    index('assistants_tools')
      .using('gin', toolIdsOf(table.live))
      .with({ fastupdate: false })
      .where(isArray(toolIdsOf(table.live))),
  ],
)

/** Whether the remote object of an assistant names a tool, by the id that a column has. */
export const attachesTool = (id: AnyPgColumn): SQL => {
  const ids = toolIdsOf(assistants.live)
  return sql`${isArray(ids)} and ${ids} ? ${id}::text`
}

/**
 * How many assistants a workspace has, kept by a trigger so that a list's total costs the same at any size: the sum of
 * its rows. Each connection counts in the row of its slot, so that creates of one workspace need not wait for each
 * other.
 */
export const assistantCounts = pgTable(
  'assistant_counts',
  {
    workspaceId: integer('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    slot: integer('slot').notNull().default(0),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.slot] })],
)

/** How many assistants the counters of a selection say there are. */
export const countedAssistants = sql<number>`coalesce(sum(${assistantCounts.count}), 0)::int`
