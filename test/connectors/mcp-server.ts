import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** A tool server on loopback; `behave` may answer instead of it. */
export interface TestMcpServer {
  url: string
  /** Requests with their headers, in order. */
  requests: { method: string; headers: Headers }[]
  calls: unknown[]
  stop(): Promise<void>
}

function server(calls: unknown[]): McpServer {
  const mcp = new McpServer({ name: 'test', version: '1.0.0' })
  mcp.registerTool(
    'opening.hours',
    { description: 'Tells the opening hours of a branch.', inputSchema: z.object({ branch: z.string() }) },
    async (input) => {
      calls.push(input)
      return { content: [{ type: 'text', text: `The ${input.branch} branch is open from nine to five.` }] }
    },
  )
  mcp.registerTool('fails', { description: 'Always fails.', inputSchema: z.object({}) }, async () => ({
    isError: true,
    content: [{ type: 'text', text: 'The ledger is closed.' }],
  }))
  mcp.registerTool('huge', { description: 'Says a lot.', inputSchema: z.object({}) }, async () => ({
    content: [{ type: 'text', text: 'x'.repeat(100_000) }],
  }))
  return mcp
}

export function mcpServer(
  behave?: (request: Request) => Response | undefined | Promise<Response | undefined>,
): TestMcpServer {
  const calls: unknown[] = []
  const requests: TestMcpServer['requests'] = []
  const handler = createMcpHandler(() => server(calls))
  const serving = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      requests.push({ method: request.method, headers: request.headers })
      return (await behave?.(request)) ?? handler.fetch(request)
    },
  })
  return { url: `http://127.0.0.1:${serving.port}/mcp`, requests, calls, stop: () => serving.stop(true) }
}
