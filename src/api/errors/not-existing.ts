import { violationOf } from '../../db/violations.ts'
import { type ApiError, validationError } from './api-error.ts'

/** The 422 of a field that names something which does not exist (contract: assistants 17). */
export const notExisting = (field: string): ApiError =>
  validationError({ [field]: [`The selected ${field} does not exist.`] })

/** The 422 of a field whose value somebody else has. */
export const taken = (field: string): ApiError => validationError({ [field]: [`The ${field} has already been taken.`] })

/**
 * Turns a broken constraint into the 422 of the field that `fields` names for it; whatever else was thrown stays as
 * it is. The database judges, so that two requests at once cannot both pass.
 */
export async function violationsAs<T>(fields: Record<string, string>, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const broken = violationOf(error)
    const field = broken && fields[broken.constraint]
    if (!field) throw error
    throw broken.kind === 'unique' ? taken(field) : notExisting(field)
  }
}
