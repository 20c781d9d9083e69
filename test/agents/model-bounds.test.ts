import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { createModels } from '../../src/language-model/models.ts'
import { openAiCompatibleModels } from '../../src/language-model/openai-compatible.ts'
import { countTokens } from '../../src/language-model/tokens.ts'
import type { Toolbox } from '../../src/language-model/toolbox.ts'
import { converseThrough } from '../../src/resources/calls/converse.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { type Caller as Owner, caller as ownerOf } from '../support/numbers/rig.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer, type Received } from './fake-model-server.ts'

/** What LLM_MODELS says of a model holds for all that asks it. */
const contextTokens = 1_500
let opened = 0
const toolbox: Toolbox = {
  async open() {
    opened++
    return { tools: {}, nameOf: (name) => name, close: async () => {} }
  },
}

let fake: FakeModelServer
let app: TestApp
let caller: Caller
let owner: Owner
beforeAll(async () => {
  fake = fakeModelServer()
  const entry = `small;context=${contextTokens};output=200;tools=no`
  const models = openAiCompatibleModels({ baseUrl: fake.baseUrl, apiKey: undefined, models: [entry] }, fetch)
  const { db } = await testDatabase()
  const slots = createSlots({ total: 40 })
  const converse = converseThrough({ db, models: createModels(localModel(), models), slots })
  app = await testApp({ models, remember: false, toolbox, allowPrivateNetwork: ['127.0.0.1'] }, { converse })
  caller = callerOf(app, (await newUser(app.database)).token)
  owner = await ownerOf(app)
})
afterAll(() => fake.stop())
beforeEach(() => {
  fake.script.length = 0
  fake.received.length = 0
  opened = 0
})

const words = (length: number) => 'We walked along the river. '.repeat(1_000).slice(0, length)
const sizeOf = ({ messages }: Received) => countTokens(messages.map(({ content }) => String(content)).join('\n'))

async function expectWithin(requests: readonly Received[]) {
  for (const request of requests) {
    expect(await sizeOf(request)).toBeLessThanOrEqual(contextTokens)
    expect(request.max_tokens).toBeLessThanOrEqual(200)
    expect(request).not.toHaveProperty('tools')
  }
}

test('a test call sends no more than the model takes, and offers it no tools', async () => {
  const tool = { type: 'function', function: { name: 'get_weather' }, server: { url: 'http://127.0.0.1:9' } }
  const body = { name: 'Desk', firstMessage: 'Hello.', model: { tools: [tool] } }
  const { assistant_id } = await owner.data(201, 'POST', '/assistants', body)
  const messages = Array.from({ length: 8 }, (_, at) => `${at}. ${words(1_900)}`)
  fake.script.push(...messages.map(() => ({ reply: 'I see.' })))
  const made = await owner.data(201, 'POST', `/assistants/${assistant_id}/test-calls`, { messages })
  expect(made.transcript).toContain('I see.')
  const requests = fake.received.filter(({ messages: said }) => said.at(-1)?.role === 'user')
  expect(requests.length).toBeGreaterThan(3)
  await expectWithin(requests)
})

test('a turn of an agent does not ask its connectors for tools that the model takes none of', async () => {
  const agent = await caller.agent()
  const sent = await caller.post(`/agents/${agent}/chats/${await caller.chat(agent)}/messages`, { content: 'Hello' })
  expect([sent.status, opened]).toEqual([201, 0])
  await expectWithin(fake.received)
})

test.each([
  ['ends within an exchange', [words(7_000), words(1_500)], []],
  ['ends after one', [words(7_000), 'Right.', words(500), words(500)], ['user', 'assistant']],
  ['is whole', ['', 'Good day.'], ['assistant']],
])('a thread of which a part fits begins with a user, unless it began otherwise: it %s', async (_what, said, roles) => {
  const turns = said.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }))
  const messages = [...turns.filter(({ content }) => content !== ''), { role: 'user', content: 'Hello' }]
  expect((await caller.post('/chat/completions', { messages })).status).toBe(200)
  expect(fake.received.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', ...roles, 'user'])
})

describe('a form that is asked for', () => {
  const schema = { type: 'object', description: words(2_000) }
  const asked = {
    messages: [
      ...Array.from({ length: 12 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: words(800 + at) })),
      { role: 'user', content: 'Where did we walk?' },
    ],
    response_format: { type: 'json_schema', json_schema: { name: 'walk', schema } },
  }
  beforeAll(() => caller.agent())

  test('leaves the history the room beside its schema', async () => {
    fake.script.push({ reply: '{}' })
    expect((await caller.post('/chat/completions', asked)).status).toBe(200)
    await expectWithin(fake.received)
    expect(fake.received[0]?.messages.length).toBeGreaterThan(4)
  })

  test('has the history make room for a response that is repaired, and keeps the question', async () => {
    fake.script.push({ reply: words(3_000) }, { reply: '{}' })
    expect((await caller.post('/chat/completions', asked)).status).toBe(200)
    expect(fake.received).toHaveLength(2)
    await expectWithin(fake.received)
    expect(fake.received[1]?.messages.at(-3)?.content).toBe('Where did we walk?')
  })
})

test.each([
  ['small;context=1500', 750],
  ['small;context=32000', 4_096],
  ['small', 4_096],
  ['small;context=1500;output=1400', 1_400],
])('of %s a response has at most %d tokens', async (entry, tokens) => {
  const models = openAiCompatibleModels({ baseUrl: fake.baseUrl, apiKey: undefined, models: [entry] }, fetch)
  const bounded = await testApp({ models, remember: false })
  const asking = callerOf(bounded, (await newUser(bounded.database)).token)
  fake.script.push({ reply: 'I see.' })
  const messages = [{ role: 'user', content: 'Hello' }]
  expect((await asking.post('/chat/completions', { agent: await asking.agent(), messages })).status).toBe(200)
  expect(fake.received.map(({ max_tokens }) => max_tokens)).toEqual([tokens])
})
