import type { Elysia } from 'elysia'
import { requireAccount } from '../auth/gate.ts'
import type { RequestContext } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'
import { ErrorResponse, toApiError } from '../errors/error-response.ts'
import type { HttpMethod } from '../meta.ts'
import { errorReply, preflight, type Reply } from './response.ts'

export type PathValues = Record<string, string>
export type Handler = (request: Request, ctx: RequestContext, path: PathValues) => Promise<Reply>

/** Wraps a handler into what Elysia calls: makes the context, and writes the log line. */
export type Serve = (handler: Handler) => (context: { request: Request; params?: PathValues }) => Promise<Response>

const notAllowed =
  (allowed: string[], isPublic: boolean): Handler =>
  async (_request, ctx) => {
    try {
      if (!isPublic) await requireAccount(ctx)
      throw new ApiError('method_not_allowed', { headers: { allow: allowed.join(', ') } })
    } catch (error) {
      return errorReply(ctx, new ErrorResponse(toApiError(error), 'agents'))
    }
  }

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A path with what serves it. */
interface Path {
  path: string
  handlers: ReadonlyMap<HttpMethod, Handler>
  /** Whether other methods are refused without a token as well. */
  isPublic: boolean
  /** Serves CORS preflights in place of the general handler. */
  preflight?: Handler | undefined
}

/**
 * Registers one path: its handlers, HEAD beside GET, preflights, and a 405 for every other method, so that a fixed
 * path never falls through to a parameter. Fixed paths win over parameters in Elysia's radix router.
 */
export function registerPath(
  app: Elysia,
  serve: Serve,
  { path, handlers, isPublic, preflight: ownPreflight }: Path,
): void {
  const route = (method: string, handler: Handler) => app.route(method, path, serve(handler), { parse: 'none' })
  const allowed = allMethods.filter((method) => handlers.has(method === 'HEAD' ? 'GET' : method))
  const refuse = notAllowed(allowed, isPublic)
  for (const method of allMethods) {
    route(method, handlers.get(method === 'HEAD' ? 'GET' : method) ?? refuse)
  }
  route('OPTIONS', ownPreflight ?? (async (request, ctx) => preflight(request, ctx, [...allowed, 'OPTIONS'])))
  // TRACE, PROPFIND and whatever else there may be.
  route('ALL', refuse)
}
