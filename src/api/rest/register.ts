import type { AnyRouter } from '@trpc/server'
import type { Elysia } from 'elysia'
import { addedFor, authenticate, withAccount } from '../auth/gate.ts'
import type { RequestContext } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'
import { errorResponseFor, refusedInput } from '../errors/error-response.ts'
import { inTime, jsonLimit, mediaType, parseJson, readBody, tooLarge } from '../http/body.ts'
import { type Download, downloadResponse } from '../http/download.ts'
import { type Handler, type PathValues, registerPath, type Serve } from '../http/path.ts'
import { errorReply, jsonResponse } from '../http/response.ts'
import { idempotent, refuseReplay, takesIdempotencyKey } from '../idempotency/replay.ts'
import type { HttpMethod } from '../meta.ts'
import { type Operation, operationsOf, readsOf } from '../operations.ts'
import { type Match, matchOf } from '../preconditions/match.ts'
import { eventStreamResponse, wantsEvents } from '../stream/event-stream.ts'
import { bodyTypesOf, formType, jsonType } from './body-types.ts'
import { readFormInput } from './form-input.ts'
import { addPairs, fromText, textFields } from './input.ts'
import { locationOf } from './location.ts'

/** What an operation needs at each request, worked out once. */
function plan(operation: Operation) {
  const fields = textFields(operation.inputs)
  const skip = new Set(operation.pathParameters)
  const mayBeLeftOut = () =>
    [...fields].every(([name, { schema }]) => skip.has(name) || schema.safeParse(undefined).success)
  const types = bodyTypesOf(operation)
  const { meta } = operation

  const readPath = (values: PathValues): Record<string, unknown> => {
    const input: Record<string, unknown> = {}
    for (const name of operation.pathParameters) {
      const field = fields.get(name)
      if (!field) continue
      const value = fromText(values[name] ?? '', field)
      const checked = field.schema.safeParse(value)
      if (!checked.success) {
        const issues = checked.error.issues.map((issue) => ({ ...issue, path: [name] }))
        throw refusedInput({ ...checked.error, issues }, meta)
      }
      input[name] = value
    }
    return input
  }

  /** The path as the description spells it: of whatever spellings lead to one operation with the same values. */
  const pathOf = (values: PathValues): string =>
    operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? ''
      const field = fields.get(name)
      return String(field ? field.schema.parse(fromText(value, field)) : value)
    })

  const readQuery = (url: string, input: Record<string, unknown>) => {
    const start = url.indexOf('?')
    if (start >= 0) addPairs(new URLSearchParams(url.slice(start + 1)), fields, skip, input)
  }

  /** The body's fields under those of the path, which win, and what tells this body from another. */
  const readInput = async (request: Request, ctx: RequestContext, path: Record<string, unknown>) => {
    const type = mediaType(request.headers.get('content-type')) || jsonType
    const isTaken = types.includes(type)
    if (isTaken && type === formType) return await readFormInput(request, ctx, fields, path)
    if (Number(request.headers.get('content-length') ?? 0) > jsonLimit) throw tooLarge(jsonLimit)
    if (!isTaken && request.body) throw new ApiError('unsupported_media_type', { detail: types.join(' or ') })
    const bytes = await inTime(readBody(request, jsonLimit), ctx.bodyTimes.json)
    const body = parseJson(bytes, mayBeLeftOut, meta.validationMessage)
    return { fingerprint: bytes, input: { ...body, ...path }, remove: undefined }
  }

  return { readPath, pathOf, readQuery, readInput }
}

function operationHandler(operation: Operation, operations: readonly Operation[], reads: Match['reads']): Handler {
  const { meta } = operation
  const { readPath, pathOf, readQuery, readInput } = plan(operation)
  const status = meta.status ?? 200
  const locate = locationOf(operation, operations)

  const refusal = (ctx: RequestContext, error: unknown) =>
    errorReply(ctx, errorResponseFor(ctx, error, operation.name, meta))

  const headersOf = (ctx: RequestContext, url: string, result: unknown): Record<string, string> => {
    const location = locate?.(url, result)
    return location ? { location: ctx.settings.publicUrl + location } : {}
  }

  const run = async (ctx: RequestContext, { url }: Request, input: unknown) => {
    try {
      const result = await operation.call({ ctx, input, signal: ctx.signal })
      if (meta.download) return downloadResponse(ctx, result as Download)
      return jsonResponse(ctx, status, result, headersOf(ctx, url, result))
    } catch (error) {
      return refusal(ctx, error)
    }
  }

  return async (request, ctx, path) => {
    ctx.outcome.operation = operation.name
    try {
      const account = await authenticate(ctx, meta, async () => path)
      const match = meta.matches && matchOf(request, reads)
      const own = withAccount(ctx, account, meta, { asText: true, ...(match && { match }) })
      const named = readPath(path)
      if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE') {
        readQuery(request.url, named)
        return await run(own, request, named)
      }
      const { fingerprint, input, remove } = await readInput(request, ctx, named)
      try {
        const takesKey = takesIdempotencyKey(request.method, meta)
        const key = request.headers.get('idempotency-key')
        if (takesKey && key !== null) await meta.admits?.(own, named)
        const visitor = key === null ? undefined : meta.keyHolder?.(own, { input, key })
        const keptHeaders = (kept: number, body: string) =>
          kept === status ? headersOf(own, request.url, JSON.parse(body)) : {}
        const beforeReplay = async (madeAs?: string) => {
          if (account && madeAs) await refuseReplay({ ...own, ...addedFor(own, account, meta) }, madeAs)
        }
        const sent = { body: fingerprint, visitor, beforeReplay, headersOf: keptHeaders }
        const keyed = (served: RequestContext) =>
          takesKey && key !== null
            ? idempotent(served, { ...sent, key, path: pathOf(path) }, (known) => run(known, request, input))
            : run(served, request, input)
        if (!meta.streams || !wantsEvents(request)) return await keyed(own)
        return await eventStreamResponse(own, (listening) =>
          keyed(listening).catch((error: unknown) => refusal(listening, error)),
        )
      } finally {
        await remove?.()
      }
    } catch (error) {
      return refusal(ctx, error)
    }
  }
}

/** The handlers of one path, by the methods that its operations say. */
function handlersOf(
  operations: Operation[],
  all: readonly Operation[],
  reads: Match['reads'],
): Map<HttpMethod, Handler> {
  const handlers = new Map<HttpMethod, Handler>()
  for (const operation of operations) {
    const handler = operationHandler(operation, all, reads)
    for (const method of operation.methods) handlers.set(method, handler)
  }
  return handlers
}

/**
 * Registers one native Elysia route per operation and method, read once from the procedures' metadata.
 * @param preflights handlers of their own for CORS preflights, by path
 */
export function registerRest(
  app: Elysia,
  router: AnyRouter,
  serve: Serve,
  preflights: ReadonlyMap<string, Handler> = new Map(),
): void {
  const byPath = new Map<string, Operation[]>()
  const all = operationsOf(router)
  const reads = readsOf(all)
  for (const operation of all) {
    byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation])
  }
  for (const [path, operations] of byPath) {
    const isPublic = operations.every((operation) => operation.meta.access === 'public')
    const handlers = handlersOf(operations, all, reads)
    const aliases = operations.flatMap(({ meta }) => meta.aliases ?? [])
    for (const place of [path, ...aliases]) {
      registerPath(app, serve, {
        ...{ path: place.replace(/\{(\w+)\}/g, ':$1'), handlers, isPublic },
        preflight: preflights.get(path),
      })
    }
  }
}
