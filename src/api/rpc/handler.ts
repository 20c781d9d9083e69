import type { AnyRouter } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { parsedBytes } from '../../json/parsed.ts'
import { addedFor, authenticate } from '../auth/gate.ts'
import type { RequestContext } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'
import {
  ErrorResponse,
  errorResponseFor,
  errorResponseOf,
  RequestErrorResponse,
  toApiError,
} from '../errors/error-response.ts'
import { inTime, jsonLimit, mediaType, readBody } from '../http/body.ts'
import type { Handler } from '../http/path.ts'
import { errorReply, preflight, type Reply } from '../http/response.ts'
import { idempotent, idOfCall, refuseReplay } from '../idempotency/replay.ts'
import { operationsOf, readsOf } from '../operations.ts'
import { matchOf } from '../preconditions/match.ts'
import { bodyTypesOf, jsonType } from '../rest/body-types.ts'
import { carried } from '../trpc.ts'
import { createBatch, endpoint, isBatch, linesType, maxBatchSize, namesIn, pathOf } from './batch.ts'
import { formCalls } from './forms.ts'
import { failureHeaders, ownHeaders, tagOfRead } from './headers.ts'
import { withInput, withInputBody } from './left-out-input.ts'
import { linesResponse } from './lines.ts'
import { type Definitions, methodOfRefusal, requireCaller } from './methods.ts'
import { type PlainCalls, plainCalls } from './plain-calls.ts'

/** Whether a request wants each result on a line of its own, as soon as it is there, as tRPC reads it. */
function wantsLines({ headers }: Request): boolean {
  const asked = headers.get('trpc-accept')
  if (asked !== null) return asked === linesType
  return (headers.get('accept') ?? '').split(',').some((type) => type.trim() === linesType)
}

/** Throws 415 for a body of another type, after 413 as on REST (contract: rest 7). */
function requireJson({ headers }: Request, types: readonly string[] = [jsonType]): void {
  const type = mediaType(headers.get('content-type'))
  if (type !== '' && type !== jsonType) throw new ApiError('unsupported_media_type', { detail: types.join(' or ') })
}

/**
 * The gates of the procedures that a request calls, for a kept response, which runs none of them: a feature that was
 * switched off and a limit that is reached hold for it too, as does who may read what it made.
 * @param madeAs its `idempotencyId` where it succeeded
 */
