import { beforeAll, expect, test } from 'vitest'
import { newUser, type TestApp, testApp } from '../support/app.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await testApp()
  token = (await newUser(app.database)).token
})

const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, 1]))
const tool = (given: object) => ({ name: 'search_operations', arguments: { query: 'assistants', ...given } })
const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

async function send(body: unknown) {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const response = await app.send('POST', '/mcp', { token, headers, body })
  return { status: response.status, text: await response.text() }
}

const client = { protocolVersion: '2025-06-18', clientInfo: { name: 'test', version: '1.0.0' } }

test.each<[where: string, body: unknown]>([
  ['what a client can do', message('initialize', { ...client, capabilities: { experimental: wide } })],
  ['what goes with a request', message('tools/call', { ...tool({}), _meta: wide })],
  ['a request without arguments', message('tools/list', wide)],
  ['the arguments of what calls no tool', message('tools/list', { arguments: wide })],
  ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized', params: { list: [wide] } }],
  ['a batch', Array.from({ length: 100 }, (_, id) => ({ ...message('ping', { a: Array(20).fill(1) }), id }))],
])('%s of thousands of values is refused before each of them is judged', async (_where, body) => {
  const text = 'The body must have at most 2000 values besides the arguments of tools.'
  const { status, text: said } = await send(body)
  expect([status, JSON.parse(said)]).toEqual([422, { message: text, errors: { body: [text] } }])
})

test('the arguments of a tool may have more', async () => {
  const { status, text } = await send(message('tools/call', tool(wide)))
  expect([status, text]).toEqual([200, expect.stringContaining('"isError":false')])
})
