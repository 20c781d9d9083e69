import type { ErrorName } from './error-catalogue.ts'
import { ApiError } from './errors.ts'
import type { OperationMeta } from './meta.ts'
import type { Operation } from './operations.ts'

/** What fills `{detail}` of a text in the documentation, where the operation itself does not say it. */
const details: Partial<Record<ErrorName, string>> = {
  assistant_quota_reached: '5 assistants',
  assistant_update_failed: 'voice.voiceId is not a known voice',
  catalogue_entry_in_use: '2 assistants',
}

const documented = (name: ErrorName) => new ApiError(name, { detail: details[name] })

/** What the gates answer, in their order (spec 3, section 2, order of checks). */
function gateErrors(meta: OperationMeta): ApiError[] {
  if (meta.access === 'public') return []
  const errors = [documented('unauthenticated')]
  if (meta.document === 'agents' || meta.document === 'completions') errors.push(documented('email_not_verified'))
  if (meta.feature) {
    errors.push(new ApiError('feature_disabled', { detail: meta.feature, extra: { feature: meta.feature } }))
  }
  if (meta.access === 'operator') errors.push(documented('operator_only'))
  errors.push(new ApiError('too_many_requests', { headers: { 'retry-after': '30' } }))
  if (meta.permission === 'write') errors.push(documented('permission_denied'))
  return errors
}

function bodyErrors(meta: OperationMeta): ApiError[] {
  const types = meta.multipart ? 'multipart/form-data or application/json' : 'application/json'
  const errors = [
    new ApiError('body_too_large', { detail: '1 MB' }),
    new ApiError('unsupported_media_type', { detail: types }),
    documented('malformed_body'),
  ]
  return meta.multipart ? [...errors, documented('malformed_form')] : errors
}

/** Whether an `Idempotency-Key` counts: on every POST of a caller that is known (spec 3, section 3). */
export const takesIdempotencyKey = (method: string, meta: OperationMeta): boolean =>
  method === 'POST' && meta.access !== 'public'

const idempotencyErrors = () => [
  documented('idempotency_key_invalid'),
  documented('idempotency_key_reused'),
  documented('idempotency_key_running'),
]

/**
 * Every error that an operation can answer with one of its methods, each name once: those of its gates, its input, its
 * ids and its own list, and those that can always happen. `refusal` is what a wrong input is answered, if one exists.
 */
export function errorsOf(
  { meta }: Operation,
  method: string,
  input: { hasBody: boolean; refusal: ApiError | undefined },
): ApiError[] {
  const all = [
    ...gateErrors(meta),
    ...(input.hasBody ? bodyErrors(meta) : []),
    ...(input.refusal ? [input.refusal] : []),
    ...(takesIdempotencyKey(method, meta) ? idempotencyErrors() : []),
    ...Object.values(meta.ids ?? {}).map(documented),
    ...(meta.errors ?? []).map(documented),
    documented('internal_error'),
    documented('database_unavailable'),
  ]
  return [...new Map(all.map((error) => [error.code, error])).values()]
}