async function passGates(definitions: Definitions, request: Request, ctx: RequestContext, madeAs?: string) {
  const names = namesIn(request).slice(0, maxBatchSize)
  const batch = names.length > 1 ? createBatch(false) : undefined
  for (const [index, name] of names.entries()) {
    const meta = definitions[name]?._def.meta
    if (!meta) continue
    try {
      const account = await authenticate(ctx, meta, async () => undefined)
      const id = idOfCall({ batch, idempotencyId: madeAs }, index)
      if (account && id) await refuseReplay({ ...ctx, ...addedFor(ctx, account, meta) }, id)
    } catch (error) {
      throw errorResponseFor(ctx, error, name, meta)
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
  const forEach = ({ cause }: ErrorResponse) => new RequestErrorResponse(toApiError(cause), documentOf)
  if (error instanceof ErrorResponse) return forEach(error)
  const isLate = error instanceof ApiError && error.code === 'body_too_late'
  try {
    if (!isLate) await passGates(definitions, request, ctx)
  } catch (gate) {
    return forEach(errorResponseOf(gate))
  }
  return forEach(errorResponseFor(ctx, error, first, metaOf()))
}

/**
 * Serves the router as tRPC under `/trpc`, with the bounds, headers, tags and Idempotency-Key of the REST face.
 * @param plain serves plain queries and mutations; the rest goes to tRPC's own handler
 */
export function rpcHandler(router: AnyRouter, plain: PlainCalls = plainCalls(router)): Handler {
  const definitions: Definitions = router._def.procedures
  const operations = operationsOf(router)
  const reads = readsOf(operations)
  const byForm = formCalls(router, operations, reads)
  const byName = new Map(operations.map((operation) => [operation.name, bodyTypesOf(operation)]))
  /** What the body of a request may be; a batch is JSON. */
  const typesOf = (request: Request) =>
    isBatch(new URL(request.url)) ? undefined : byName.get(namesIn(request).join())
  return async (request, ctx) => {
    const subscribes =
      definitions[new URL(request.url).pathname.slice(endpoint.length + 1)]?._def.type === 'subscription'
    if (request.method === 'OPTIONS') return preflight(request, ctx, ['GET', 'POST', 'OPTIONS'])
    const byTrpc = async (served: typeof ctx, body: BodyInit | null, refused?: ErrorResponse) => {
      const { url, signal } = request
      const method = refused ? methodOfRefusal(definitions, request) : request.method
      const sent = refused && method === 'POST' ? '{}' : body
      const headers = new Headers(request.headers)
      // What is refused is told without its body; a body without a type is JSON, as on REST.
      if (method === 'POST') headers.set('content-type', jsonType)
      if (refused) for (const name of ['trpc-accept', 'accept']) headers.delete(name)
      const response = await fetchRequestHandler({
        endpoint,
        router,
        req: new Request(method === 'GET' ? withInput(url) : url, { method, headers, body: sent, signal }),
        createContext: () => {
          if (refused) throw carried(refused)
          return namesIn(request).length === 1 ? served : { ...served, batch: createBatch(method === 'GET') }
        },
        onError: () => {
          if (wantsLines(request)) ctx.outcome.partlyFailed = true
        },
        responseMeta: ({ errors }) => ({ headers: failureHeaders(errors) }),
        maxBatchSize,
        // A long message does not fit into an address.
        allowMethodOverride: subscribes,
      })
      if (mediaType(response.headers.get('content-type')) === linesType) return linesResponse(ctx, response)
      const isRead = method === 'GET' && !subscribes && response.status === 200
      const etag = isRead ? tagOfRead(await response.clone().text()) : undefined
      for (const [name, value] of Object.entries(ownHeaders(ctx, etag))) response.headers.set(name, value)
      // tRPC forgets it where it cannot read a request.
      const isUntyped = response.body !== null && !response.headers.has('content-type')
      if (isUntyped) response.headers.set('content-type', jsonType)
      return response
    }
    const refuse = async (served: typeof ctx, refused: ErrorResponse): Promise<Reply> =>
      subscribes ? errorReply(ctx, refused) : byTrpc(served, null, refused)
    /** tRPC would refuse these before it knows the procedure, whose words it is to be said in. */
    const wrongIn = (body: Uint8Array | null): ApiError | undefined => {
      if (wantsLines(request) && !isBatch(new URL(request.url)))
        return new ApiError(subscribes ? 'subscription_batched' : 'stream_unbatched')
      return body !== null && body.length > 0 && parsedBytes(body) === undefined
        ? new ApiError('malformed_body')
        : undefined
    }
    const byTrpcAsJson = async (served: typeof ctx, body: Uint8Array<ArrayBuffer> | null) => {
      await requireCaller(definitions, request, served)
      const wrong = wrongIn(body)
      if (!wrong) return byTrpc(served, body && withInputBody(request.url, body))
      return refuse(served, await refusalOf(definitions, request, served, wrong))
    }
    const respond = (served: typeof ctx, body: Uint8Array<ArrayBuffer> | null) =>
      plain(served, request, body) ?? byTrpcAsJson(served, body)
    try {
      if (request.method !== 'POST') return await respond(ctx, null)
      const form = byForm(ctx, request)
      if (form) return await form
      const body = await inTime(readBody(request, jsonLimit), ctx.bodyTimes.json)
      requireJson(request, typesOf(request))
      const key = request.headers.get('idempotency-key')
      const sent = { key, path: pathOf(request), body }
      if (subscribes) return await respond(key === null ? ctx : { ...ctx, keyed: sent }, body)
      const match = matchOf(request, reads)
      const run = (keyed: RequestContext): Promise<Reply> => respond(match ? { ...keyed, match } : keyed, body)
      const beforeReplay = (madeAs?: string) => passGates(definitions, request, ctx, madeAs)
      const headersOf = (status: number): Record<string, string> =>
        status === 200 && wantsLines(request) ? { 'content-type': linesType } : {}
      return await idempotent(ctx, { ...sent, beforeReplay, headersOf }, run)
    } catch (error) {
      const refused = await refusalOf(definitions, request, ctx, error)
      ctx.outcome.unknown = refused.outcomeUnknown
      return await refuse(ctx, refused)
    }
  }
}

/** The response to a path that nobody serves. */
export const unknownPath: Handler = async (_request, ctx) =>
  errorReply(ctx, new ErrorResponse(new ApiError('route_not_found'), 'accounts'))
