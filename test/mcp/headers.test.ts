import { beforeAll, expect, test } from 'vitest'
import { newUser, type SendOptions, type TestApp, testApp } from '../support/app.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await testApp()
  token = (await newUser(app.database)).token
})

const json = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const params = { name: 'search_operations', arguments: { query: 'assistants' } }
const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
const unkept = 'private, no-store'

test.each<[what: string, method: string, options: SendOptions, status: number, caching: string]>([
  ['a tool’s result', 'POST', { headers: json, body: message }, 200, `${unkept}, no-transform`],
  ['a message without a response', 'POST', { headers: json, body: { jsonrpc: '2.0', method: 'x' } }, 202, unkept],
  ['a body that is no JSON', 'POST', { headers: json, body: '{' }, 400, unkept],
  ['a message that is none', 'POST', { headers: json, body: { jsonrpc: '1.0' } }, 400, unkept],
  ['another method', 'GET', {}, 405, unkept],
  ['HEAD', 'HEAD', {}, 405, unkept],
  ['a caller that takes no events', 'POST', { headers: { ...json, accept: 'text/html' }, body: message }, 406, unkept],
  ['another type', 'POST', { headers: { ...json, 'content-type': 'text/plain' }, body: 'x' }, 415, unkept],
])('%s is kept by no cache and taken for no page', async (_what, method, options, status, caching) => {
  const response = await app.send(method, '/mcp', { token, ...options })
  const { headers } = response
  await response.text()
  expect([response.status, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
    status,
    caching,
    'nosniff',
  ])
})
