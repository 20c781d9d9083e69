import type { RequestContext } from '../context.ts'
import { ErrorResponse } from '../errors/error-response.ts'
import { dataHeaders, responseHeaders } from '../http/response.ts'
import { etagOf } from '../preconditions/etag.ts'

/** The headers of failures, as REST sends them. */
export const failureHeaders = (errors: readonly { cause?: unknown }[]): Record<string, string> =>
  Object.assign({}, ...errors.map(({ cause }) => (cause instanceof ErrorResponse ? cause.headers : {})))

/** The headers that a response has on either way through tRPC, over those that tRPC gives it. */
export const ownHeaders = (ctx: RequestContext, etag: string | undefined): Record<string, string> => ({
  ...responseHeaders(ctx),
  ...dataHeaders,
  ...(etag && { etag }),
  ...(ctx.outcome.replayed && { 'idempotency-replayed': 'true' }),
})

/** All headers of a response of JSON that tRPC's handler has no part in. */
export const headersOf = (
  ctx: RequestContext,
  errors: readonly { cause?: unknown }[],
  etag: string | undefined,
): Record<string, string> => ({
  vary: 'trpc-accept, accept',
  'content-type': 'application/json',
  ...failureHeaders(errors),
  ...ownHeaders(ctx, etag),
})

/** What a response of one call has around its data. */
export const [beforeData, afterData] = ['{"result":{"data":', '}}']

/** The tag of a read: that of its REST response, so that either face's tag can be sent to the other. */
export function tagOfRead(text: string): string | undefined {
  const isOne = text.startsWith(beforeData) && text.endsWith(afterData)
  return isOne ? etagOf(text.slice(beforeData.length, -afterData.length)) : undefined
}
