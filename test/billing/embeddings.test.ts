import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openAiEmbedder } from '../../src/knowledge/openai-embedder.ts'
import { callerOf } from '../agents/caller.ts'
import { type FakeModelServer, fakeModelServer } from '../agents/fake-model-server.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { credit, dropPrice, newPayer, setPrice, stored } from '../support/payer.ts'

/** An operator's paid server of embeddings: how many texts it was asked for. */
let asked = 0
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { input }: { input: string[] } = await request.json()
    asked += input.length
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: [1, text.length % 7] }))
    return Response.json({ object: 'list', model: 'vectors', data, usage: { prompt_tokens: 1, total_tokens: 1 } })
  },
})

const model = 'vectors-1'
const text = Array.from({ length: 60 }, (_, row) => `Sheet ${row} says where the bicycles of floor ${row} stand.`)

let app: TestApp
let fake: FakeModelServer
beforeAll(async () => {
  fake = fakeModelServer()
  const database = await testDatabase()
  await setPrice({ database }, model, 1, 0)
  await setPrice({ database }, 'fake-1', 1, 1)
  const embedder = openAiEmbedder({ baseUrl: `http://127.0.0.1:${server.port}/v1`, apiKey: undefined, model })
  app = await testApp({ embedder, models: fake.models, remember: false })
})
afterAll(async () => {
  const database = await testDatabase()
  await dropPrice({ database }, model)
  await dropPrice({ database }, 'fake-1')
  fake.stop()
  await server.stop(true)
})
beforeEach(() => {
  asked = 0
})

/** Uploads the sheets, and lets whatever waits be indexed now. */
async function withFile(user: TestUser) {
  const caller = callerOf(app, user.token)
  const agent = await caller.agent()
  const form = new FormData()
  form.set('file', new File([text.join('\n\n')], 'sheets.txt'))
  const upload = await app.send('POST', `/agents/${agent}/files`, { token: user.token, body: form })
  expect(upload.status).toBe(201)
  const index = async () => {
    await app.database.sql`update knowledge_files set due_at = now() where index_state = 'pending'`
    await app.services.indexer.work.run()
    return (await caller.get(`/agents/${agent}/files`)).body.data[0].indexed as boolean
  }
  const search = () => caller.get(`/agents/${agent}/search?q=bicycles of floor 7`)
  return { caller, agent, index, search }
}

test('a workspace whose balance is empty has no vectors made: its passages are found by their words', async () => {
  const user = await newPayer(app, 'usd')
  const { index, search } = await withFile(user)
  expect(await index()).toBe(false)
  const { status, body } = await search()
  expect([status, body.data[0]?.text]).toEqual([200, expect.stringContaining('floor 7')])
  expect(asked).toBe(0)
  await credit(app, user, 'usd', 100_000)
  expect(await index()).toBe(true)
  expect(asked).toBeGreaterThan(0)
})

test('a balance that becomes empty has no more vectors made of its questions', async () => {
  const user = await newPayer(app, 'usd')
  await credit(app, user, 'usd', 100_000)
  const { caller, agent, index, search } = await withFile(user)
  await index()
  await app.database.sql`update wallets set balance = 0 where workspace_id = ${user.workspaceId}`
  asked = 0
  for (let count = 0; count < 20; count++) expect((await search()).status).toBe(200)
  const body = { agent, messages: [{ role: 'user', content: 'Where are the bicycles?' }] }
  expect((await caller.post('/chat/completions', body)).status).toBe(402)
  expect(asked).toBe(0)
})

test('passages and searches are charged at the price of the model, and a failed turn charges nothing', async () => {
  const user = await newPayer(app, 'usd')
  await credit(app, user, 'usd', 100_000)
  const { caller, agent, index, search } = await withFile(user)
  await index()
  const passages = await stored(app, user, 'usd')
  await search()
  const { entries, held, holds } = await stored(app, user, 'usd')
  expect([held, holds]).toEqual([0, []])
  for (const entry of entries.slice(1)) {
    expect(entry).toMatchObject({
      purpose: 'embeddings',
      model,
      completionTokens: 0,
      delta: -(entry.promptTokens ?? 0),
    })
  }
  expect([passages.entries.length > 1, entries.length - passages.entries.length]).toEqual([true, 1])
  const page = (await caller.get('/usage/ledger')).body.data
  expect(page[0]).toMatchObject({ purpose: 'embeddings', model })
  fake.script.push({ status: 401 })
  const body = { agent, messages: [{ role: 'user', content: 'Where are the bicycles?' }] }
  const before = asked
  expect((await caller.post('/chat/completions', body)).status).toBe(500)
  expect(asked).toBe(before + 1)
  expect((await stored(app, user, 'usd')).entries).toHaveLength(entries.length)
})

test('a balance that cannot pay for passages is not drawn below zero', async () => {
  const user = await newPayer(app, 'usd')
  await credit(app, user, 'usd', 3)
  const { index } = await withFile(user)
  expect(await index()).toBe(false)
  expect(asked).toBe(0)
  expect(await stored(app, user, 'usd')).toMatchObject({ balance: 3, held: 0, deltas: [3] })
})

test('a workspace that is not billed has its vectors, and so has one that pays where the model has no price', async () => {
  const { index } = await withFile(await newUser(app.database))
  expect(await index()).toBe(true)
  await dropPrice(app, model)
  try {
    const user = await newPayer(app, 'usd')
    await credit(app, user, 'usd', 10)
    const mine = await withFile(user)
    expect([await mine.index(), (await stored(app, user, 'usd')).deltas]).toEqual([true, [10]])
  } finally {
    await setPrice(app, model, 1, 0)
  }
})
