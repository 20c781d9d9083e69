import type { client } from '../../../api/client.ts'
import { changedFields } from '../../../parts/changes.ts'

export type EmbedConfig = Parameters<typeof client.embed.update.mutate>[0]['embed_config']

export const themes = ['light', 'dark'] as const
export const positions = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const
export const sizes = ['tiny', 'compact', 'full'] as const
export const corners = ['none', 'small', 'medium', 'large'] as const

const texts = [
  'accent_color',
  'base_bg_color',
  'cta_button_color',
  'cta_button_text_color',
  'title',
  'cta_title',
  'cta_subtitle',
  'start_button_text',
  'end_button_text',
  'chat_first_message',
  'chat_placeholder',
  'chat_empty_message',
  'consent_title',
  'consent_content',
  'locale',
] as const

/** The widget's settings as the form holds them; an empty text stands for the widget's own. */
export interface Settings extends Record<(typeof texts)[number], string> {
  enabled: boolean
  theme: (typeof themes)[number]
  position: (typeof positions)[number]
  size: (typeof sizes)[number]
  border_radius: (typeof corners)[number]
  consent_required: boolean
  allowed_origins: string[]
}

const textsOf = (config: EmbedConfig) =>
  Object.fromEntries(texts.map((name) => [name, config[name] ?? ''])) as Record<(typeof texts)[number], string>

/** The form's values for a stored configuration. */
export const settingsOf = (config: EmbedConfig): Settings => ({
  enabled: config.enabled ?? true,
  theme: config.theme ?? 'light',
  position: config.position ?? 'bottom-right',
  size: config.size ?? 'compact',
  border_radius: config.border_radius ?? 'medium',
  consent_required: config.consent_required ?? false,
  allowed_origins: config.allowed_origins ?? [],
  ...textsOf(config),
})

const configured = (settings: Partial<Settings>): EmbedConfig =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value === '' ? null : value]))

/** The configuration as the form has it, for the preview. */
export const configOf = (settings: Settings, stored: EmbedConfig): EmbedConfig => ({
  ...stored,
  ...configured(settings),
})

/** The configuration to save: a save replaces the stored one, of which all stays that was not changed in the form. */
export const configAfter = (before: Settings, after: Settings, stored: EmbedConfig): EmbedConfig => ({
  ...stored,
  ...configured(changedFields(before, after)),
})
