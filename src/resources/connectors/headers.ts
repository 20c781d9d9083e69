import type { McpServer } from '../../mcp/session.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { connectors } from './table.ts'

/** What a connector's headers are sealed for. */
export const headersContext = 'connectors.headers'

/** What is stored of a connector's headers. */
export function sealHeaders(vault: Vault, headers: Record<string, string> | null | undefined): string | null {
  if (!headers || Object.keys(headers).length === 0) return null
  return vault.seal(JSON.stringify(headers), headersContext)
}

type Row = Pick<typeof connectors.$inferSelect, 'uid' | 'ownerId' | 'serverUrl' | 'headers'>

/** A connector as its server is asked, headers opened. Throws when they cannot be read. */
export function serverOf(vault: Vault, { uid, ownerId, serverUrl, headers }: Row): McpServer {
  return {
    uid,
    owner: String(ownerId),
    url: serverUrl,
    headers: headers === null ? {} : JSON.parse(vault.open(headers, headersContext)),
  }
}
