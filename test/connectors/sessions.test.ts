import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueue } from '../../src/api/rate-limit/slots.ts'
import { createMcpServers } from '../../src/mcp/servers.ts'
import { createGuardedFetch } from '../../src/outgoing/guarded-fetch.ts'
import { allowedPlaces } from '../../src/outgoing/places.ts'
import { createLog } from '../../src/runtime/log.ts'
import { testClock } from '../support/app.ts'

/** How the server responds to the end of a session, and to what is asked within it. */
const behaviour = {
  end: async () => new Response(null, { status: 204 }),
  result: async (): Promise<object> => ({ content: [{ type: 'text', text: 'Nine.' }] }),
}
const usual = { ...behaviour }
const sessions = { open: new Set<string>(), begun: 0 }

/** A tool server that keeps a session for each client that says hello. */
function stateful() {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const named = request.headers.get('mcp-session-id') ?? ''
      if (request.method === 'DELETE') {
        sessions.open.delete(named)
        return behaviour.end()
      }
      if (request.method !== 'POST') return new Response(null, { status: 405 })
      const { id, method } = (await request.json()) as { id?: number; method: string }
      if (id === undefined) return new Response(null, { status: 202 })
      if (method === 'initialize') {
        const session = `session-${++sessions.begun}`
        sessions.open.add(session)
        const serverInfo = { name: 'x', version: '1' }
        const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
        return Response.json({ jsonrpc: '2.0', id, result }, { headers: { 'mcp-session-id': session } })
      }
      if (!sessions.open.has(named)) {
        return Response.json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Say hello first.' } })
      }
      const tools = [{ name: 'look', inputSchema: { type: 'object' } }]
      const result = method === 'tools/list' ? { tools } : await behaviour.result()
      return Response.json({ jsonrpc: '2.0', id, result })
    },
  })
}

let server: ReturnType<typeof stateful>
beforeEach(() => {
  Object.assign(behaviour, usual)
  sessions.open.clear()
  sessions.begun = 0
  server = stateful()
})
afterEach(() => server.stop(true))

const tool = { name: 'look', description: '', inputSchema: { type: 'object' as const } }

function client() {
  const servers = createMcpServers({
    outgoing: createGuardedFetch({ allowed: allowedPlaces(['127.0.0.1']) }),
    clock: testClock(),
    log: createLog('silent'),
    slots: createQueue({ total: 40 }),
  })
  const target = { uid: crypto.randomUUID(), owner: '1', url: `http://127.0.0.1:${server.port}/mcp`, headers: {} }
  const never = new AbortController().signal
  return {
    list: () => servers.list(target),
    call: (signal = never) => servers.call(target, tool, {}, signal),
  }
}

const allEnded = () => vi.waitFor(() => expect([sessions.begun, [...sessions.open]]).toEqual([1, []]), 5_000)

test('a list leaves no session open', async () => {
  expect(await client().list()).toEqual([tool])
  await allEnded()
})

test('nor does a call', async () => {
  expect(await client().call()).toBe('Nine.')
  await allEnded()
})

test('nor does a call that fails', async () => {
  behaviour.result = async () => ({ content: [{ type: 'text', text: 'Closed.' }], isError: true })
  await expect(client().call()).rejects.toThrow('Closed.')
  await allEnded()
})

test('nor does a call that is given up', async () => {
  const turn = new AbortController()
  behaviour.result = () => {
    turn.abort(new Error('The turn is over.'))
    return new Promise(() => {})
  }
  await expect(client().call(turn.signal)).rejects.toThrow('The turn is over.')
  await allEnded()
})

test.each<[what: string, end: () => Promise<Response>]>([
  ['hangs', () => new Promise(() => {})],
  ['ends no sessions', async () => new Response(null, { status: 405 })],
  ['fails', async () => new Response('no', { status: 500 })],
])('a server that %s when a session is to be ended delays nothing', async (_what, end) => {
  behaviour.end = end
  const { call } = client()
  await call()
  const started = performance.now()
  expect(await call()).toBe('Nine.')
  expect(performance.now() - started).toBeLessThan(900)
})
