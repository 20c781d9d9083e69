import { STATUS_CODES } from 'node:http'
import { type ApiError, type DocumentStyle, errorBody } from '../errors/api-error.ts'
import { type HeaderObject, type JsonSchema, type Reference, type ResponseObject, refTo } from './types.ts'

const text: JsonSchema = { type: 'string' }
const count: JsonSchema = { type: 'integer', minimum: 0 }

/** Headers that responses carry (contract: rest 19, rest 20). */
export const headers = {
  RequestId: { description: "The request's id: the caller's own when it is sane, else a new one.", schema: text },
  RateLimitLimit: {
    description: 'Requests per minute; left out, like the other two, when the limit is off.',
    schema: count,
  },
  RateLimitRemaining: { description: 'Requests left in this minute.', schema: count },
  RateLimitReset: { description: 'Seconds until the minute is over.', schema: count },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: count },
  IdempotencyReplayed: {
    description: '`true` when this is the kept response of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: {
    description: 'The tag of what was read: `If-None-Match` gets 304 for it, and a write takes it in `If-Match`.',
    schema: text,
    'x-extension': true,
  },
  Location: {
    description: 'Where what was made can be read.',
    schema: { type: 'string', format: 'uri' },
    'x-extension': true,
  },
} satisfies Record<string, HeaderObject>

const requestId: Record<string, Reference> = { 'x-request-id': refTo('headers', 'RequestId') }

/** The headers of every response; errors repeat only the request id, and 429 the limits, to keep the page readable. */
export const everyHeader: Record<string, Reference> = {
  ...requestId,
  'RateLimit-Limit': refTo('headers', 'RateLimitLimit'),
  'RateLimit-Remaining': refTo('headers', 'RateLimitRemaining'),
  'RateLimit-Reset': refTo('headers', 'RateLimitReset'),
}

const message: JsonSchema = { type: 'string', description: 'What went wrong, for a person to read.' }

const failed: JsonSchema = {
  type: 'boolean',
  const: false,
  description: 'There on the endpoints for assistants, squads and phone numbers, and for operators.',
}

/** The bodies of errors. */
export const errorSchemas: Record<string, JsonSchema> = {
  ErrorBody: {
    type: 'object',
    description: 'An error.',
    properties: {
      success: failed,
      message,
      code: { type: 'string', description: 'Names some errors for programs.' },
      feature: { type: 'string', description: 'The feature that the account lacks.' },
      scope: { type: 'string', description: 'The scope that the token lacks.' },
      error: { type: 'boolean', const: true, description: 'There when a turn failed or could not be paid.' },
      content: { type: 'string', description: 'The text whose turn failed, as it was sent.' },
      insufficient_tokens: { type: 'boolean', const: true, description: 'There when the balance is empty.' },
      payer_is_self: {
        type: 'boolean',
        description: "False for a member who spends the workspace owner's balance, and has to ask for a recharge.",
      },
    },
    required: ['message'],
    additionalProperties: true,
  },
  ValidationErrorBody: {
    type: 'object',
    description: 'An input that was refused; `message` is the first text and says how many more there are.',
    properties: {
      success: failed,
      message,
      errors: {
        type: 'object',
        description: 'Texts by field, nested fields as dotted paths such as `metadata.email_notifications.0`.',
        additionalProperties: { type: 'array', items: text },
      },
    },
    required: ['message', 'errors'],
    additionalProperties: true,
  },
  CompletionsErrorBody: {
    type: 'object',
    description: "An error in the completions endpoint's envelope; some statuses carry the plain body beside it.",
    properties: {
      message,
      error: {
        type: 'object',
        properties: { message, type: text, code: { type: 'integer', description: 'The status.' } },
        required: ['message', 'type', 'code'],
      },
    },
    required: ['error'],
    additionalProperties: true,
  },
}

function schemaOf(bodies: Record<string, unknown>[], style: DocumentStyle): JsonSchema {
  if (style === 'completions') return refTo('schemas', 'CompletionsErrorBody')
  const refused = bodies.filter((body) => 'errors' in body)
  const members: JsonSchema[] = []
  if (refused.length > 0) members.push(refTo('schemas', 'ValidationErrorBody'))
  if (refused.length < bodies.length) members.push(refTo('schemas', 'ErrorBody'))
  return members.length === 1 ? { ...members[0] } : { anyOf: members }
}

function headersOf(status: number): Record<string, Reference> {
  const retryAfter = { 'Retry-After': refTo('headers', 'RetryAfter') }
  if (status === 429) return { ...everyHeader, ...retryAfter }
  return status === 503 ? { ...requestId, ...retryAfter } : requestId
}

/** The response of one status, with the bodies that the server gives its errors as examples. */
export function errorResponse(errors: ApiError[], style: DocumentStyle): ResponseObject {
  const status = errors[0]?.status ?? 500
  const bodies = errors.map((error) => errorBody(error, style))
  const examples = errors.map((error, index) => [error.code, { summary: error.message, value: bodies[index] }])
  const description = errors.length === 1 ? errors[0]?.message : STATUS_CODES[status]
  return {
    description: description || 'Error',
    headers: headersOf(status),
    content: { 'application/json': { schema: schemaOf(bodies, style), examples: Object.fromEntries(examples) } },
  }
}

export const tag: Record<string, Reference> = { ETag: refTo('headers', 'ETag') }
export const location: Record<string, Reference> = { Location: refTo('headers', 'Location') }

/** A read of JSON that the caller has already. */
export const unchanged: ResponseObject = {
  description: 'What is read is still that of the ETag in If-None-Match.',
  headers: { ...everyHeader, ...tag },
}

/** Sent by the HTTP server itself, and named where an operation has no refusal of its own. */
export const headersTooLarge: ResponseObject = { description: 'The headers of the request are too large.' }
