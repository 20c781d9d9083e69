import type { Client as McpClient } from '@modelcontextprotocol/client'
import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'
import { OutgoingError } from '../outgoing/refusal.ts'
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

/** A response that broke off in our words: what the runtime says of it would be read by models, and kept. */
const brokenOff = (error: unknown): OutgoingError =>
  error instanceof OutgoingError ? error : new OutgoingError('unreachable', { cause: error })

/** What a connection is bounded by, and what ends it. */
interface Bounds {
  timeoutMs: number
  ending: AbortSignal
  /** Rejects for a response that is no message: the client would wait for its time to end. */
  onBroken(error: unknown): void
  /** Told once the server has responded to anything but 401 and 403. */
  onResponse(): void
}

/** A client that is not connected yet, and what connects and leaves it. */
async function clientOf(outgoing: GuardedFetch, server: McpServer, era: 'legacy' | 'auto', bounds: Bounds) {
  // Loaded at first use: a server without connectors starts without it.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const { timeoutMs, ending } = bounds
  const guarded = async (url: string | URL, init?: RequestInit) => {
    const request = { method: init?.method, headers: init?.headers, body: bodyOf(init?.body) }
    const ends = init?.method === 'DELETE'
    const limits = { timeoutMs: ends ? endBudgetMs : timeoutMs, maxBytes }
    const signals = [init?.signal, ends ? undefined : ending].filter((one) => one instanceof AbortSignal)
    const response = await outgoing(url, { ...request, signal: AbortSignal.any(signals) }, limits)
    if (response.status !== 401 && response.status !== 403) bounds.onResponse()
    return boundedMessages(response, (error) => bounds.onBroken(brokenOff(error))).catch((error: unknown) => {
      throw ending.aborted ? error : brokenOff(error)
    })
  }
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: guarded,
    requestInit: { headers: server.headers },
  })
  const client = new Client(
    { name: 'switchboard', version },
    { versionNegotiation: { mode: era }, jsonSchemaValidator: { getValidator: uncompiled } },
  )
  return {
    client,
    connect: () => client.connect(transport, { timeout: timeoutMs, signal: ending }),
    async leave() {
      await transport.terminateSession().catch(() => {})
      await client.close()
    },
  }
}

/**
 * Connects to a tool server, runs `work` and closes the connection again, all within `timeoutMs`. It is greeted with
 * `initialize`, which nearly all know; one that responds with something else is asked what it knows
 * (`server/discover`). A session that the server began is ended after that, which is not waited for. Every request goes
 * through the guard: checked address, no redirect, bounded response. Throws whatever goes wrong.
 */
export async function withMcpServer<T>(
  outgoing: GuardedFetch,
  server: McpServer,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  work: (client: McpClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(timeoutMs)
  const ending = signal ? AbortSignal.any([signal, deadline]) : deadline
  const connected = async (era: 'legacy' | 'auto', onResponse: () => void) => {
    const broken = Promise.withResolvers<never>()
    broken.promise.catch(() => {})
    const abort = () => broken.reject(ending.reason)
    const bounds = { timeoutMs, ending, onBroken: broken.reject, onResponse }
    const { client, connect, leave } = await clientOf(outgoing, server, era, bounds)
    ending.addEventListener('abort', abort)
    let isConnected = false
    try {
      ending.throwIfAborted()
      await Promise.race([connect(), broken.promise])
      isConnected = true
      const value = await Promise.race([work(client, ending), broken.promise])
      return { isConnected: true, value } as const
    } catch (error) {
      if (isConnected || ending.aborted) throw error
      return { isConnected: false, error } as const
    } finally {
      ending.removeEventListener('abort', abort)
      void leave().catch(() => {})
    }
  }
  let isThere = false
  const greeted = await connected('legacy', () => {
    isThere = true
  })
  if (greeted.isConnected) return greeted.value
  const asked = isThere ? await connected('auto', () => {}) : greeted
  if (asked.isConnected) return asked.value
  throw greeted.error
}
