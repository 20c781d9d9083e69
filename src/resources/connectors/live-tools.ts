import { and, eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import type { McpTool } from '../../mcp/bounded-tool.ts'
import type { McpServers } from '../../mcp/servers.ts'
import type { Vault } from '../../secrets/vault.ts'
import { serverOf } from './headers.ts'
import { connectors } from './table.ts'

type Row = typeof connectors.$inferSelect

export interface LiveTools {
  db: Database
  vault: Vault
  log: Logger
  mcpServers: McpServers
}

/**
 * What an active connector's server offers, undefined when it is out of reach; what is seen is remembered.
 * @param now asks the server, whatever it said before
 */
export async function liveTools(
  { db, vault, log, mcpServers }: LiveTools,
  row: Row,
  { now = false } = {},
): Promise<McpTool[] | undefined> {
  if (!row.active) return undefined
  try {
    const tools = await mcpServers.list(serverOf(vault, row), { now })
    if (!tools) return undefined
    const known = tools.map(({ name, description }) => ({ name, description }))
    if (!Bun.deepEquals(known, row.knownTools)) {
      // A registration that was changed meanwhile may name another server.
      const same = and(eq(connectors.id, row.id), eq(connectors.updatedAt, row.updatedAt))
      await db.update(connectors).set({ knownTools: known }).where(same)
    }
    return tools
  } catch (error) {
    log.warn({ event: 'connector_failed', err: error, uid: row.uid }, 'a connector cannot be used')
    return undefined
  }
}
