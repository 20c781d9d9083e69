import type { AnyRouter } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { authenticate } from '../auth/gate.ts'
import type { RequestContext } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'
import { Failure, failureFor, failureOf, RequestFailure, toApiError } from '../errors/error-response.ts'
import type { Handler } from '../http/path.ts'
import { dataHeaders, errorResponse, preflight, responseHeaders } from '../http/response.ts'
import { idempotent } from '../idempotency/replay.ts'
import type { OperationMeta } from '../meta.ts'
import { operationsOf, readsOf } from '../operations.ts'
import { etagOf } from '../preconditions/etag.ts'
import { matchOf } from '../preconditions/match.ts'
import { inTime, jsonLimit, readBody } from '../rest/body.ts'
import { carried } from '../trpc.ts'
import { maxBatchSize } from './batch.ts'
import { withInput, withInputBody } from './left-out-input.ts'

type Definitions = Record<string, { _def: { meta?: OperationMeta; type?: string } }>

const endpoint = '/trpc'

/** The procedures that a request calls; none where the path cannot be read. */
function namesIn({ url }: Request): string[] {
  try {
    return decodeURIComponent(new URL(url).pathname.slice(endpoint.length + 1)).split(',')
  } catch {
    return []
  }
}

/**
 * The gates of the procedures that a request calls, for a kept response, which runs none of them: a feature that was
 * switched off and a limit that is reached hold for it too.
 */
async function passGates(definitions: Definitions, request: Request, ctx: RequestContext): Promise<void> {
  for (const name of namesIn(request).slice(0, maxBatchSize)) {
    const meta = definitions[name]?._def.meta
    if (!meta) continue
    try {
      await authenticate(ctx, meta, async () => undefined)
    } catch (error) {
      throw failureFor(ctx, error, name, meta)
    }
  }
}

/**
 * What is said to a request that is refused before its calls run: what the gates say, as on REST, else why; each call
 * in the words of its document. Who is late with a body is told at once.
 */
async function refusalOf(definitions: Definitions, request: Request, ctx: RequestContext, error: unknown) {
  const [first = ''] = namesIn(request)
  const metaOf = (name = first) => definitions[name]?._def.meta ?? {}
  const documentOf = (name?: string) => metaOf(name).document ?? 'accounts'
  const forEach = ({ cause }: Failure) => new RequestFailure(toApiError(cause), documentOf)
  if (error instanceof Failure) return forEach(error)
  const isLate = error instanceof ApiError && error.code === 'body_too_late'
  try {
    if (!isLate) await passGates(definitions, request, ctx)
  } catch (gate) {
    return forEach(failureOf(gate))
  }
  return forEach(failureFor(ctx, error, first, metaOf()))
}

/** The headers of failures, as REST sends them. */
const failureHeaders = (errors: readonly { cause?: unknown }[]): Record<string, string> =>
  Object.assign({}, ...errors.map(({ cause }) => (cause instanceof Failure ? cause.headers : {})))

const [beforeData, afterData] = ['{"result":{"data":', '}}']

/** The tag of a read: that of its REST response, so that either face's tag can be sent to the other. */
async function tagOfRead(response: Response): Promise<string | undefined> {
  if (response.status !== 200) return undefined
  const text = await response.clone().text()
  const isOne = text.startsWith(beforeData) && text.endsWith(afterData)
  return isOne ? etagOf(text.slice(beforeData.length, -afterData.length)) : undefined
}

/** Serves the router as tRPC under `/trpc`, with the bounds, headers, tags and Idempotency-Key of the REST face. */
export function rpcHandler(router: AnyRouter): Handler {
  const definitions: Definitions = router._def.procedures
  const reads = readsOf(operationsOf(router))
  return async (request, ctx) => {
    const subscribes =
      definitions[new URL(request.url).pathname.slice(endpoint.length + 1)]?._def.type === 'subscription'
    if (request.method === 'OPTIONS') return preflight(request, ctx, ['GET', 'POST', 'OPTIONS'])
    const respond = async (served: typeof ctx, body: BodyInit | null, refused?: Failure) => {
      const { method, headers, url, signal } = request
      const response = await fetchRequestHandler({
        endpoint,
        router,
        req: new Request(method === 'GET' ? withInput(url) : url, { method, headers, body, signal }),
        createContext: () => {
          if (refused) throw carried(refused)
          return served
        },
        responseMeta: ({ errors }) => ({ headers: failureHeaders(errors) }),
        maxBatchSize,
        // A long message does not fit into an address.
        allowMethodOverride: subscribes,
      })
      for (const [name, value] of Object.entries({ ...responseHeaders(ctx), ...dataHeaders }))
        response.headers.set(name, value)
      const etag = method === 'GET' && !subscribes ? await tagOfRead(response) : undefined
      if (etag) response.headers.set('etag', etag)
      return response
    }
    try {
      if (request.method !== 'POST') return await respond(ctx, null)
      const body = await inTime(readBody(request, jsonLimit), ctx.bodyTimes.json)
      // A kept response would be a whole one: the same message again finds its turn without a key.
      if (subscribes) return await respond(ctx, withInputBody(request.url, body))
      const run = (keyed: RequestContext) =>
        respond({ ...keyed, match: matchOf(request, reads) }, withInputBody(request.url, body))
      return await idempotent(ctx, request, body, run, () => passGates(definitions, request, ctx))
    } catch (error) {
      const refused = await refusalOf(definitions, request, ctx, error)
      ctx.outcome.unknown = refused.outcomeUnknown
      return subscribes ? errorResponse(ctx, refused) : await respond(ctx, '{}', refused)
    }
  }
}

/** The response to a path that nobody serves. */
export const unknownPath: Handler = async (_request, ctx) =>
  errorResponse(ctx, new Failure(new ApiError('route_not_found'), 'accounts'))
