import type { Tenant } from './seed.ts'

/** How a contender is spoken to: REST, or tRPC with one or ten calls in a request. */
export type Face = 'rest' | 'rpc' | 'rpc-batch'

/** One operation as both faces know it. */
export interface Call {
  token: string
  method: 'GET' | 'POST'
  path: string
  procedure: string
  input: object
}

/** An HTTP request with a token. */
export interface Plain {
  method: 'GET' | 'POST'
  path: string
  token: string
  body?: string
}

/** Calls in a tRPC batch. */
export const batchSize = 10

/** How many procedures a server has that is compared with itself. */
export const procedureCounts = { few: 10, many: 300 }

/** How many calls a request of a face makes. */
export const callsPerRequest = (face: Face): number => (face === 'rpc-batch' ? batchSize : 1)

/** GET of assistants all over the workspaces, workspace after workspace, ten of each, so many times. */
function getsOf(tenants: readonly Tenant[], blocks: number): Call[] {
  return Array.from({ length: blocks }, (_, block) =>
    tenants.flatMap(({ token, assistantIds }) =>
      assistantIds.slice(block * batchSize, (block + 1) * batchSize).map((assistantId): Call => {
        const path = `/assistants/${assistantId}`
        return { token, method: 'GET', path, procedure: 'assistants.get', input: { assistantId } }
      }),
    ),
  ).flat()
}

/** GET of a fifth of the assistants: few enough that a server could keep what it made of all of them. */
export const getCalls = (tenants: readonly Tenant[]): Call[] => getsOf(tenants, 10)

/** GET of every assistant: when its turn comes again, a server that keeps what it made of some has dropped it. */
export const unreadCalls = (tenants: readonly Tenant[]): Call[] =>
  getsOf(tenants, Math.max(...tenants.map(({ assistantIds }) => Math.ceil(assistantIds.length / batchSize))))

/** The first page of fifteen in every workspace, ten times each. */
export const listCalls = (tenants: readonly Tenant[]): Call[] =>
  tenants.flatMap(({ token }) =>
    Array.from(
      { length: batchSize },
      (): Call => ({ token, method: 'GET', path: '/assistants', procedure: 'assistants.list', input: {} }),
    ),
  )

/** Creates of the same body in every workspace, ten of each. */
export const createCalls = (tenants: readonly Tenant[], input: object): Call[] =>
  tenants.flatMap(({ token }) =>
    Array.from(
      { length: batchSize },
      (): Call => ({ token, method: 'POST', path: '/assistants', procedure: 'assistants.create', input }),
    ),
  )

function request(face: Face, calls: Call[]): Plain[] {
  const [first] = calls
  if (!first) return []
  const { token, method } = first
  if (face === 'rest') {
    const body = method === 'POST' ? JSON.stringify(first.input) : undefined
    return [{ method, path: first.path, token, body }]
  }
  const batched = face === 'rpc-batch'
  const input = JSON.stringify(
    batched ? Object.fromEntries(calls.map(({ input }, index) => [index, input])) : first.input,
  )
  const path = `/trpc/${calls.map(({ procedure }) => procedure).join(',')}${batched ? '?batch=1' : ''}`
  if (method === 'POST') return [{ method, path, token, body: input }]
  return [{ method, path: `${path}${batched ? '&' : '?'}input=${encodeURIComponent(input)}`, token }]
}

/** The requests that make the calls over a face. */
export function requestsFor(face: Face, calls: Call[]): Plain[] {
  const size = callsPerRequest(face)
  return Array.from({ length: Math.ceil(calls.length / size) }, (_, index) =>
    request(face, calls.slice(index * size, (index + 1) * size)),
  ).flat()
}

/** A request as it goes over the wire, on a connection that is kept open. */
export function onTheWire({ method, path, token, body }: Plain): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`
  if (body === undefined) return `${head}\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
