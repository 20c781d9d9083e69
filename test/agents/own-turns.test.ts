import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { newUser, type TestUser, testApp } from '../support/app.ts'
import { newDatabase } from '../support/database.ts'
import { storedMessages } from '../support/rows/chats.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

let database: DatabaseHandle
let fake: FakeModelServer
let user: TestUser
let caller: Caller
let agentId: string
let onStatement: ((statement: string) => void) | undefined

beforeAll(async () => {
  database = await newDatabase({ onQuery: (statement) => onStatement?.(statement) })
  fake = fakeModelServer()
  user = await newUser(database)
  caller = callerOf(await testApp({ database, models: fake.models, remember: false }), user.token)
  agentId = await caller.agent()
})
afterAll(async () => {
  fake.stop()
  await database.close()
})
beforeEach(() => {
  fake.script.length = 0
  fake.received.length = 0
})

/** When a request asks what its chat has. */
function asking(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  onStatement = (statement) => {
    if (statement.includes('max("messages"."id")')) resolve()
  }
  return promise
}

const pathOf = (chat: string) => `/agents/${agentId}/chats/${chat}/messages`
const complete = (chat: string, parameters: object) => {
  const messages = [{ role: 'user', content: 'Same' }]
  return caller.post('/chat/completions', { chat, messages, ...parameters })
}

test.each<[string, string, (chat: string) => Promise<unknown>]>([
  ['a completion of another form', '{"a":1}', (chat) => complete(chat, { response_format: { type: 'json_object' } })],
  ['a completion of another length', 'Cut', (chat) => complete(chat, { max_tokens: 1 })],
  [
    'a message under an Idempotency-Key',
    'Keyed',
    (chat) => caller.post(pathOf(chat), { content: 'Same' }, { 'idempotency-key': `of ${chat}` }),
  ],
])('a message that waits for %s with the same text has a turn of its own', async (_what, reply, start) => {
  const chat = await caller.chat(agentId)
  const gate = Promise.withResolvers<void>()
  fake.script.push({ reply, until: gate.promise })
  const first = start(chat)
  await expect.poll(() => fake.received.length, { timeout: 15_000 }).toBe(1)
  const asks = asking()
  const second = caller.post(pathOf(chat), { content: 'Same' })
  await asks
  gate.resolve()
  await first
  expect((await second).body.data?.assistant_message.content).toBe('echo: Same')
  expect((await storedMessages(database, chat)).map(({ content }) => content)).toEqual([
    ...['Same', reply],
    ...['Same', 'echo: Same'],
  ])
})
