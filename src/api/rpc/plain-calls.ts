import { type AnyProcedure, type AnyRouter, getTRPCErrorShape, type TRPCError } from '@trpc/server'
import { getHTTPStatusCode } from '@trpc/server/http'
import type { TRPCResponse } from '@trpc/server/rpc'
import type { Account } from '../../accounts/account.ts'
import { isObject } from '../../json/object.ts'
import { decodedText, parsedJson } from '../../json/parsed.ts'
import { addedFor, authenticate } from '../auth/gate.ts'
import type { RequestContext } from '../context.ts'
import { mediaType } from '../http/body.ts'
import { JsonReply } from '../http/response.ts'
import { idOfCall } from '../idempotency/replay.ts'
import type { OperationMeta } from '../meta.ts'
import { type Call, checkedCall } from '../schema-compiler/checked-call.ts'
import { jsonOf } from '../schema-compiler/written.ts'
import { failedCall } from '../trpc.ts'
import { createBatch, isBatch, linesType, maxBatchSize } from './batch.ts'
import { afterData, beforeData, headersOf, tagOfRead } from './headers.ts'

interface Definition {
  meta?: OperationMeta
  output?: unknown
  type: 'query' | 'mutation' | 'subscription'
}

/** A procedure whose result is plain JSON. */
interface Plain {
  path: string
  type: 'query' | 'mutation'
  meta: OperationMeta
  call(call: Call): Promise<unknown>
}

/** What a request asks for. */
interface Asked {
  calls: readonly Plain[]
  inputs: readonly unknown[]
  isBatch: boolean
  /** Who has passed the gates already; nobody yet unless given. */
  admitted?: { account: Account | undefined }
}

/** What a response says of a call, and what went wrong with it. */
interface Result {
  text: string
  failed?: { body: TRPCResponse; error: TRPCError }
}

const succeeded: TRPCResponse = { result: { data: null } }

/** What a response says of what a call gave, by its JSON; one may give nothing, or what is nothing in JSON. */
const resultOf = (json: string | undefined): string =>
  json === undefined ? JSON.stringify({ result: {} }) : `${beforeData}${json}${afterData}`

/**
 * Responds to a request, or leaves it to tRPC's own handler: then nothing was done yet, and the result is undefined.
 */
export type PlainCalls = (
  ctx: RequestContext,
  request: Request,
  body: Uint8Array | null,
) => Promise<JsonReply> | undefined

function plainProcedures(router: AnyRouter): Plain[] {
  const procedures: Record<string, AnyProcedure> = router._def.procedures
  return Object.entries(procedures).flatMap(([path, procedure]) => plainProcedure(path, procedure) ?? [])
}

function plainProcedure(path: string, procedure: AnyProcedure): Plain | undefined {
  const { meta = {}, output, type } = procedure._def as unknown as Definition
  const isPlain = type !== 'subscription' && output !== undefined
  return isPlain ? { path, type, meta, call: checkedCall(path, procedure) } : undefined
}

const byPath = (plain: readonly Plain[], type: Plain['type']): ReadonlyMap<string, Plain> =>
  new Map(plain.filter((procedure) => procedure.type === type).map((procedure) => [procedure.path, procedure]))

const plainPath = /^\/trpc\/([\w.,]+)$/

/** Whether a request speaks JSON and wants no stream of it. */
function isPlainJson({ method, headers }: Request): boolean {
  const type = mediaType(headers.get('content-type'))
  if (type !== 'application/json' && (type !== '' || method !== 'GET')) return false
  return !headers.has('trpc-accept') && !headers.get('accept')?.includes(linesType)
}

/** The inputs of so many calls, or undefined when tRPC's handler has to say what is wrong with them. */
function inputsOf(text: string, calls: number, isBatch: boolean): unknown[] | undefined {
  const sent = parsedJson(text)
  if (!isBatch) return sent === undefined ? undefined : [sent]
  if (!isObject(sent)) return undefined
  return Array.from({ length: calls }, (_, index) => (index in sent ? sent[index] : {}))
}

