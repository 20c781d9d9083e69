import { refusesViewers, requiredScope, scopeMissing } from '../auth/permission.ts'
import { ApiError } from '../errors/api-error.ts'
import { type ErrorName, errorEntry } from '../errors/catalogue.ts'
import { takesIdempotencyKey } from '../idempotency/replay.ts'
import type { OperationMeta } from '../meta.ts'
import type { Operation } from '../operations.ts'
import { bodyTypesOf, formType, jsonType } from '../rest/body-types.ts'

/** What fills `{detail}` of a text in the documentation, where the operation itself does not say it. */
const details: Partial<Record<ErrorName, string>> = {
  assistant_quota_reached: '5 assistants',
  assistant_update_failed: 'voice.voiceId is not a known voice',
  budget_exceeded: '300000 tokens per month for this agent',
  catalogue_entry_in_use: '2 assistants',
  file_type_unsupported: 'txt, md, markdown, csv, json, log, text, pdf, doc, docx, rtf',
  profile_update_failed: 'the picture could not be stored.',
  assistant_in_squad: 'Front office',
  assistant_named: 'squad "Front office"',
  squad_named: 'assistant "Front desk"',
  calls_unavailable: 'The voice platform did not answer in time.',
  phone_number_rejected: 'fallbackDestination.number must be a valid phone number in E.164 format.',
  phone_purchase_failed: 'The number is not available any more.',
  squad_invalid: 'Two members are named Reception.',
  validation_failed: 'The input is invalid.',
}

function documented(name: ErrorName): ApiError {
  const detail = details[name]
  if (detail === undefined && errorEntry(name).message.includes('{detail}')) {
    throw new Error(`The text of ${name} has a {detail}: give it an example in src/api/openapi/errors.ts`)
  }
  return new ApiError(name, { detail })
}

/** What the gates respond with, in their order (contract: rest 7). */
function gateErrors(meta: OperationMeta): ApiError[] {
  const tooMany = new ApiError('too_many_requests', { headers: { 'retry-after': '30' } })
  if (meta.access === 'public') return meta.rate === 'visitor' ? [tooMany] : []
  const errors = [documented('unauthenticated')]
  if (meta.document === 'agents' || meta.document === 'completions') errors.push(documented('email_not_verified'))
  if (meta.feature) {
    errors.push(new ApiError('feature_disabled', { detail: meta.feature, extra: { feature: meta.feature } }))
  }
  if (meta.access === 'operator') errors.push(documented('operator_only'))
  errors.push(new ApiError('scope_missing', scopeMissing(requiredScope(meta))))
  errors.push(tooMany)
  if (refusesViewers(meta)) errors.push(documented('permission_denied'))
  return errors
}

/** Whether a body is read, even where none is asked for. */
const readsBody = (method: string) => method !== 'GET' && method !== 'DELETE'

function bodyErrors(operation: Operation): ApiError[] {
  const types = bodyTypesOf(operation)
  const errors = [
    new ApiError('body_too_large', { detail: '1 MB' }),
    new ApiError('unsupported_media_type', { detail: types.join(' or ') }),
    ...(types.includes(jsonType) ? [documented('malformed_body')] : []),
    documented('body_too_late'),
  ]
  return types.includes(formType) && !operation.meta.uploads ? [...errors, documented('malformed_form')] : errors
}

const idempotencyErrors = () => [
  documented('idempotency_key_invalid'),
  documented('idempotency_key_reused'),
  documented('idempotency_key_running'),
]

/**
 * Every error that an operation can respond with at one of its methods, each name once, as it is said first: those of
 * its gates, its input, its ids and its own list, and those that can always happen. `refusal` is the error for a wrong
 * input, if one exists. Throws for an error whose text cannot be filled.
 */
export function errorsOf(operation: Operation, method: string, refusal: ApiError | undefined): ApiError[] {
  const { meta } = operation
  const all = [
    ...gateErrors(meta),
    ...(readsBody(method) ? bodyErrors(operation) : []),
    ...(refusal ? [refusal] : []),
    ...(takesIdempotencyKey(method, meta) ? idempotencyErrors() : []),
    ...(meta.matches ? [documented('precondition_failed')] : []),
    ...Object.values(meta.ids ?? {}).map(documented),
    ...(meta.errors ?? []).map(documented),
    documented('internal_error'),
    documented('service_unavailable'),
  ]
  return [...new Map(all.toReversed().map((error) => [error.code, error])).values()].toReversed()
}
