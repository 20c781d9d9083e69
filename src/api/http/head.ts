import type { Elysia } from 'elysia'

/** The lengths that responses to HEAD say until they are sent; null for those that say none. */
const lengths = new WeakMap<Request, string | null>()

/** Notes the length that a response to HEAD says. */
export function noteLength(request: Request, { headers }: Response): void {
  lengths.set(request, headers.get('content-length'))
}

/**
 * Has responses to HEAD say the length that was noted. Where a path has parameters or takes every method, Elysia serves
 * HEAD by the route for GET, and writes over its length that of the body, which it does not have.
 */
export function keepLengths(app: Elysia): void {
  app.wrap((serve, request) => {
    if (request.method !== 'HEAD') return serve
    return async () => {
      const response: unknown = await serve(request)
      const length = lengths.get(request)
      if (!(response instanceof Response) || length === undefined) return response
      if (length === null) response.headers.delete('content-length')
      else response.headers.set('content-length', length)
      return response
    }
  })
}
