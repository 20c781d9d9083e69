import type { Client as McpClient } from '@modelcontextprotocol/client'
import type { Logger } from 'pino'
import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'
import { boundedCache } from '../runtime/bounded-cache.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Queue } from '../runtime/slots.ts'
import { boundedText, type McpTool, maxTools } from './bounded-tool.ts'
import { type McpServer, withMcpServer } from './session.ts'

/** How long a server waits to be asked while others of its owner are, and how long it may then take. */
const listWaitMs = 5_000
const listBudgetMs = 1_500
const callBudgetMs = 20_000
const goodMs = 60_000
const badMs = 10_000
const maxPages = 5
const maxOutputLength = 8_000
/** Of all that is remembered of what servers offer: a single one may describe a hundred tools at length. */
const maxCachedBytes = 32 * 1024 * 1024

interface Listed {
  /** As it was registered then. */
  server: McpServer
  until: number
  /** Undefined: the server could not be reached. */
  tools: McpTool[] | undefined
}

interface ServersOptions {
  outgoing: GuardedFetch
  clock: Clock
  log: Logger
  /** Connections that may be open at once, keyed by the owner of the server; those beyond wait. */
  slots: Queue
  /** How long a server waits to be asked. Default 5 s. */
  waitMs?: number
}

/** The tool servers of connectors: what they offer, remembered for a while, and calls of their tools. */
export function createMcpServers({ outgoing, clock, log, slots, waitMs = listWaitMs }: ServersOptions) {
  const cache = boundedCache<string, Listed>(maxCachedBytes, ({ tools }) => (tools ? JSON.stringify(tools).length : 0))
  const asking = new Map<string, { server: McpServer; tools: Promise<McpTool[] | undefined> }>()

  const read = async (client: McpClient, signal: AbortSignal) => {
    const found: McpTool[] = []
    const declares = client.getServerCapabilities()?.tools !== undefined
    let cursor: string | undefined
    for (let page = 0; page < maxPages && found.length < maxTools; page++) {
      // One page at a time: `listTools` reads them all.
      const request = { method: 'tools/list' as const, params: { cursor } }
      const response = await client.request(request, { timeout: listBudgetMs, signal }).catch((error: unknown) => {
        // One that declares none may refuse to be asked.
        if (declares || signal.aborted) throw error
        return { tools: [], nextCursor: undefined }
      })
      for (const tool of response.tools) found.push({ description: '', ...tool })
      cursor = response.nextCursor
      if (!cursor) break
    }
    return found.slice(0, maxTools)
  }

  /** Throws 429 when its turn does not come, which says nothing of the server and is not remembered. */
  const ask = (server: McpServer): Promise<McpTool[] | undefined> =>
    slots.run(server.owner, AbortSignal.timeout(waitMs), async () => {
      const tools = await withMcpServer(outgoing, server, { timeoutMs: listBudgetMs }, read).catch((error: unknown) => {
        log.info(
          { event: 'tool_server_away', uid: server.uid, reason: error instanceof Error ? error.name : 'unknown' },
          'a tool server is out of reach',
        )
        return undefined
      })
      cache.set(server.uid, { server, tools, until: clock.now().getTime() + (tools ? goodMs : badMs) })
      return tools
    })

  return {
    /**
     * What a server offers; undefined when it cannot be reached within a second and a half. What it said within the
     * last minute, or that it could not be reached ten seconds ago, is taken for it unless it is asked for `now` or is
     * registered with another address or other headers since. Throws 429 when so many others of its owner are asked
     * that its turn does not come.
     */
    async list(server: McpServer, { now = false } = {}): Promise<McpTool[] | undefined> {
      const known = now ? undefined : cache.get(server.uid)
      if (known && clock.now().getTime() < known.until && Bun.deepEquals(known.server, server)) return known.tools
      const running = asking.get(server.uid)
      if (running && Bun.deepEquals(running.server, server)) return running.tools
      const started = { server, tools: ask(server) }
      asking.set(server.uid, started)
      try {
        return await started.tools
      } finally {
        if (asking.get(server.uid) === started) asking.delete(server.uid)
      }
    },

    /**
     * Calls a tool, within twenty seconds with the wait for its turn; its text, cut to what a model can take. Throws
     * what the server says went wrong, and 429 when its turn does not come.
     */
    async call(server: McpServer, tool: McpTool, input: unknown, signal: AbortSignal): Promise<string> {
      const { name } = tool
      const parameters = typeof input === 'object' && input !== null ? { ...input } : {}
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(callBudgetMs)])
      const bounds = { timeoutMs: callBudgetMs, signal: deadline }
      const run = async (client: McpClient, ending: AbortSignal) => {
        // With the definition at hand nothing is listed again when the server says that its headers do not fit.
        const options = { timeout: callBudgetMs, signal: ending, toolDefinition: tool }
        const response = await client.callTool({ name, arguments: parameters }, options)
        const texts = response.content.map((part) => (part.type === 'text' ? part.text : ''))
        const text = boundedText(texts.join('\n'), maxOutputLength)
        if (response.isError === true) throw new Error(text || 'The tool failed.')
        return text
      }
      return slots.run(server.owner, deadline, () => withMcpServer(outgoing, server, bounds, run))
    },

    /** Drops what a server offered from the cache, or what all did: a registration has changed. */
    invalidate(uid?: string): void {
      if (uid === undefined) cache.clear()
      else cache.delete(uid)
    },
  }
}

export type McpServers = ReturnType<typeof createMcpServers>
