import { validationError } from '../../api/errors/api-error.ts'
import { isObject } from '../../json/object.ts'
import type { Draft } from '../assistants/write/draft.ts'
import type { Built } from './build.ts'

/** Whether a value says nothing; 0 and false do. */
const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)

/** What fills the custom fields: variables, or metadata. */
const valuesOf = ({ metadata }: Pick<Draft, 'metadata'>): Record<string, unknown> => ({
  ...metadata,
  ...metadata.variable_values,
})

/**
 * Throws 422 on each required custom field without which a call would speak of nothing ("this is Bare at ."). `stored`
 * is the assistant before an update: what was missing there under the same template may be missing still.
 */
export function requireCustomFields({ draft, sources }: Pick<Built, 'draft' | 'sources'>, stored?: Draft): void {
  const values = valuesOf(draft)
  const before = stored?.industryTemplateId === draft.industryTemplateId ? valuesOf(stored) : undefined
  const fields = (sources.industry?.customFields ?? [])
    .filter(({ key, required }) => required && isBlank(values[key]) && !(before && isBlank(before[key])))
    .map(({ key }) => `variable_values.${key}`)
  if (fields.length === 0) return
  throw validationError(Object.fromEntries(fields.map((field) => [field, [`The ${field} field is required.`]])))
}
