import type { FieldErrors } from '../../api/errors/api-error.ts'
import type { References, Sources } from '../assistants/rendering/sources.ts'
import type { BuildBody } from './schema.ts'

/** The body's field of each reference, and where it leads. */
export const layerFields = [
  { field: 'base_config_id', reference: 'baseConfigId', source: 'baseConfig' },
  { field: 'layer2_key', reference: 'layer2Key', source: 'preset' },
  { field: 'prompt_template_id', reference: 'templateId', source: 'template' },
  { field: 'industry_template_id', reference: 'industryTemplateId', source: 'industry' },
  { field: 'personality_id', reference: 'personalityId', source: 'personality' },
] as const satisfies { field: keyof BuildBody; reference: keyof References; source: keyof Sources }[]

/**
 * The layers that a body chooses anew. A reference that is repeated is no choice: null, where the record shows it,
 * leaves the copy that stands in for a deleted entry (contract: versions 13).
 */
export const chosenLayers = (stored: References, body: BuildBody) =>
  layerFields.filter(({ field, reference }) => body[field] !== undefined && body[field] !== stored[reference])

/** What is named but does not exist (contract: builder 11). */
export function missingReferences(named: References, sources: Sources): FieldErrors {
  return Object.fromEntries(
    layerFields
      .filter(({ reference, source }) => named[reference] !== null && !sources[source])
      .map(({ field }) => [field, [`The selected ${field} does not exist.`]]),
  )
}
