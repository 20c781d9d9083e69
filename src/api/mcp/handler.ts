import type { AnyRouter } from '@trpc/server'
import { countMessages, requireAccount } from '../auth/gate.ts'
import type { RequestContext } from '../context.ts'
import { ErrorResponse, toApiError } from '../errors/error-response.ts'
import { inTime, jsonLimit, readBody } from '../http/body.ts'
import type { Handler } from '../http/path.ts'
import { dataHeaders, errorReply, preflight, responseHeaders } from '../http/response.ts'
import { operationsOf } from '../operations.ts'
import { createBatch } from '../rpc/batch.ts'
import { assistantTools } from './assistant-tools.ts'
import { messagesIn } from './messages.ts'
import { operationTools } from './operation-tools.ts'
import { otherTools } from './other-tools.ts'
import { serverFor } from './server.ts'

/**
 * What every response with data says, over what the library says of its own. What must not be changed on the way stays
 * so: a proxy that packs a stream holds its events back.
 */
function headersOf(ctx: RequestContext, { headers }: Response): Headers {
  const all = new Headers(headers)
  const isKept = all.get('cache-control')?.includes('no-transform')
  for (const [name, value] of Object.entries({ ...responseHeaders(ctx), ...dataHeaders })) all.set(name, value)
  if (isKept) all.append('cache-control', 'no-transform')
  return all
}

/**
 * Serves the router as an MCP server over streamable HTTP: tools for what people want done, and two that reach every
 * other procedure. A request needs a bearer token; every call passes the gates, limits and checks of the REST face.
 * Throws at start for a tool over a procedure that does not exist.
 */
export function mcpHandler(router: AnyRouter): Handler {
  const operations = new Map(operationsOf(router).map((operation) => [operation.name, operation]))
  const tools = [...assistantTools, ...otherTools, ...operationTools(operations)]
  for (const { name, procedures } of tools) {
    const missing = procedures.find((procedure) => !operations.has(procedure))
    if (missing) throw new Error(`The tool ${name} calls ${missing}, which is no procedure`)
  }
  return async (request, ctx) => {
    if (request.method === 'OPTIONS') return preflight(request, ctx, ['POST', 'OPTIONS'])
    try {
      const account = await requireAccount(ctx)
      const body = request.method === 'POST' ? await inTime(readBody(request, jsonLimit), ctx.bodyTimes.json) : null
      await countMessages(ctx, account, body ? messagesIn(body) : 1)
      // Loaded at first use: a server that nobody asks for tools starts without it.
      const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server')
      const shared = { ...ctx, batch: createBatch(true) }
      const handler = createMcpHandler(() => serverFor(McpServer, shared, tools, operations))
      const { method, headers, url, signal } = request
      const response = await handler.fetch(new Request(url, { method, headers, body, signal }))
      return new Response(response.body, { status: response.status, headers: headersOf(ctx, response) })
    } catch (error) {
      return errorReply(ctx, new ErrorResponse(toApiError(error), 'accounts'))
    }
  }
}
