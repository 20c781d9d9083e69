import { afterAll, expect, test } from 'vitest'
import { embedderFor } from '../../src/app/bootstrap/embedder.ts'
import { readEnv } from '../../src/app/env.ts'
import { watchPeers } from '../../src/outgoing/observe.ts'
import { newUser, testApp } from '../support/app.ts'

let respond: () => Response | Promise<Response>
const works = () =>
  Response.json({ object: 'list', model: 'e', data: [{ object: 'embedding', index: 0, embedding: [1] }] })
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => respond() })
afterAll(() => server.stop(true))

const env = readEnv({ LLM_BASE_URL: `http://127.0.0.1:${server.port}`, LLM_MODELS: 'm', EMBEDDINGS_MODEL: 'e' })
const peers = watchPeers()
const embedder = embedderFor(env, peers.observe)
if (!embedder) throw new Error('no embedder')
const app = await testApp({ embedder, isWorking: peers.isWorking })
const { token } = await newUser(app.database)
const shown = async () => (await (await app.send('GET', '/overview', { token })).json()).data.parts

const ask = (signal?: AbortSignal) =>
  embedder.embed(['text'], signal).then(
    () => 'embedded',
    () => 'failed',
  )

test.each([
  ['has an error of its own', () => new Response('down', { status: 500 }), false],
  ['does not take our key', () => new Response('who?', { status: 401 }), false],
  ['forbids it', () => new Response('no', { status: 403 }), false],
  ['is asked too much', () => new Response('later', { status: 429, headers: { 'retry-after-ms': '1' } }), true],
])('a server of embeddings that %s', async (_what, response, working) => {
  respond = works
  expect(await ask()).toBe('embedded')
  expect((await shown()).embedder).toEqual({ kind: 'configured', id: 'openai:e', working: true })
  respond = response
  expect(await ask()).toBe('failed')
  expect(await shown()).toMatchObject({ embedder: { working }, carrier: { working: true } })
  respond = works
  expect(await ask()).toBe('embedded')
  expect((await shown()).embedder.working).toBe(true)
})

test('a call that nobody waits for any more says nothing of the server', async () => {
  respond = works
  expect(await ask()).toBe('embedded')
  const left = new AbortController()
  respond = () => {
    left.abort()
    return new Promise<Response>(() => {})
  }
  expect(await ask(left.signal)).toBe('failed')
  expect((await shown()).embedder.working).toBe(true)
})

test('a server that cannot be reached does not work', async () => {
  const nowhere = watchPeers()
  const gone = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: works })
  const { port } = gone
  await gone.stop(true)
  const call = nowhere.observe('carrier', () => fetch(`http://127.0.0.1:${port}`))
  expect(nowhere.isWorking('carrier')).toBe(true)
  await expect(call()).rejects.toThrow()
  expect(nowhere.isWorking('carrier')).toBe(false)
})
