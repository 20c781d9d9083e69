import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { newUser, testApp } from '../support/app.ts'
import { type CutConnection, cutConnection } from '../support/cut-connection.ts'
import { newDatabase } from '../support/database.ts'
import { countThreads } from '../support/rows/chats.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

let database: DatabaseHandle
let connection: CutConnection
let fake: FakeModelServer
let caller: Caller
let path: string
beforeAll(async () => {
  database = await newDatabase()
  connection = cutConnection(database)
  fake = fakeModelServer()
  const app = await testApp({ database: connection.handle, models: fake.models, remember: false, summarise: false })
  caller = callerOf(app, (await newUser(database)).token)
  const agentId = await caller.agent()
  path = `/agents/${agentId}/chats/${await caller.chat(agentId)}/messages`
})
afterAll(async () => {
  fake.stop()
  await database.close()
})

/** Sends a message; the connection is cut while the model replies, so that storing the turn meets that. */
async function sendCut(content: string, heard?: Promise<void>) {
  const replies = Promise.withResolvers<void>()
  const before = fake.received.length
  fake.script.push({ reply: 'Hello', until: replies.promise })
  const sending = caller.post(path, { content })
  await expect.poll(() => fake.received.length).toBe(before + 1)
  connection.cut(heard)
  replies.resolve()
  return sending
}

test('a turn whose connection is lost is stored by nothing that arrives after its caller was told', async () => {
  const { status } = await sendCut('Cut off')
  expect(status).toBe(503)
  connection.restore()
  expect(connection.underWay()).toBe(5)
  await expect(connection.arrive()).rejects.toMatchObject({ code: '22012' })
  expect(await countThreads(database)).toEqual({ chats: 1, messages: 0 })
})

test('the chat goes on, and a turn that was stored before the loss is there', async () => {
  const hears = Promise.withResolvers<void>()
  const sending = sendCut('Stored', hears.promise)
  await expect.poll(connection.underWay).toBe(5)
  await connection.arrive()
  connection.restore()
  hears.resolve()
  expect((await sending).status).toBe(503)
  expect(await countThreads(database)).toEqual({ chats: 1, messages: 2 })
  expect((await caller.post(path, { content: 'And now?' })).status).toBe(201)
})
