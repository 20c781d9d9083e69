import { afterAll, expect, test } from 'vitest'
import { openAiEmbedder } from '../../src/knowledge/openai-embedder.ts'
import { callerOf } from '../agents/caller.ts'
import { newUser, testApp } from '../support/app.ts'
import { indexedFile } from './indexed-file.ts'

const texts: string[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { input }: { input: string[] } = await request.json()
    texts.push(...input)
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [1, 0] }))
    return Response.json({ object: 'list', model: 'vectors', data, usage: { prompt_tokens: 1, total_tokens: 1 } })
  },
})
afterAll(() => server.stop(true))

test('an embedder of the operator’s own gets passages and questions as they were written', async () => {
  const baseUrl = `http://127.0.0.1:${server.port}/v1`
  const embedder = openAiEmbedder({ baseUrl, apiKey: undefined, model: 'vectors-1' })
  const app = await testApp({ embedder, remember: false })
  const { token } = await newUser(app.database)
  const caller = callerOf(app, token)
  const agent = await caller.agent()
  const passage = 'Die Kaution wird bei der Rückgabe des Schlüssels erstattet.'
  await indexedFile(app, { token, agent, name: 'regeln.txt', text: passage })
  const question = 'Wann bekomme ich mein Geld zurück?'
  await caller.get(`/agents/${agent}/search?q=${encodeURIComponent(question)}`)
  // Files of other tests in this database may be indexed as well.
  expect(texts).toEqual(expect.arrayContaining([passage, question]))
})
