import { TRPCError } from '@trpc/server'
import type { Logger } from 'pino'
import type { z } from 'zod'
import { isDatabaseFault, isUnreachable } from '../../db/unreachable.ts'
import { ObjectStoreError } from '../../storage/object-store.ts'
import { OutcomeUnknownError } from '../../voice-platform/mirror/outcome.ts'
import { RequestTimeoutError } from '../deadline.ts'
import type { OperationMeta } from '../meta.ts'
import { batchMixed, batchSubscribes, batchTooLarge, maxBatchSize } from '../rpc/batch.ts'
import { ApiError, type DocumentStyle, type ErrorName, errorBody } from './api-error.ts'
import { errorEntry } from './catalogue.ts'
import { inputError } from './validation.ts'

/**
 * The official chat-completions clients send these again unless they are told not to; what may be tried again at once
 * was tried by this server, and what may be later says when (contract: rest 37).
 */
const isFinal = (status: number, headers: Record<string, string>) =>
  (status === 409 || status === 500 || status === 502) && !('retry-after' in headers)

/** A failed operation as both faces respond to it. */
export class ErrorResponse extends Error {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Record<string, string>
  readonly code: string
  /** Whether the change may have been made all the same. */
  readonly outcomeUnknown: boolean

  constructor(error: ApiError, style: DocumentStyle) {
    super(error.message, { cause: error })
    this.status = error.status
    this.code = error.code
    this.outcomeUnknown = error.options.outcomeUnknown ?? false
    this.body = errorBody(error, style)
    const headers = { ...errorEntry(error.code).headers, ...error.options.headers }
    this.headers = isFinal(this.status, headers) ? { ...headers, 'x-should-retry': 'false' } : headers
  }

  /** The same failure as the operation at `path` says it. */
  forOperation(_path: string | undefined): ErrorResponse {
    return this
  }
}

/**
 * Why a request of several operations was refused before any of them ran: each says so with its own document's body.
 */
export class RequestErrorResponse extends ErrorResponse {
  constructor(
    private readonly error: ApiError,
    private readonly documentOf: (path: string | undefined) => DocumentStyle,
  ) {
    super(error, documentOf(undefined))
  }

  override forOperation(path: string | undefined): ErrorResponse {
    return new ErrorResponse(this.error, this.documentOf(path))
  }
}

const unknownOutcome = ({ code, options }: ApiError) => new ApiError(code, { ...options, outcomeUnknown: true })

/** What a write threw: where the database was lost on the way, nobody knows how far it came. */
export const thrownByWrite = (error: unknown): unknown =>
  !(error instanceof ApiError) && isUnavailable(error) ? new OutcomeUnknownError(error) : error

const isUnavailable = (error: unknown) => error instanceof RequestTimeoutError || isUnreachable(error)

/**
 * Whatever was thrown, as an error of the catalogue; what nobody foresaw becomes a 500 that says nothing of its inside.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof OutcomeUnknownError) return unknownOutcome(toApiError(error.cause))
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof OutcomeUnknownError) return toApiError(cause)
  if (cause instanceof ApiError) return cause
  if (error instanceof TRPCError && error.code !== 'INTERNAL_SERVER_ERROR') return protocolError(error)
  // What a store, or a database without room, was to keep is not recorded: the outcome is known.
  if (error instanceof RequestTimeoutError || isDatabaseFault(error) || error instanceof ObjectStoreError) {
    return new ApiError('service_unavailable', { cause: error })
  }
  return new ApiError('internal_error', { cause: error })
}

/**
 * A refused input: a malformed id in the path is the 404 of the resource it names, what is no file where one belongs
 * and what a field's own rule refuses the error that the operation says, the rest a 422.
 */
export function refusedInput(error: z.core.$ZodError, meta: OperationMeta): ApiError {
  const ids: Record<string, ErrorName> = meta.ids ?? {}
  for (const issue of error.issues) {
    const notFound = ids[String(issue.path[0])]
    if (notFound) return new ApiError(notFound)
  }
  const uploads: Record<string, ErrorName> = meta.uploads ?? {}
  const refuses: Record<string, ErrorName> = meta.refuses ?? {}
  for (const issue of error.issues) {
    const field = String(issue.path[0])
    const own = (issue.code === 'invalid_type' && uploads[field]) || (issue.code === 'custom' && refuses[field])
    if (own) return new ApiError(own)
  }
  return inputError(error, meta.validationMessage)
}

/** A form that breaks off in a file is no file either, where an operation has an error of its own for that. */
function asUpload(error: ApiError, { uploads = {} }: OperationMeta): ApiError {
  const [own] = Object.values<ErrorName>(uploads)
  return error.code === 'malformed_form' && own ? new ApiError(own, { cause: error }) : error
}

/** What an operation responds with for whatever was thrown; what is our own fault is logged. */
export function errorResponseFor(
  { log, requestId, signal }: { log: Logger; requestId: string; signal: AbortSignal },
  error: unknown,
  path: string,
  meta: OperationMeta,
): ErrorResponse {
  const known = asUpload(toApiError(error), meta)
  if (signal.aborted)
    log.debug({ event: 'client_left', err: known.options.cause ?? known, path, requestId }, 'the client left')
  // Who asks for what this platform has not is no fault of ours.
  else if (known.status >= 500 && known.status !== 501)
    log.error({ event: 'request_failed', err: known.options.cause ?? known, path, requestId }, known.code)
  return new ErrorResponse(known, meta.document ?? 'accounts')
}

/** The failure behind an error that a procedure or tRPC itself threw. */
export function errorResponseOf(error: unknown): ErrorResponse {
  if (error instanceof ErrorResponse) return error
  if (error instanceof TRPCError && error.cause instanceof ErrorResponse) return error.cause
  return new ErrorResponse(toApiError(error), 'agents')
}

/** Errors that tRPC raises by itself, outside any procedure. */
function protocolError(error: TRPCError): ApiError {
  switch (error.code) {
    case 'NOT_FOUND':
      return new ApiError('route_not_found')
    case 'METHOD_NOT_SUPPORTED':
      return new ApiError('method_not_allowed')
    case 'PARSE_ERROR':
      return new ApiError('malformed_body')
    case 'BAD_REQUEST':
      if (error.message === batchTooLarge) return new ApiError('batch_too_large', { detail: String(maxBatchSize) })
      if (error.message.startsWith(batchMixed)) return new ApiError('batch_mixed')
      if (error.message === batchSubscribes) return new ApiError('subscription_batched')
      return new ApiError('malformed_body')
    case 'UNSUPPORTED_MEDIA_TYPE':
      return new ApiError('unsupported_media_type', { detail: 'application/json' })
    case 'PAYLOAD_TOO_LARGE':
      return new ApiError('body_too_large', { detail: '1 MB' })
    default:
      return new ApiError('internal_error', { cause: error })
  }
}
