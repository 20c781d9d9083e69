import { connect } from 'node:net'
import type { Faults } from '../faults.ts'
import type { Random } from '../random.ts'
import type { ServerProcess } from '../server/server-process.ts'
import { type ApiRequest, type Attempt, send } from './api.ts'

const leavingMs: [number, number] = [2, 400]
/** How long a half of a request lies at the server before its connection ends. */
const tornMs = 20

/** What breaks on the clients' side. */
export interface ClientFaults {
  faults: Faults
  random: Random
}

/** Sends a request once; now and then its client leaves before the response, or sends only half of it. */
export async function sendBroken(
  server: ServerProcess,
  token: string,
  request: ApiRequest,
  { faults, random }: ClientFaults,
): Promise<Attempt> {
  const fault = faults.take('client', (one) => one !== 'torn' || request.body !== undefined)
  if (fault === 'torn') {
    if (await sendHalf(server, token, request)) faults.count('client: torn')
    // No server may act on half of a request.
    return { answered: false, sent: false }
  }
  if (fault !== 'gone') return send(server, token, request)
  const leaving = new AbortController()
  const timer = setTimeout(
    () => {
      faults.count('client: gone')
      leaving.abort()
    },
    random.between(...leavingMs),
  )
  try {
    return await send(server, token, request, leaving.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Returns whether it reached the server. */
function sendHalf(server: ServerProcess, token: string, { method, path, body, headers }: ApiRequest): Promise<boolean> {
  const text = JSON.stringify(body)
  const { hostname, port, host } = new URL(server.url)
  const head = Object.entries({
    ...{ host, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${text.slice(0, Math.floor(text.length / 2))}`)
      setTimeout(() => {
        socket.destroy()
        resolve(true)
      }, tornMs)
    })
  })
}
