import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/client.ts'
import { baseConfigs, industryTemplates, layer2Presets, personalities, promptTemplates } from '../../catalogue/table.ts'

/** The catalogue entries that an assistant's live configuration is made from. */
export interface Sources {
  template?: typeof promptTemplates.$inferSelect
  baseConfig?: typeof baseConfigs.$inferSelect
  personality?: typeof personalities.$inferSelect
  /** The layers that only the v2 builder uses. */
  industry?: typeof industryTemplates.$inferSelect
  preset?: typeof layer2Presets.$inferSelect
}

/** The catalogue entries that an assistant names. */
export interface References {
  templateId: number | null
  personalityId: number | null
  baseConfigId: number | null
  industryTemplateId: number | null
  layer2Key: string | null
}

/**
 * Loads what a draft refers to, as far as it exists. A base config that is not named comes from the template, or from
 * the industry template.
 */
export async function loadSources(db: Database, draft: References): Promise<Sources> {
  const { templateId, personalityId, industryTemplateId, layer2Key } = draft
  const [template, personality, industry, preset] = await Promise.all([
    templateId === null ? undefined : findTemplate(db, templateId),
    personalityId === null ? undefined : findPersonality(db, personalityId),
    industryTemplateId === null ? undefined : findIndustry(db, industryTemplateId),
    layer2Key === null ? undefined : findPreset(db, layer2Key),
  ])
  const baseConfigId = draft.baseConfigId ?? template?.baseConfigId ?? industry?.baseConfigId
  const baseConfig = baseConfigId == null ? undefined : await findBaseConfig(db, baseConfigId)
  return { template, personality, industry, preset, baseConfig }
}

async function findTemplate(db: Database, id: number) {
  const [template] = await db.select().from(promptTemplates).where(eq(promptTemplates.id, id))
  return template
}

async function findIndustry(db: Database, id: number) {
  const [industry] = await db.select().from(industryTemplates).where(eq(industryTemplates.id, id))
  return industry
}

async function findPreset(db: Database, key: string) {
  const [preset] = await db.select().from(layer2Presets).where(eq(layer2Presets.key, key))
  return preset
}

async function findBaseConfig(db: Database, id: number) {
  const [baseConfig] = await db.select().from(baseConfigs).where(eq(baseConfigs.id, id))
  return baseConfig
}

/** A personality by its id, or undefined. */
export async function findPersonality(db: Database, id: number) {
  const [personality] = await db.select().from(personalities).where(eq(personalities.id, id))
  return personality
}
