import type { Client as McpClient } from '@modelcontextprotocol/client'
import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'
import { version } from '../runtime/version.ts'
import { boundedMessages } from './bounded-messages.ts'

/** A tool server as its owner registered it. */
export interface McpServer {
  uid: string
  /** Whose connections these are: one owner's servers share what one owner may have open. */
  owner: string
  url: string
  headers: Record<string, string>
}

/** A server that responds with more than this is not read further. */
const maxBytes = 1024 * 1024

/** How long a server may take to end a session. */
const endBudgetMs = 1_000

/** No schema that comes from outside is compiled: compiling and matching could last for ever. */
function uncompiled(): never {
  throw new Error('Schemas of tool servers are not compiled')
}

/** What our guard can send: the protocol's bodies are text. */
function bodyOf(body: RequestInit['body']): string | null {
  if (body === null || body === undefined) return null
  if (typeof body === 'string') return body
  throw new TypeError('Only text is sent to tool servers')
}

/**
 * Connects to a tool server, runs `work` and closes the connection again, all within `timeoutMs`. A session that the server
 * began is ended after that, which is not waited for. Every request goes through the guard: checked address, no redirect,
 * bounded response. Throws whatever goes wrong.
 */
export async function withMcpServer<T>(
  outgoing: GuardedFetch,
  server: McpServer,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  work: (client: McpClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Loaded at first use: a server without connectors starts without it.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const deadline = AbortSignal.timeout(timeoutMs)
  const ending = signal ? AbortSignal.any([signal, deadline]) : deadline
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => {})
  const abort = () => broken.reject(ending.reason)
  const guarded = async (url: string | URL, init?: RequestInit) => {
    const request = { method: init?.method, headers: init?.headers, body: bodyOf(init?.body) }
    const ends = init?.method === 'DELETE'
    const bounds = { timeoutMs: ends ? endBudgetMs : timeoutMs, maxBytes }
    const signals = [init?.signal, ends ? undefined : ending].filter((one) => one instanceof AbortSignal)
    const response = await outgoing(url, { ...request, signal: AbortSignal.any(signals) }, bounds)
    // The client would wait for its time to end.
    return boundedMessages(response, (error) => broken.reject(error))
  }
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: guarded,
    requestInit: { headers: server.headers },
  })
  const client = new Client(
    { name: 'switchboard', version },
    { versionNegotiation: { mode: 'auto' }, jsonSchemaValidator: { getValidator: uncompiled } },
  )
  const leave = async () => {
    await transport.terminateSession().catch(() => {})
    await client.close()
  }
  ending.addEventListener('abort', abort)
  try {
    ending.throwIfAborted()
    const session = async () => {
      await client.connect(transport, { timeout: timeoutMs, signal: ending })
      return work(client, ending)
    }
    return await Promise.race([session(), broken.promise])
  } finally {
    ending.removeEventListener('abort', abort)
    void leave().catch(() => {})
  }
}
