import type { AssistantConfig, Build } from '../schema.ts'

/** The greeting and the end-call text, which layers and templates bring, too. */
export const spokenFields = ['firstMessage', 'endCallMessage'] as const

/** All texts of an assistant that are rendered, but for its messages. */
export const textFields = [...spokenFields, 'voicemailMessage'] as const

export type SpokenField = (typeof spokenFields)[number]
type Spoken = { [Field in SpokenField]?: string | null | undefined }

/** The greeting and the end-call text of a template, with their placeholders. */
export type TemplateTexts = { [Field in SpokenField]: string | null }

/** What the template of these sources brings; null without one. */
export const templateTextsOf = ({ template }: { template?: TemplateTexts }): TemplateTexts | null =>
  template ? { firstMessage: template.firstMessage, endCallMessage: template.endCallMessage } : null

/**
 * The texts that an assistant says first and last, with their placeholders: its own, else the template's. One that the
 * builder merged and that is no longer there was taken away by an editor: no template brings it back.
 */
export function spokenTextsOf(
  { config, build }: { config: AssistantConfig; build: Build | null },
  template?: Spoken,
): Spoken {
  const text = (field: SpokenField) => config[field] ?? (build?.config[field] == null ? template?.[field] : undefined)
  return { firstMessage: text('firstMessage'), endCallMessage: text('endCallMessage') }
}
