import { createHmac } from 'node:crypto'

/** How a webhook is authenticated when its server block names a credential. */
export interface Credential {
  kind: 'hmac' | 'bearer'
  /** The key of the signature, or the token. */
  secret: string
}

/** The installation's credentials, by id. */
export type Credentials = ReadonlyMap<string, Credential>

/** Whether a workspace may use a credential, asked for every request: a grant that was taken back is not used again. */
export type Granted = (workspaceId: number, credentialId: string) => Promise<boolean>

/**
 * The headers that a credential adds: a bearer token, or `x-signature`, the hex HMAC-SHA256 of `{timestamp}.{body}`,
 * with `x-timestamp` in milliseconds since 1970.
 */
export function credentialHeaders({ kind, secret }: Credential, body: string, now: Date): Record<string, string> {
  if (kind === 'bearer') return { authorization: `Bearer ${secret}` }
  const timestamp = String(now.getTime())
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { 'x-timestamp': timestamp, 'x-signature': signature }
}
