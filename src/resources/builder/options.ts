import { asc } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { baseConfigs, industryTemplates, layer2Presets, personalities } from '../catalogue/table.ts'

/** What a form offers to build from, by name (contract: builder 5). */
export async function formOptions({ db }: AccountContext) {
  const [base, industries, presets, voices] = await Promise.all([
    db.select({ id: baseConfigs.id, name: baseConfigs.name }).from(baseConfigs).orderBy(asc(baseConfigs.name)),
    db
      .select({
        id: industryTemplates.id,
        name: industryTemplates.name,
        base_config_id: industryTemplates.baseConfigId,
        custom_fields: industryTemplates.customFields,
      })
      .from(industryTemplates)
      .orderBy(asc(industryTemplates.name)),
    db
      .select({ id: layer2Presets.id, key: layer2Presets.key, name: layer2Presets.name })
      .from(layer2Presets)
      .orderBy(asc(layer2Presets.name)),
    db.select({ id: personalities.id, name: personalities.name }).from(personalities).orderBy(asc(personalities.name)),
  ])
  const data = { base_configs: base, industry_templates: industries, layer2_presets: presets, personalities: voices }
  return data
}
