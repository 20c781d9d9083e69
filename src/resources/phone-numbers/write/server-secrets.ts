import type { Vault } from '../../../secrets/vault.ts'
import type { StoredServer } from '../schema.ts'

/** What the secrets of a number's webhook block are sealed for; see `Vault.seal`. */
export const serverContext = 'phone_numbers.server'

function mapSecrets(server: StoredServer, change: (text: string) => string): StoredServer {
  const { secret, headers } = server
  return {
    ...server,
    ...(secret !== undefined && { secret: change(secret) }),
    ...(headers && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)])),
    }),
  }
}

/** The block as it is stored: its secret and header values sealed. */
export const sealServer = (vault: Vault, server: StoredServer | null): StoredServer | null =>
  server && mapSecrets(server, (text) => vault.seal(text, serverContext))

/** The block with its secrets in plain, for the platform and for the record. */
export const openServer = (vault: Vault, server: StoredServer | null): StoredServer | null =>
  server && mapSecrets(server, (text) => vault.open(text, serverContext))
