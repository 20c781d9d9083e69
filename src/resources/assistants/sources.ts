import { eq } from 'drizzle-orm'
import { validationError } from '../../api/errors.ts'
import type { Database } from '../../db/client.ts'
import { baseConfigs, promptTemplates } from '../catalogue/table.ts'
import type { Draft } from './draft.ts'

/** The catalogue entries that an assistant's live configuration is made from. */
export interface Sources {
  template?: typeof promptTemplates.$inferSelect
  baseConfig?: typeof baseConfigs.$inferSelect
}

const exists = (field: string) => validationError({ [field]: [`The selected ${field} does not exist.`] })

/**
 * Loads what a draft refers to.
 * Throws 422 on `template_id` when there is no such template (spec 3, section 4).
 */
export async function loadSources(db: Database, draft: Draft): Promise<Sources> {
  const sources: Sources = {}
  if (draft.templateId !== null) {
    const [template] = await db.select().from(promptTemplates).where(eq(promptTemplates.id, draft.templateId))
    if (!template) throw exists('template_id')
    sources.template = template
  }
  const baseConfigId = draft.baseConfigId ?? sources.template?.baseConfigId ?? null
  if (baseConfigId !== null) {
    const [baseConfig] = await db.select().from(baseConfigs).where(eq(baseConfigs.id, baseConfigId))
    if (baseConfig) sources.baseConfig = baseConfig
  }
  return sources
}
