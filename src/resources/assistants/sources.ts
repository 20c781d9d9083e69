import { eq } from 'drizzle-orm'
import { notExisting } from '../../api/refusals.ts'
import type { Database } from '../../db/client.ts'
import { baseConfigs, personalities, promptTemplates } from '../catalogue/table.ts'

/** The catalogue entries that an assistant's live configuration is made from. */
export interface Sources {
  template?: typeof promptTemplates.$inferSelect
  baseConfig?: typeof baseConfigs.$inferSelect
  personality?: typeof personalities.$inferSelect
}

/** The catalogue entries that an assistant names. */
export interface References {
  templateId: number | null
  personalityId: number | null
  baseConfigId: number | null
}

/**
 * Loads what a draft refers to.
 * Throws 422 on `template_id` when there is no such template (spec 3, section 4).
 */
export async function loadSources(db: Database, draft: References): Promise<Sources> {
  const sources: Sources = {}
  if (draft.templateId !== null) {
    const [template] = await db.select().from(promptTemplates).where(eq(promptTemplates.id, draft.templateId))
    if (!template) throw notExisting('template_id')
    sources.template = template
  }
  const baseConfigId = draft.baseConfigId ?? sources.template?.baseConfigId ?? null
  if (baseConfigId !== null) {
    const [baseConfig] = await db.select().from(baseConfigs).where(eq(baseConfigs.id, baseConfigId))
    if (baseConfig) sources.baseConfig = baseConfig
  }
  if (draft.personalityId !== null) {
    const personality = await findPersonality(db, draft.personalityId)
    if (personality) sources.personality = personality
  }
  return sources
}

/** A personality by its id, or undefined. */
export async function findPersonality(db: Database, id: number) {
  const [personality] = await db.select().from(personalities).where(eq(personalities.id, id))
  return personality
}
