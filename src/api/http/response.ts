import type { RequestContext } from '../context.ts'
import type { ErrorResponse } from '../errors/error-response.ts'
import { jsonOf } from '../schema-compiler/written.ts'

const exposed = [
  'x-request-id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Idempotency-Replayed',
  'Allow',
  'ETag',
  'Location',
  'WWW-Authenticate',
  'Content-Disposition',
  'x-should-retry',
  'x-ignored-parameters',
].join(', ')

/** Bearer tokens are no cookies, so any origin may read, unless the operation names one. */
function readers({ readableBy }: RequestContext['outcome']): Record<string, string> {
  if (readableBy === undefined) return { 'access-control-allow-origin': '*' }
  return { vary: 'Origin', ...(readableBy !== null && { 'access-control-allow-origin': readableBy }) }
}

/** Headers of every response: request id, limits and CORS. */
export function responseHeaders(ctx: RequestContext): Record<string, string> {
  const headers: Record<string, string> = {
    'x-request-id': ctx.requestId,
    ...readers(ctx.outcome),
    'access-control-expose-headers': exposed,
  }
  const { rate, ignored = [] } = ctx.outcome
  if (ignored.length > 0) headers['x-ignored-parameters'] = ignored.join(', ')
  const { perMinute } = ctx.rateLimits
  if (rate || perMinute > 0) {
    headers['ratelimit-limit'] = String(rate?.limit ?? perMinute)
    headers['ratelimit-remaining'] = String(rate?.remaining ?? perMinute)
    headers['ratelimit-reset'] = String(rate?.reset ?? 60)
  }
  return headers
}

/** Data belongs to the caller: no cache keeps it, and no browser takes it for a page. */
export const dataHeaders = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' }

const json = { 'content-type': 'application/json; charset=utf-8', ...dataHeaders }

/**
 * A response of JSON as plain data, for what still reads or adds to it: what goes over the wire is made of it once,
 * when all is known.
 */
export class JsonReply {
  constructor(
    readonly status: number,
    /** By their names in lower case. */
    readonly headers: Record<string, string>,
    readonly body: string,
  ) {}

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  text(): string {
    return this.body
  }
}

/** What a handler gives: JSON as plain data, anything else as it goes over the wire. */
export type Reply = Response | JsonReply

/** A JSON response with the headers of every response. */
export function jsonResponse(
  ctx: RequestContext,
  status: number,
  body: unknown,
  extra?: Record<string, string>,
): JsonReply {
  // A terminal writes its prompt after it.
  return writtenResponse(ctx, status, `${jsonOf(body)}\n`, extra)
}

/** A response of JSON that is written already, to the byte. */
export const writtenResponse = (
  ctx: RequestContext,
  status: number,
  text: string,
  extra?: Record<string, string>,
): JsonReply => new JsonReply(status, Object.assign(responseHeaders(ctx), json, extra), text)

/** A failure as a JSON response. */
export const errorReply = (ctx: RequestContext, failure: ErrorResponse): JsonReply => {
  ctx.outcome.unknown = failure.outcomeUnknown
  return jsonResponse(ctx, failure.status, failure.body, failure.headers)
}

const headerNames = /^[\w!#$%&'*+.^`|~-]+(\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/
const maxNamesLength = 2_000
const usualHeaders = ['Authorization', 'Content-Type', 'Idempotency-Key', 'x-request-id']
const usualNames = new Set(usualHeaders.map((name) => name.toLowerCase()))

/** What a page may send: whatever it asks for besides ours, as tokens and not cookies say who it is. */
function allowedHeaders(request: Request): string {
  const asked = request.headers.get('access-control-request-headers') ?? ''
  const isSane = asked.length <= maxNamesLength && headerNames.test(asked)
  const names = isSane ? asked.split(',').map((name) => name.trim()) : []
  return [...usualHeaders, ...names.filter((name) => !usualNames.has(name.toLowerCase()))].join(', ')
}

/** The response to a CORS preflight. */
export const preflight = (request: Request, ctx: RequestContext, methods: readonly string[]): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...responseHeaders(ctx),
      allow: methods.join(', '),
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': allowedHeaders(request),
      'access-control-max-age': '7200',
    },
  })
