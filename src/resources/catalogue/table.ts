import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, integer, jsonb, pgTable, serial, text, uuid } from 'drizzle-orm/pg-core'
import { timestamps, timestamptz } from '../../db/columns.ts'
import { sealedJson } from '../../secrets/sealed-json.ts'
import { users } from '../users/table.ts'

/** The parts that assistants are built from, kept by operators (contract: catalogue 1). */
export const baseConfigs = pgTable('base_configs', {
  id: serial('id').primaryKey(),
  name: text('name').notNull(),
  config: sealedJson('config').$type<Record<string, unknown>>().notNull(),
  ...timestamps(),
})

export const promptTemplates = pgTable(
  'prompt_templates',
  {
    id: serial('id').primaryKey(),
    name: text('name').notNull(),
    prompt: text('prompt').notNull(),
    firstMessage: text('first_message'),
    endCallMessage: text('end_call_message'),
    baseConfigId: integer('base_config_id').references(() => baseConfigs.id),
    variables: jsonb('variables').$type<string[]>().notNull().default([]),
    ...timestamps(),
  },
  (table) => [index('prompt_templates_base_config_id').on(table.baseConfigId)],
)

/** A question that an industry template asks; its `key` becomes a template variable. */
export interface CustomField {
  key: string
  label: string
  required?: boolean
}

export const industryTemplates = pgTable(
  'industry_templates',
  {
    id: serial('id').primaryKey(),
    name: text('name').notNull(),
    baseConfigId: integer('base_config_id')
      .notNull()
      .references(() => baseConfigs.id),
    prompt: text('prompt').notNull(),
    customFields: jsonb('custom_fields').$type<CustomField[]>().notNull().default([]),
    ...timestamps(),
  },
  (table) => [index('industry_templates_base_config_id').on(table.baseConfigId)],
)

export const layer2Presets = pgTable('layer2_presets', {
  id: serial('id').primaryKey(),
  key: text('key').notNull().unique(),
  name: text('name').notNull(),
  overrides: sealedJson('overrides').$type<Record<string, unknown>>().notNull(),
  ...timestamps(),
})

export const personalities = pgTable('personalities', {
  id: serial('id').primaryKey(),
  name: text('name').notNull(),
  /** The platform's voice object. */
  voice: sealedJson('voice').$type<Record<string, unknown>>().notNull(),
  prompt: text('prompt'),
  ...timestamps(),
})

export const toolScopes = ['own', 'global'] as const

export const tools = pgTable(
  'tools',
  {
    /** The platform's tool id. */
    id: uuid('id').primaryKey().defaultRandom(),
    label: text('label').notNull(),
    description: text('description').notNull(),
    type: text('type').notNull(),
    scope: text('scope').$type<(typeof toolScopes)[number]>().notNull(),
    ownerId: integer('owner_id').references(() => users.id),
    locked: boolean('locked').notNull().default(false),
    definition: sealedJson('definition').$type<Record<string, unknown>>(),
    /**
     * Under which it was journalled; null for one that operators made on the platform themselves, which stays as it is
     * there.
     */
    ref: uuid('ref').unique(),
    ...timestamps(),
  },
  (table) => [
    index('tools_owner_id').on(table.ownerId),
    index('tools_global').on(table.label, table.id).where(sql`${table.scope} = 'global'`),
  ],
)

/** Whether a tool is everybody's. No parameter is in it, so that the index of these serves every plan. */
export const isGlobal = sql<boolean>`${tools.scope} = 'global'`

/**
 * What tools were lately made of. The platform has no place for a reference of ours on a tool, so that one whose create
 * got no response is found by its body.
 */
export const toolCreations = pgTable('tool_creations', {
  ref: uuid('ref').primaryKey(),
  body: sealedJson('body').$type<Record<string, unknown>>().notNull(),
  createdAt: timestamptz('created_at').notNull().defaultNow(),
})

export const modelPrices = pgTable('model_prices', {
  id: serial('id').primaryKey(),
  model: text('model').notNull().unique(),
  promptUsdPerMillion: doublePrecision('prompt_usd_per_million').notNull(),
  completionUsdPerMillion: doublePrecision('completion_usd_per_million').notNull(),
  ...timestamps(),
})
