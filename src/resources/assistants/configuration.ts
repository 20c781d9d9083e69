import type { Configuration } from '../history/configuration.ts'
import type { assistants } from './table.ts'
import type { Draft } from './write/draft.ts'

type Row = Draft & Pick<typeof assistants.$inferSelect, 'live' | 'widgetEmbedConfig'>

/** What the history keeps of an assistant: all that decides how it behaves, not whose it is. */
export const configurationOf = (row: Row): Configuration => ({
  name: row.name,
  type: row.type,
  template_id: row.templateId,
  personality_id: row.personalityId,
  base_config_id: row.baseConfigId,
  industry_template_id: row.industryTemplateId,
  layer2_key: row.layer2Key,
  kept: row.kept,
  build: row.build,
  webhook_url: row.webhookUrl,
  metadata: row.metadata,
  config: row.config,
  live: row.live,
  widget_embed_config: row.widgetEmbedConfig,
})