/** Makes what runs the calls of a request and tells what came of them. */
function responder(router: AnyRouter) {
  const run = async (
    ctx: RequestContext,
    { path, type, meta, call }: Plain,
    input: unknown,
    { index, admitted }: { index: number; admitted: Asked['admitted'] },
  ): Promise<Result> => {
    const { batch } = ctx
    ctx.outcome.operation = path
    let leave: (() => void) | undefined
    try {
      leave = await batch?.enter()
      const { account } = admitted ?? { account: await authenticate(ctx, meta, async () => input) }
      const added = account ? addedFor(ctx, account, meta) : { meta }
      const own = { ...ctx, ...added, asText: true, idempotencyId: idOfCall(ctx, index) }
      const json: string | undefined = jsonOf(await call({ ctx: own, input, signal: ctx.signal }))
      batch?.weigh(json ?? '')
      return { text: resultOf(json) }
    } catch (thrown) {
      const error = failedCall(ctx, thrown, path, meta)
      const body = { error: getTRPCErrorShape({ config: router._def._config, error, path, type, input, ctx }) }
      return { text: JSON.stringify(body), failed: { body, error } }
    } finally {
      leave?.()
    }
  }

  const respond = async (ctx: RequestContext, request: Request, { calls, inputs, isBatch, admitted }: Asked) => {
    const batch = calls.length > 1 ? createBatch(request.method === 'GET') : undefined
    const shared = batch ? { ...ctx, batch } : ctx
    const results = await Promise.all(calls.map((call, index) => run(shared, call, inputs[index], { index, admitted })))
    const errors = results.flatMap(({ failed }) => failed?.error ?? [])
    const status = errors.length === 0 ? 200 : getHTTPStatusCode(results.map(({ failed }) => failed?.body ?? succeeded))
    const texts = results.map(({ text }) => text)
    const text = isBatch ? `[${texts.join(',')}]` : (texts[0] ?? '')
    const etag = request.method === 'GET' && status === 200 ? tagOfRead(text) : undefined
    return new JsonReply(status, headersOf(ctx, errors, etag), text)
  }

  return respond
}

/** Responds to one call whose input is a form, of a caller who has passed the gates. */
export type FormCall = (
  ctx: RequestContext,
  request: Request,
  form: { input: Record<string, unknown>; account: Account | undefined },
) => Promise<JsonReply>

/** Makes what runs one procedure with forms that were read; undefined for one that is not plain. */
export function formCall(router: AnyRouter, path: string): FormCall | undefined {
  const plain = plainProcedure(path, router._def.procedures[path])
  const respond = responder(router)
  return (
    plain &&
    ((ctx, request, { input, account }) =>
      respond(ctx, request, { calls: [plain], inputs: [input], isBatch: false, admitted: { account } }))
  )
}

/**
 * Makes what runs plain queries and mutations, batched or not, without tRPC's handler and its chain of middlewares.
 * Their responses are those of tRPC's handler to the byte (record 0022); subscriptions, streams, forms, malformed
 * requests and procedures that do not exist are left to it.
 */
export function plainCalls(router: AnyRouter): PlainCalls {
  const plain = plainProcedures(router)
  const byMethod = new Map([
    ['GET', byPath(plain, 'query')],
    ['POST', byPath(plain, 'mutation')],
  ])

  const askedBy = (request: Request, body: Uint8Array | null): Asked | undefined => {
    const known = byMethod.get(request.method)
    if (!known || !isPlainJson(request)) return undefined
    const url = new URL(request.url)
    const { pathname, searchParams } = url
    const path = plainPath.exec(pathname)?.[1]
    if (path === undefined || searchParams.has('connectionParams')) return undefined
    const batched = isBatch(url)
    const names = batched ? path.split(',') : [path]
    const calls = names.flatMap((name) => known.get(name) ?? [])
    if (calls.length < names.length || calls.length > maxBatchSize) return undefined
    const sent = body ? decodedText(body) : searchParams.get('input')
    if (sent === undefined) return undefined
    // What sends no input at all is taken as sending an empty object, as everywhere.
    const text = sent === null || body?.length === 0 ? '{}' : sent
    const inputs = inputsOf(text, calls.length, batched)
    return inputs && { calls, inputs, isBatch: batched }
  }

  const respond = responder(router)
  return (ctx, request, body) => {
    const asked = askedBy(request, body)
    return asked && respond(ctx, request, asked)
  }
}
