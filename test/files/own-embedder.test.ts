import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Externals } from '../../src/app/externals.ts'
import { openAiEmbedder } from '../../src/knowledge/openai-embedder.ts'
import { createLog } from '../../src/runtime/log.ts'
import { callerOf } from '../agents/caller.ts'
import { newUser, testApp } from '../support/app.ts'
import { until } from '../support/listening.ts'
import { indexedFile } from './indexed-file.ts'

const texts: string[] = []
/** What it responds with instead. */
let refusal: (() => Response) | undefined
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { input }: { input: string[] } = await request.json()
    if (refusal) return refusal()
    texts.push(...input)
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [1, 0] }))
    return Response.json({ object: 'list', model: 'vectors', data, usage: { prompt_tokens: 1, total_tokens: 1 } })
  },
})
beforeEach(() => {
  refusal = undefined
})
afterAll(() => server.stop(true))

/** An agent of a server whose embedder is the operator's own. */
async function withOwn(model: string, overrides: Partial<Externals> = {}) {
  const embedder = openAiEmbedder({ baseUrl: `http://127.0.0.1:${server.port}/v1`, apiKey: undefined, model })
  const app = await testApp({ embedder, remember: false, ...overrides })
  const { token } = await newUser(app.database)
  const caller = callerOf(app, token)
  return { app, token, caller, agent: await caller.agent() }
}

test('an embedder of the operator’s own gets passages and questions as they were written', async () => {
  const { app, token, caller, agent } = await withOwn('vectors-1')
  const passage = 'Die Kaution wird bei der Rückgabe des Schlüssels erstattet.'
  await indexedFile(app, { token, agent, name: 'regeln.txt', text: passage })
  const question = 'Wann bekomme ich mein Geld zurück?'
  await caller.get(`/agents/${agent}/search?q=${encodeURIComponent(question)}`)
  // Files of other tests in this database may be indexed as well.
  expect(texts).toEqual(expect.arrayContaining([passage, question]))
})

test('where it cannot be told how near a text is, only words make sure of an answer', async () => {
  const { app, token, caller, agent } = await withOwn('vectors-2')
  const text = `# Opening hours

We open at nine in the morning and close at six in the evening, on Saturdays at noon.

# Deposit

A deposit of twenty pounds is due for every machine. It is paid back when the machine returns clean.

# Delivery

We deliver within ten miles for fifteen pounds, and collect the machine for as much.`
  await indexedFile(app, { token, agent, name: 'hire.md', text })
  const ask = async (content: string) => {
    const chat = await caller.chat(agent)
    const { body } = await caller.post(`/agents/${agent}/chats/${chat}/messages`, { content })
    return String(body.data.assistant_message.content)
  }
  expect(await ask('Is a deposit due for every machine?')).toMatch(/^A deposit of twenty pounds is due/)
  expect(await ask('Could my grandmother learn to swim with you?')).toMatch(/^I do not know/)
})

test.each([
  [401, { error: { message: 'Incorrect API key provided: sk_live_1234' } }],
  [400, { error: { message: 'Rejected sk_live_1234' } }],
  [200, { sk_live_1234: true }],
])('what its server says with %s is not in the log, which names the status', async (status, said) => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const { app, token, caller, agent } = await withOwn('vectors-3', { log })
  refusal = () => Response.json(said, { status })
  const form = new FormData()
  form.set('file', new File(['We open at nine.'], 'hours.txt'))
  expect((await app.send('POST', `/agents/${agent}/files`, { token, body: form })).status).toBe(201)
  await until(() => lines.some((line) => line.includes('indexing_failed')))
  await caller.get(`/agents/${agent}/search?q=nine`)
  expect(lines.join('')).toContain(`(status ${status})`)
  expect(lines.join('')).not.toContain('sk_live_1234')
})
