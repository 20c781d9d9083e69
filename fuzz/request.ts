import type { Caller, Tenant } from './cast.ts'
import type { Described } from './description.ts'

/** A call of one operation, as far as the checks of its response need it. */
export interface Called {
  operation: Described
  /** The operation's path with its values; as the server reads them, not as they are escaped. */
  values: Record<string, string>
  path: string
  /** Whose object the path names, where the pool says so. */
  owner: Tenant | undefined
  /** The body as it was before anything was made wrong; nothing once something is. */
  sent: unknown
  /** Every value in the path stands in one segment, so that no other route is meant. */
  routed: boolean
}

/** One request, and nothing of the server in it but ids and a token. */
export interface FuzzRequest {
  number: number
  kind: 'rest' | 'rpc' | 'raw'
  as: Caller
  method: string
  target: string
  headers: [string, string][]
  body: Uint8Array<ArrayBuffer> | string | undefined
  calls: Called[]
  /** Of a raw request: the bytes as they go out, with pauses in milliseconds between them. */
  pieces: { bytes: Uint8Array; pause: number }[]
  /** The head or body never ends as it says: the server may say nothing. */
  hangs: boolean
}

/** A response as it was read, of whatever kind of request. */
export interface Seen {
  status: number
  headers: [string, string][]
  type: string
  text: string
  body: unknown
  milliseconds: number
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** A command that sends the request again; the token is left to be filled in. */
export function replay({ kind, as, method, target, headers, body, pieces }: FuzzRequest): string {
  if (kind === 'raw') {
    const bytes = Buffer.concat(pieces.map((piece) => piece.bytes)).toString('base64')
    return `as ${as}: echo ${bytes} | base64 -d | nc $HOST $PORT`
  }
  const shown = headers.map(([name, value]) =>
    name === 'authorization' && as !== 'wrong'
      ? '-H "authorization: Bearer $TOKEN"'
      : `-H ${quoted(`${name}: ${value}`)}`,
  )
  const data = typeof body === 'string' ? Buffer.from(body) : body
  const given = data && `echo ${Buffer.from(data).toString('base64')} | base64 -d | `
  const sent = data ? ' --data-binary @-' : ''
  return `as ${as}: ${given ?? ''}curl -X ${method} ${shown.join(' ')}${sent} "$URL"${quoted(target)}`
}
