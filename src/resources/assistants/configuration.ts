import type { Configuration } from '../history/configuration.ts'
import type { assistants } from './table.ts'

type Row = Pick<
  typeof assistants.$inferSelect,
  | 'name'
  | 'type'
  | 'templateId'
  | 'personalityId'
  | 'baseConfigId'
  | 'industryTemplateId'
  | 'layer2Key'
  | 'kept'
  | 'build'
  | 'webhookUrl'
  | 'metadata'
  | 'config'
  | 'live'
  | 'widgetEmbedConfig'
>

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
