import type { Handler } from '../api/http/path.ts'
import { jsonResponse, responseHeaders } from '../api/http/response.ts'
import { version } from '../runtime/version.ts'

/** Where everything is, relative to this address. */
const links = { console: 'console', docs: 'docs', openapi: 'openapi.json', trpc: 'trpc', mcp: 'mcp', health: 'health' }

const isBrowser = (request: Request) => /\btext\/html\b/i.test(request.headers.get('accept') ?? '')

/** `GET /`: a browser is led to the console, any other client gets links. */
export const rootPath: Handler = async (request, ctx) => {
  const vary = { vary: 'Accept' }
  if (!isBrowser(request)) return jsonResponse(ctx, 200, { name: 'Switchboard', version, links }, vary)
  return new Response(null, { status: 302, headers: { ...responseHeaders(ctx), ...vary, location: 'console' } })
}
