import { eq } from 'drizzle-orm'
import type { AccountContext } from '../../api/context.ts'
import { ApiError } from '../../api/errors/api-error.ts'
import { configurationOf } from '../assistants/configuration.ts'
import { requireAssistant } from '../assistants/read/find.ts'
import { assistantRecord } from '../assistants/read/record.ts'
import { type AssistantChange, changeAssistant } from '../assistants/write/change.ts'
import { baseConfigs, industryTemplates, layer2Presets, personalities, promptTemplates } from '../catalogue/table.ts'
import type { Configuration } from '../history/configuration.ts'
import { restorableVersion } from './service.ts'

type Catalogue = typeof promptTemplates | typeof personalities | typeof baseConfigs | typeof industryTemplates

/** A reference to an entry that operators have deleted since is dropped: the texts were saved rendered. */
async function stillThere({ db }: AccountContext, table: Catalogue, id: number | null): Promise<number | null> {
  if (id === null) return null
  const [row] = await db.select({ id: table.id }).from(table).where(eq(table.id, id))
  return row?.id ?? null
}

async function presetStillThere({ db }: AccountContext, key: string | null): Promise<string | null> {
  if (key === null) return null
  const [row] = await db.select({ key: layer2Presets.key }).from(layer2Presets).where(eq(layer2Presets.key, key))
  return row?.key ?? null
}

/** The columns of a kept configuration, exactly as they were saved. */
async function columnsOf(ctx: AccountContext, kept: Configuration): Promise<AssistantChange> {
  const [templateId, personalityId, baseConfigId, industryTemplateId, layer2Key] = await Promise.all([
    stillThere(ctx, promptTemplates, kept.template_id),
    stillThere(ctx, personalities, kept.personality_id),
    stillThere(ctx, baseConfigs, kept.base_config_id),
    stillThere(ctx, industryTemplates, kept.industry_template_id),
    presetStillThere(ctx, kept.layer2_key),
  ])
  return {
    name: kept.name,
    type: kept.type as AssistantChange['type'],
    templateId,
    personalityId,
    baseConfigId,
    industryTemplateId,
    layer2Key,
    build: kept.build ?? null,
    webhookUrl: kept.webhook_url,
    metadata: kept.metadata,
    config: kept.config,
    live: kept.live as AssistantChange['live'],
    widgetEmbedConfig: kept.widget_embed_config && { ...kept.widget_embed_config },
  }
}

/**
 * Makes an earlier configuration the current one again, live platform first (contract: versions 8): both sides are then
 * as that version was saved, with the texts as they were rendered.
 * Throws 404, 403, 422 with the reason, 502 when the history cannot be read, 500 when the live write fails.
 */
export async function restoreAssistant(ctx: AccountContext, input: { assistantId: string; entryId: number }) {
  const row = await requireAssistant(ctx, input.assistantId)
  const version = await restorableVersion(ctx, row.id, input.entryId)
  const options = {
    action: 'restored',
    source: 'restore',
    failed: 'assistant_update_failed',
    restoredFrom: version.id,
  } as const
  const restored = await changeAssistant(ctx, input.assistantId, options, async (current) => {
    if (Bun.deepEquals(configurationOf(current), version.configuration)) throw new ApiError('version_current')
    return columnsOf(ctx, version.configuration)
  })
  return assistantRecord(restored)
}
