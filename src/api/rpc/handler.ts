import type { AnyRouter } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { ApiError } from '../errors/api-error.ts'
import { Failure, toApiError } from '../errors/error-response.ts'
import type { Handler } from '../http/path.ts'
import { dataHeaders, errorResponse, preflight, responseHeaders } from '../http/response.ts'
import { idempotent } from '../idempotency/replay.ts'
import { inTime, jsonLimit, readBody } from '../rest/body.ts'
import { maxBatchSize } from './batch.ts'
import { withInput, withInputBody } from './left-out-input.ts'

const endpoint = '/trpc'

/** Serves the router as tRPC under `/trpc`, with the bounds, headers and Idempotency-Key of the REST face. */
export function rpcHandler(router: AnyRouter): Handler {
  return async (request, ctx) => {
    if (request.method === 'OPTIONS') return preflight(request, ctx, ['GET', 'POST', 'OPTIONS'])
    const answer = async (served: typeof ctx, body: BodyInit | null) => {
      const { method, headers, url, signal } = request
      const response = await fetchRequestHandler({
        endpoint,
        router,
        req: new Request(method === 'GET' ? withInput(url) : url, { method, headers, body, signal }),
        createContext: () => served,
        maxBatchSize,
      })
      for (const [name, value] of Object.entries({ ...responseHeaders(ctx), ...dataHeaders }))
        response.headers.set(name, value)
      return response
    }
    try {
      if (request.method !== 'POST') return await answer(ctx, null)
      const body = await inTime(readBody(request, jsonLimit), ctx.bodyTimes.json)
      return await idempotent(ctx, request, body, (keyed) => answer(keyed, withInputBody(request.url, body)))
    } catch (error) {
      return errorResponse(ctx, new Failure(toApiError(error), 'accounts'))
    }
  }
}

/** The answer to a path that nobody serves. */
export const unknownPath: Handler = async (_request, ctx) =>
  errorResponse(ctx, new Failure(new ApiError('route_not_found'), 'accounts'))
