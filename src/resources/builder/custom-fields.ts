import { validationError } from '../../api/errors/api-error.ts'
import type { Built } from './build.ts'

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

/** The required custom fields of the industry template that have no value, in variables or metadata. */
function blankFields({ draft, sources }: Pick<Built, 'draft' | 'sources'>): string[] {
  const values: Record<string, unknown> = { ...draft.metadata, ...draft.metadata.variable_values }
  const asked = sources.industry?.customFields ?? []
  return asked.filter(({ key, required }) => required && isBlank(values[key])).map(({ key }) => key)
}

/** Throws 422 on each custom field without which a call would speak of nothing ("this is Bare at ."). */
export function requireCustomFields(built: Pick<Built, 'draft' | 'sources'>): void {
  const fields = blankFields(built).map((key) => `variable_values.${key}`)
  if (fields.length === 0) return
  throw validationError(Object.fromEntries(fields.map((field) => [field, [`The ${field} field is required.`]])))
}
