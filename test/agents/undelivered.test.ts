import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/app/app.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { newUser, type TestUser, testApp } from '../support/app.ts'
import { newDatabase } from '../support/database.ts'
import { countThreads } from '../support/rows/chats.ts'
import { callerOf } from './caller.ts'

let database: DatabaseHandle
let user: TestUser
let onCommit: (() => void) | undefined

beforeAll(async () => {
  database = await newDatabase({
    onQuery: (statement) => {
      if (/^(commit|with "ended")/i.test(statement)) onCommit?.()
    },
  })
  user = await newUser(database)
})
afterAll(() => database.close())

/** Sends a request whose client goes away in the very moment in which the turn is committed. */
async function sendAndLeave(path: string, body: object): Promise<void> {
  const { services } = await testApp({ database, remember: false })
  const leaving = new AbortController()
  onCommit = () => leaving.abort()
  await createApp(services).handle(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
  onCommit = undefined
  expect(leaving.signal.aborted).toBe(true)
}

const counts = () => countThreads(database)
const counted = (chats: number, messages: number) => ({ chats, messages })

test('a turn that was saved while its client left is found by the same message, once', async () => {
  const caller = callerOf(await testApp({ database, remember: false }), user.token)
  const agentId = await caller.agent()
  const path = `/agents/${agentId}/chats/${await caller.chat(agentId)}/messages`
  await sendAndLeave(path, { content: 'Hello' })
  expect(await counts()).toEqual(counted(1, 2))
  const again = await caller.post(path, { content: 'Hello' })
  expect(again.status).toBe(201)
  expect(await counts()).toEqual(counted(1, 2))
  expect((await caller.post(path, { content: 'Hello' })).body.data.user_message.id).not.toBe(
    again.body.data.user_message.id,
  )
  expect(await counts()).toEqual(counted(1, 4))
})

test('so is a stateless completion: one thread', async () => {
  const caller = callerOf(await testApp({ database, remember: false }), user.token)
  const body = { messages: [{ role: 'user', content: 'Hi' }] }
  const { chats: before } = await counts()
  await sendAndLeave('/chat/completions', body)
  const again = await caller.post('/chat/completions', body)
  expect([again.status, (await counts()).chats]).toEqual([200, before + 1])
  await caller.post('/chat/completions', body)
  expect((await counts()).chats).toBe(before + 2)
})
