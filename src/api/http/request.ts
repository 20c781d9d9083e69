import type { Span } from '../../runtime/tracing.ts'
import type { RequestContext } from '../context.ts'
import type { ApiDependencies } from '../dependencies.ts'
import { ErrorResponse } from '../errors/error-response.ts'
import { noRoom } from '../rate-limit/slots.ts'
import { readerKey } from '../rate-limit/unread.ts'
import { notifyUndelivered } from '../stream/undelivered.ts'
import { clientAddress } from './client-address.ts'
import { finished } from './finish.ts'
import { noteLength } from './head.ts'
import type { Handler, Serve } from './path.ts'
import { errorReply } from './response.ts'
import { restTaker } from './rest-of-body.ts'

const sane = /^[\w.:/+=-]{1,128}$/

/** The caller's request id when it is sane, else its trace's, else a new one. */
const requestIdOf = (request: Request, traceId: string | undefined) => {
  const given = request.headers.get('x-request-id')
  return given !== null && sane.test(given) ? given : (traceId ?? crypto.randomUUID())
}

/** What a server knows of the connections that requests come over. */
export interface Connections {
  addressOf(request: Request): string
  /** Leaves the connection of a request open however long it is silent, until what is returned is called. */
  keepOpen(request: Request): () => void
}

/** The context of one request. */
export function requestContext(
  dependencies: ApiDependencies,
  request: Request,
  { address, traceId, keepOpen }: { address: string; traceId?: string | undefined; keepOpen(): () => void },
): RequestContext {
  return {
    ...dependencies,
    requestId: requestIdOf(request, traceId),
    authorization: request.headers.get('authorization'),
    address,
    keepOpen,
    origin: request.headers.get('origin'),
    signal: request.signal,
    idempotencyId: undefined,
    outcome: {},
  }
}

const pathOf = (url: string) => {
  const start = url.indexOf('/', 8)
  const end = url.indexOf('?', start)
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

/**
 * A request whose address can be read: where the Host header is none, or is missing as HTTP/1.0 lets it, the address
 * may hold the path alone, or a host that no URL has.
 */
function addressed(request: Request): Request {
  const { url } = request
  if (URL.canParse(url)) return request
  const path = url.startsWith('/') ? url : url.slice(url.indexOf('/', 'https://'.length))
  const address = `http://localhost${path}`
  return new Request(URL.canParse(address) ? address : 'http://localhost/', request)
}

/** What the log says instead of a status when nobody was there to get the response. */
const clientLeft = 499

/** The body that a refused request left unread. */
const unreadBody = ({ method, body, bodyUsed }: Request) =>
  method === 'GET' || method === 'HEAD' || bodyUsed ? null : body

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Makes `serve`: every handler gets its context, and every request one line in the log. */
export function serveWith(dependencies: ApiDependencies, connections: Connections): Serve {
  // These lines hold no field that the log would cut out, and the search for them costs more than the line.
  const log = dependencies.log.child({}, { redact: [] })
  const takeRest = restTaker()
  const respond = async (handler: Handler, received: Request, params: Params, span?: Span): Promise<Response> => {
    const started = performance.now()
    const forwarded = received.headers.get('x-forwarded-for')
    const address = clientAddress(dependencies.trustedProxies, connections.addressOf(received), forwarded)
    const request = addressed(received)
    const ctx = requestContext(dependencies, request, {
      address,
      traceId: span?.traceId,
      keepOpen: () => connections.keepOpen(received),
    })
    if (!readingMethods.has(request.method)) dependencies.noteWork()
    const reply = await handler(request, ctx, params)
    const { account, document = 'accounts' } = ctx.outcome
    const response = await finished(request, reply, {
      unread: dependencies.unread,
      reader: account && {
        key: readerKey(account),
        gone: request.signal,
        must: !readingMethods.has(request.method),
        left: () => notifyUndelivered(ctx.outcome),
      },
      refused: () => errorReply(ctx, new ErrorResponse(noRoom(), document)),
    })
    if (request.signal.aborted) await notifyUndelivered(ctx.outcome)
    if (request.method === 'HEAD') noteLength(received, response)
    const status = request.signal.aborted ? clientLeft : response.status
    const seconds = (performance.now() - started) / 1000
    const body = response.status >= 400 && !request.signal.aborted ? unreadBody(request) : null
    const announced = Number(request.headers.get('content-length') ?? 0)
    if (body && !(await takeRest({ body, announced, status: response.status, address }))) {
      response.headers.set('connection', 'close')
    }
    const operation = ctx.outcome.operation ?? 'none'
    dependencies.requestTimes.observe({ operation, status: String(status) }, seconds)
    span?.rename(`${request.method} ${operation}`)
    span?.set({
      'http.response.status_code': status,
      'request.id': ctx.requestId,
      'user.id': ctx.outcome.account?.userId,
    })
    if (status >= 500) span?.fail()
    log.info(
      {
        event: 'request',
        requestId: ctx.requestId,
        method: request.method,
        path: pathOf(request.url),
        status,
        ms: Math.round(seconds * 100_000) / 100,
        userId: ctx.outcome.account?.userId,
      },
      'request',
    )
    return response
  }
  const { tracing } = dependencies
  if (!tracing)
    return (handler) =>
      ({ request, params }) =>
        respond(handler, request, params ?? {})
  return (handler) =>
    ({ request, params }) => {
      const { method, headers } = request
      const attributes = { 'http.request.method': method, 'url.path': pathOf(addressed(request).url) }
      const traceparent = headers.get('traceparent')
      const options = { kind: 'server' as const, root: traceparent === null, traceparent, attributes }
      return tracing.run(method, options, (span) => respond(handler, request, params ?? {}, span))
    }
}

type Params = Parameters<Handler>[2]
