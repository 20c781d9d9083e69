import type { Logger } from 'pino'
import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'
import type { Clock } from '../runtime/clock.ts'
import { type McpServer, withMcpServer } from './session.ts'

/** A tool as its server describes it, within our bounds. */
export interface McpTool {
  name: string
  description: string
  inputSchema: Record<string, unknown>
}

const listBudgetMs = 1_500
const callBudgetMs = 20_000
const goodMs = 60_000
const badMs = 10_000
const mostTools = 100
const mostPages = 5
const longestDescription = 1_000
const largestSchema = 20_000
const longestOutput = 8_000
const mostCached = 1_000

interface Listed {
  until: number
  /** Undefined: the server could not be reached. */
  tools: McpTool[] | undefined
}

const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text)

interface RawTool {
  name: string
  description?: string
  inputSchema?: unknown
}

function bounded({ name, description, inputSchema }: RawTool): McpTool {
  const schema = typeof inputSchema === 'object' && inputSchema !== null ? { ...inputSchema } : {}
  const fits = JSON.stringify(schema).length <= largestSchema
  return {
    name: cut(name, 255),
    description: cut((description ?? '').replaceAll('\0', ''), longestDescription),
    inputSchema: fits ? schema : { type: 'object' },
  }
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => {
      if (typeof part !== 'object' || part === null) return ''
      if ('text' in part && typeof part.text === 'string') return part.text
      return 'type' in part ? `[${String(part.type)}]` : ''
    })
    .join('\n')
}

interface ServersOptions {
  outgoing: GuardedFetch
  clock: Clock
  log: Logger
}

/** The tool servers of connectors: what they offer, remembered for a while, and calls of their tools. */
export function createMcpServers({ outgoing, clock, log }: ServersOptions) {
  const cache = new Map<string, Listed>()
  const asking = new Map<string, Promise<McpTool[] | undefined>>()

  const ask = async (server: McpServer): Promise<McpTool[] | undefined> => {
    let tools: McpTool[] | undefined
    try {
      tools = await withMcpServer(outgoing, server, { timeoutMs: listBudgetMs }, async (client, signal) => {
        const found: McpTool[] = []
        let cursor: string | undefined
        for (let page = 0; page < mostPages && found.length < mostTools; page++) {
          const answer = await client.listTools({ cursor }, { timeout: listBudgetMs, signal })
          found.push(...answer.tools.map(bounded))
          cursor = answer.nextCursor
          if (!cursor) break
        }
        return found.slice(0, mostTools)
      })
    } catch (error) {
      log.info(
        { uid: server.uid, reason: error instanceof Error ? error.name : 'unknown' },
        'a tool server is out of reach',
      )
    }
    if (cache.size >= mostCached) cache.clear()
    cache.set(server.uid, { tools, until: clock.now().getTime() + (tools ? goodMs : badMs) })
    return tools
  }

  return {
    /** What a server offers; undefined when it cannot be reached within a second and a half. */
    async list(server: McpServer): Promise<McpTool[] | undefined> {
      const known = cache.get(server.uid)
      if (known && clock.now().getTime() < known.until) return known.tools
      const running = asking.get(server.uid) ?? ask(server).finally(() => asking.delete(server.uid))
      asking.set(server.uid, running)
      return running
    },

    /** Calls a tool; its text, cut to what a model can take. Throws what the server says went wrong. */
    async call(server: McpServer, name: string, input: unknown, signal: AbortSignal): Promise<string> {
      const parameters = typeof input === 'object' && input !== null ? { ...input } : {}
      return withMcpServer(outgoing, server, { timeoutMs: callBudgetMs, signal }, async (client, ending) => {
        const answer = await client.callTool({ name, arguments: parameters }, { timeout: callBudgetMs, signal: ending })
        const text = cut(textOf(answer.content), longestOutput)
        if (answer.isError === true) throw new Error(text || 'The tool failed.')
        return text
      })
    },

    /** Forgets what a server offered: its registration has changed. */
    forget(uid: string): void {
      cache.delete(uid)
    },
  }
}

export type McpServers = ReturnType<typeof createMcpServers>
