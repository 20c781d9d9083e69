import type { FieldErrors } from '../../api/errors/api-error.ts'
import type { References, Sources } from '../assistants/rendering/sources.ts'
import type { Build } from '../assistants/schema.ts'
import type { Layer } from './merge-layers.ts'
import type { BuildBody } from './schema.ts'

const texts = (firstMessage: string | null | undefined, endCallMessage: string | null | undefined) => ({
  firstMessage: firstMessage ?? undefined,
  endCallMessage: endCallMessage ?? undefined,
})

/** The layers of an assistant, lowest first, from what its references lead to and what requests said. */
export function layersOf(sources: Sources, request: Build['request']): Layer[] {
  const { baseConfig, industry, preset, personality, template } = sources
  return [
    { name: 'base_config', config: baseConfig?.config },
    { name: 'industry_template', prompt: industry?.prompt },
    { name: 'layer2_preset', config: preset?.overrides },
    { name: 'personality', config: personality && { voice: personality.voice } },
    {
      name: 'prompt_template',
      prompt: template?.prompt,
      config: texts(template?.firstMessage, template?.endCallMessage),
    },
    {
      name: 'request',
      prompt: request.system_prompt,
      config: texts(request.first_message, request.end_call_message),
    },
  ]
}

/** The body's field of each reference, and where it leads. */
export const layerFields = [
  { field: 'base_config_id', reference: 'baseConfigId', source: 'baseConfig' },
  { field: 'layer2_key', reference: 'layer2Key', source: 'preset' },
  { field: 'prompt_template_id', reference: 'templateId', source: 'template' },
  { field: 'industry_template_id', reference: 'industryTemplateId', source: 'industry' },
  { field: 'personality_id', reference: 'personalityId', source: 'personality' },
] as const satisfies { field: keyof BuildBody; reference: keyof References; source: keyof Sources }[]

/** What is named but does not exist (contract: builder 11). */
export function missingReferences(named: References, sources: Sources): FieldErrors {
  return Object.fromEntries(
    layerFields
      .filter(({ reference, source }) => named[reference] !== null && !sources[source])
      .map(({ field }) => [field, [`The selected ${field} does not exist.`]]),
  )
}
