import type { ErrorEntry } from '../entry.ts'

/** A 422 on the header: it has `errors` as those on fields have. */
const onIdempotencyKey = (message: string) => ({
  status: 422 as const,
  message,
  extra: { errors: { 'Idempotency-Key': [message] } },
})

/** What any request can meet: its transport, its caller, its headers. */
export const requests = {
  // Transport
  route_not_found: { status: 404, message: 'No such path.' },
  method_not_allowed: { status: 405, message: 'This path does not answer that method.' },
  malformed_body: { status: 400, message: 'The body is not valid JSON.' },
  malformed_form: { status: 400, message: 'The body is not a valid form.' },
  batch_too_large: { status: 400, message: 'One request holds at most {detail} calls.' },
  batch_mixed: { status: 400, message: 'The calls of one request are all queries or all mutations.' },
  subscription_batched: {
    status: 400,
    message: 'A subscription is a stream of events: ask for it by itself, neither in a batch nor as JSON lines.',
  },
  stream_unbatched: { status: 400, message: 'Results as JSON lines are given to batches alone: add batch=1.' },
  batch_response_too_large: {
    status: 422,
    message: 'What these calls give is too large for one response. Ask for fewer at a time.',
  },
  body_too_late: {
    status: 408,
    message: 'The body did not arrive in time.',
    headers: { connection: 'close' },
  },
  body_too_large: { status: 413, message: 'The body is too large: at most {detail}.' },
  unsupported_media_type: { status: 415, message: 'Unsupported content type: send {detail}.' },
  validation_failed: { status: 422, message: '{detail}' },
  internal_error: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable. Please try again.',
    headers: { 'retry-after': '2' },
  },

  // Callers
  unauthenticated: { status: 401, message: 'Unauthenticated.', headers: { 'www-authenticate': 'Bearer' } },
  email_not_verified: {
    status: 409,
    message: 'Your e-mail address is not verified yet.',
    extra: { code: 'EMAIL_NOT_VERIFIED' },
  },
  feature_disabled: {
    status: 403,
    message: 'The feature {detail} is not enabled for this account.',
    success: false,
  },
  operator_only: { status: 403, message: 'Only an operator may do this.', success: false },
  scope_missing: { status: 403, message: 'This token does not have the scope {detail}.', success: false },
  permission_denied: { status: 403, message: 'Your workspace role does not allow this change.', success: false },
  too_many_requests: { status: 429, message: 'Too Many Attempts.' },

  // Idempotency-Key
  idempotency_key_invalid: onIdempotencyKey('The Idempotency-Key header must be 1 to 255 characters.'),
  idempotency_key_reused: onIdempotencyKey('This Idempotency-Key was used with another body.'),
  idempotency_key_running: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running.',
  },

  // If-Match
  precondition_failed: { status: 412, message: 'The resource has changed since it was read.' },
} as const satisfies Record<string, ErrorEntry>
