import type { FieldErrors } from '../../api/errors/api-error.ts'
import type { References, Sources } from '../assistants/rendering/sources.ts'
import type { Build } from '../assistants/schema.ts'
import type { Layer } from './merge-layers.ts'

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
const fields = [
  ['base_config_id', 'baseConfigId', 'baseConfig'],
  ['layer2_key', 'layer2Key', 'preset'],
  ['prompt_template_id', 'templateId', 'template'],
  ['industry_template_id', 'industryTemplateId', 'industry'],
  ['personality_id', 'personalityId', 'personality'],
] as const satisfies readonly [field: string, reference: keyof References, source: keyof Sources][]

/** What is named but does not exist (contract: builder 11). */
export function missingReferences(named: References, sources: Sources): FieldErrors {
  return Object.fromEntries(
    fields
      .filter(([, reference, source]) => named[reference] !== null && !sources[source])
      .map(([field]) => [field, [`The selected ${field} does not exist.`]]),
  )
}
