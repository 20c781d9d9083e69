import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createQueue } from '../../src/api/rate-limit/slots.ts'
import { createMcpServers } from '../../src/mcp/servers.ts'
import { createGuardedFetch } from '../../src/outgoing/guarded-fetch.ts'
import { allowedPlaces } from '../../src/outgoing/places.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createLog } from '../../src/runtime/log.ts'
import { type Caller, callerOf } from '../agents/caller.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { mcpServer, type TestMcpServer } from './mcp-server.ts'

/** More than one owner's servers may have open at once. */
const many = 13

interface Entry {
  name: string
  reachable: boolean
  tools_count: number
  tools: object[]
}

let app: TestApp
let server: TestMcpServer
let silent: TestMcpServer
let caller: Caller
let agent: string

beforeAll(async () => {
  server = mcpServer()
  silent = mcpServer(() => new Promise<never>(() => {}))
  app = await testApp({ allowPrivateNetwork: ['127.0.0.1'], remember: false })
})
afterAll(() => Promise.all([server.stop(), silent.stop()]))
beforeEach(async () => {
  caller = callerOf(app, (await newUser(app.database)).token)
  agent = await caller.agent()
})

async function enabled(name: string, server_url: string) {
  const { body } = await caller.post('/connectors', { name, server_url })
  expect((await caller.send('PUT', `/agents/${agent}/connectors/${body.data.uid}`, { enabled: true })).status).toBe(200)
}
const listed = async (): Promise<Entry[]> => (await caller.get(`/agents/${agent}/connectors`)).body.data

test('however many servers an owner has, each is asked, by the list and for a turn', async () => {
  for (let count = 1; count <= many; count++) await enabled(`Desk ${count}`, server.url)
  server.requests.length = 0
  const entries = await listed()
  expect(entries.map(({ reachable, tools_count }) => [reachable, tools_count])).toEqual(Array(many).fill([true, 3]))
  expect(server.requests.length).toBeGreaterThanOrEqual(many)
  const [row] = await app.database.sql<{ id: number }[]>`select id from agents where agent_id = ${agent}`
  const toolbox = await app.services.toolbox.open({ id: row?.id ?? 0, agentId: agent }, new AbortController().signal)
  expect(Object.keys(toolbox.tools)).toHaveLength(many * 3)
})

test('those that say nothing take the others their turn for a moment only', async () => {
  for (let count = 1; count <= 10; count++) await enabled(`A silent one ${count}`, silent.url)
  for (const name of ['Late 1', 'Late 2']) await enabled(name, server.url)
  const reachable = (await listed()).filter((entry) => entry.reachable)
  expect(reachable.map(({ name }) => name)).toEqual(['Late 1', 'Late 2'])
})

test('one whose turn does not come is asked the next time: that it was not asked is not remembered', async () => {
  const servers = createMcpServers({
    outgoing: createGuardedFetch({ allowed: allowedPlaces(['127.0.0.1']) }),
    clock: systemClock,
    log: createLog('silent'),
    slots: createQueue({ total: 1 }),
    waitMs: 50,
  })
  const at = (url: string) => ({ uid: crypto.randomUUID(), owner: '1', url, headers: {} })
  const target = at(server.url)
  const busy = servers.list(at(silent.url))
  await expect(servers.list(target)).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(await busy).toBeUndefined()
  expect(await servers.list(target)).toHaveLength(3)
})

test.each([
  ['{}', {}],
  ['others', { prompts: {} }],
])('a server that has no tools is reachable: capabilities %s', async (_what, capabilities) => {
  const bare = mcpServer(async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 })
    const { id, method } = (await request.clone().json()) as { id?: number; method: string }
    if (id === undefined) return new Response(null, { status: 202 })
    if (method !== 'initialize') {
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
    }
    const serverInfo = { name: 'bare', version: '1' }
    return Response.json({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18', capabilities, serverInfo } })
  })
  await enabled('Bare', bare.url)
  expect(await listed()).toMatchObject([{ reachable: true, tools_count: 0, tools: [] }])
  await bare.stop()
})

describe('a server that knows initialize and tools alone', () => {
  const serverInfo = { name: 'plain', version: '1' }
  const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }]
  const results: Record<string, object> = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
    'tools/list': { tools },
  }
  const others: [what: string, respond: (id: number | undefined) => Response | Promise<Response>][] = [
    ['202', () => new Response(null, { status: 202 })],
    ['204', () => new Response(null, { status: 204 })],
    ['no result', (id) => Response.json({ jsonrpc: '2.0', id })],
    ['a text', () => new Response('ok')],
    ['500', () => new Response('unexpected method', { status: 500 })],
    ['404', () => new Response(null, { status: 404 })],
    ['an error without id', () => Response.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No' } })],
    ['nothing', () => new Promise<Response>(() => {})],
  ]

  test.each(others)('is reachable, whatever it says to anything else: %s', async (_what, respond) => {
    const plain = mcpServer(async (request) => {
      if (request.method !== 'POST') return new Response(null, { status: 405 })
      const { id, method } = (await request.clone().json()) as { id?: number; method: string }
      const result = results[method]
      if (method === 'notifications/initialized') return new Response(null, { status: 202 })
      return result ? Response.json({ jsonrpc: '2.0', id, result }) : respond(id)
    })
    await enabled('Plain', plain.url)
    expect(await listed()).toMatchObject([{ reachable: true, tools: [{ name: 'look' }] }])
    await plain.stop()
  })

  test('and declares no tools', async () => {
    const plain = mcpServer(async (request) => {
      if (request.method !== 'POST') return new Response(null, { status: 405 })
      const { id, method } = (await request.clone().json()) as { id?: number; method: string }
      if (id === undefined) return new Response(null, { status: 202 })
      const declared = { ...results, initialize: { ...results.initialize, capabilities: {} } }
      return Response.json({ jsonrpc: '2.0', id, result: declared[method as 'initialize'] })
    })
    await enabled('Plain', plain.url)
    expect(await listed()).toMatchObject([{ reachable: true, tools: [{ name: 'look' }] }])
    await plain.stop()
  })
})
