import { type ErrorName, errorEntry } from './catalogue.ts'
import type { ErrorEntry } from './entry.ts'

export type { ErrorName } from './catalogue.ts'

/** Which document's conventions an operation's bodies follow. */
export type DocumentStyle = 'voice' | 'accounts' | 'agents' | 'completions'

/** Texts by dotted field path (contract: rest 10). */
export type FieldErrors = Record<string, string[]>

interface ApiErrorOptions {
  /** Fills `{detail}` in the catalogue's text; one short sentence that may be shown to anyone. */
  detail?: string
  fields?: FieldErrors
  /** Keys of the body besides the catalogue's own. */
  extra?: Record<string, unknown>
  headers?: Record<string, string>
  /** Whether the change may have been made all the same, or may still be: the text says so. */
  outcomeUnknown?: boolean
  cause?: unknown
}

const retry = / Please try again\.$/
const readFirst = 'The change may have been made; read it before trying again.'

/**
 * The text of an entry; where nobody knows what became of a change and the text is ours to choose, it does not ask for
 * the same again.
 */
function textOf({ message, fixed }: ErrorEntry, { detail = '', outcomeUnknown }: ApiErrorOptions): string {
  const text = message.replace('{detail}', () => detail)
  return outcomeUnknown && !fixed ? `${text.replace(retry, '')} ${readFirst}` : text
}

/** What services throw: a name of the catalogue, with what the text and the body need. */
export class ApiError extends Error {
  readonly status: number

  constructor(
    readonly code: ErrorName,
    readonly options: ApiErrorOptions = {},
  ) {
    const entry = errorEntry(code)
    super(textOf(entry, options), { cause: options.cause })
    this.name = 'ApiError'
    this.status = entry.status
  }
}

/** Texts of one validation 422: whoever sends half a million mistakes is not sent them back. */
const maxListed = 100

function firstOf(fields: FieldErrors): FieldErrors {
  const first: FieldErrors = {}
  let left = maxListed
  for (const [field, texts] of Object.entries(fields)) {
    if (left <= 0) break
    first[field] = texts.slice(0, left)
    left -= texts.length
  }
  return first
}

/** A validation 422: `message` is the first text, then how many more there are (contract: rest 10). */
export function validationError(fields: FieldErrors, message?: string): ApiError {
  const texts = Object.values(fields).flat()
  const listed = texts.length > maxListed ? firstOf(fields) : fields
  const more = texts.length - 1
  const suffix = more > 0 ? ` (and ${more} more error${more > 1 ? 's' : ''})` : ''
  const detail = message ?? `${texts[0] ?? 'The input is invalid.'}${suffix}`
  return new ApiError('validation_failed', { detail, fields: listed })
}

const completionsType = (status: number) => {
  if (status === 402) return 'insufficient_quota'
  return status >= 500 ? 'api_error' : 'invalid_request_error'
}

/** Statuses whose completions response carries the catalogue's body beside the envelope (contract: completions 10). */
const bothBodies = new Set([401, 403, 409, 422, 429])

function plainBody(error: ApiError, entry: ErrorEntry, style: DocumentStyle): Record<string, unknown> {
  const { fields, extra } = error.options
  const failed = entry.success === false || (style === 'voice' && entry.status === 422)
  return {
    ...(failed && { success: false }),
    message: error.message,
    ...entry.extra,
    ...extra,
    ...(fields && { errors: fields }),
  }
}

/** The body of an error in the style of the document that its operation belongs to. */
export function errorBody(error: ApiError, style: DocumentStyle): Record<string, unknown> {
  const body = plainBody(error, errorEntry(error.code), style)
  if (style !== 'completions') return body
  const envelope = { message: error.message, type: completionsType(error.status), code: error.status }
  return bothBodies.has(error.status) ? { ...body, error: envelope } : { error: envelope }
}
