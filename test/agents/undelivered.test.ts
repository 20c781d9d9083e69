import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/app/app.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { newUser, type TestUser, testApp } from '../support/app.ts'
import { newDatabase } from '../support/database.ts'
import { credit, newPayer, setPrice } from '../support/payer.ts'
import { countThreads } from '../support/rows/chats.ts'
import { callerOf } from './caller.ts'
import { fakeModelServer } from './fake-model-server.ts'

let database: DatabaseHandle
let user: TestUser
let onStatement: ((statement: string) => void) | undefined

beforeAll(async () => {
  database = await newDatabase({
    onQuery: (statement) => onStatement?.(statement),
  })
  user = await newUser(database)
})
afterAll(() => database.close())

const commit = /^(commit|with "ended")/i

/** Sends a request whose client goes away in the very moment of a statement: that in which the turn is committed. */
async function sendAndLeave(path: string, body: object, { token } = user, at = commit, accept = '*/*'): Promise<void> {
  const { services } = await testApp({ database, remember: false })
  const leaving = new AbortController()
  onStatement = (statement) => {
    if (at.test(statement)) leaving.abort()
  }
  const response = await createApp(services).handle(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    }),
  )
  const reader = response.body?.getReader()
  await new Promise((resolve) => {
    if (leaving.signal.aborted) resolve(undefined)
    else leaving.signal.addEventListener('abort', resolve)
  })
  await reader?.cancel()
  onStatement = undefined
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

test('it is not found once others were exchanged: the same message is one of its own', async () => {
  const caller = callerOf(await testApp({ database, remember: false }), user.token)
  const agentId = await caller.agent()
  const path = `/agents/${agentId}/chats/${await caller.chat(agentId)}/messages`
  const { messages } = await counts()
  await sendAndLeave(path, { content: 'Yes' })
  const { id } = (await caller.post(path, { content: 'Shall we cancel B as well?' })).body.data.assistant_message
  expect((await caller.post(path, { content: 'Yes' })).body.data.user_message.id).toBeGreaterThan(id)
  expect((await counts()).messages).toBe(messages + 6)
})

test.each(['application/json', 'text/event-stream'])(
  'a turn that was charged before its client left is not charged again (%s)',
  async (accept) => {
    const app = await testApp({ database, remember: false })
    const payer = await newPayer(app, 'tokens')
    await credit(app, payer, 'tokens', 100_000)
    const caller = callerOf(app, payer.token)
    const agentId = await caller.agent()
    const path = `/agents/${agentId}/chats/${await caller.chat(agentId)}/messages`
    await sendAndLeave(path, { content: 'Hello' }, payer, /^delete from "leases"/, accept)
    const { messages } = await counts()
    const again = await caller.post(path, { content: 'Hello' })
    expect([again.status, (await counts()).messages]).toEqual([201, messages])
    await caller.post(path, { content: 'Hello' })
    expect((await counts()).messages).toBe(messages + 2)
  },
)

test('so is each turn of a batch', async () => {
  const fake = fakeModelServer()
  const { services } = await testApp({ database, remember: false, models: fake.models })
  const caller = callerOf(await testApp({ database, remember: false, models: fake.models }), user.token)
  const agentId = await caller.agent()
  const chats = [await caller.chat(agentId), await caller.chat(agentId), await caller.chat(agentId)]
  const { messages } = await counts()
  const leaving = new AbortController()
  fake.script.push({ hang: true })
  const batch = createApp(services).handle(
    new Request(`http://localhost/trpc/${chats.map(() => 'messages.send').join()}?batch=1`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...chats.map((chat_id) => ({ agent_id: agentId, chat_id, content: 'Hello' })) }),
    }),
  )
  await expect.poll(async () => (await counts()).messages).toBe(messages + 4)
  // Their calls end a moment later.
  await Bun.sleep(50)
  leaving.abort()
  await batch
  for (const chat of chats) {
    expect((await caller.post(`/agents/${agentId}/chats/${chat}/messages`, { content: 'Hello' })).status).toBe(201)
  }
  expect((await counts()).messages).toBe(messages + 6)
  fake.stop()
})

test.each([
  ['equal calls of a batch', false],
  ['equal calls of a batch and a request that leaves before', true],
])('a turn that %s have together is found once, where its answer is lost', async (_who, joined) => {
  const fake = fakeModelServer()
  const { services } = await testApp({ database, remember: false, models: fake.models })
  const caller = callerOf(await testApp({ database, remember: false, models: fake.models }), user.token)
  const agentId = await caller.agent()
  const [one, other] = [await caller.chat(agentId), await caller.chat(agentId)]
  const send = (chat: string) => caller.post(`/agents/${agentId}/chats/${chat}/messages`, { content: 'Hello' })
  const inBatch = (chats: string[], { signal }: AbortController) =>
    createApp(services).handle(
      new Request(`http://localhost/trpc/${chats.map(() => 'messages.send').join()}?batch=1`, {
        method: 'POST',
        signal,
        headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...chats.map((chat_id) => ({ agent_id: agentId, chat_id, content: 'Hello' })) }),
      }),
    )
  const [busyOver, turnOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  fake.script.push({ reply: 'Busy', until: busyOver.promise }, { reply: 'Shared', until: turnOver.promise })
  const busy = send(other)
  await expect.poll(() => fake.received.length).toBe(1)
  const { messages } = await counts()
  const [before, leaving] = [new AbortController(), new AbortController()]
  const batch = inBatch([one, one, other], leaving)
  await expect.poll(() => fake.received.length).toBe(2)
  const left = joined ? inBatch([one], before) : undefined
  // It joins a moment later.
  await Bun.sleep(50)
  before.abort()
  turnOver.resolve()
  await expect.poll(async () => (await counts()).messages).toBe(messages + 2)
  // Both calls end a moment later, the third waits for its chat.
  await Bun.sleep(50)
  leaving.abort()
  busyOver.resolve()
  await Promise.all([batch, left, busy])
  const kept = (await counts()).messages
  const again = await send(one)
  expect([again.status, again.body.data.assistant_message.content]).toEqual([201, 'Shared'])
  expect((await counts()).messages).toBe(kept)
  const next = await send(one)
  expect([next.status, next.body.data.assistant_message.content]).toEqual([201, 'echo: Hello'])
  expect((await counts()).messages).toBe(kept + 2)
  fake.stop()
})

test.each([
  ['one of which left is not kept for it, as the other has the answer', 1],
  ['both of which left is kept once', 2],
])('a turn that two requests have together, %s', async (_what, leavers) => {
  const fake = fakeModelServer()
  const other = await testApp({ database, remember: false, models: fake.models })
  const { services } = await testApp({ database, remember: false, models: fake.models })
  // The turn of one who pays is over before its chat is free: who leaves then leaves a turn that is not marked.
  const payer = await newPayer(other, 'tokens')
  await credit(other, payer, 'tokens', 100_000)
  await setPrice(other, 'fake-1', 1, 1)
  const caller = callerOf(other, payer.token)
  const agentId = await caller.agent()
  const path = `/agents/${agentId}/chats/${await caller.chat(agentId)}/messages`
  const app = createApp(services)
  const over = Promise.withResolvers<void>()
  fake.script.push({ reply: 'Later', until: over.promise })
  const leaving = [new AbortController(), new AbortController()]
  const responses = leaving.map(({ signal }) =>
    app.handle(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        signal,
        headers: { authorization: `Bearer ${payer.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ content: 'Hello' }),
      }),
    ),
  )
  await expect.poll(() => fake.received.length).toBe(1)
  // The other one joins a moment later.
  await Bun.sleep(50)
  const { messages } = await counts()
  leaving[0]?.abort()
  onStatement = (statement) => {
    if (leavers === 2 && /^delete from "leases"/.test(statement)) leaving[1]?.abort()
  }
  over.resolve()
  await Promise.all(responses)
  onStatement = undefined
  expect((await counts()).messages).toBe(messages + 2)
  await caller.post(path, { content: 'Hello' })
  expect((await counts()).messages).toBe(messages + (leavers === 2 ? 2 : 4))
  await caller.post(path, { content: 'Hello' })
  expect((await counts()).messages).toBe(messages + (leavers === 2 ? 4 : 6))
  expect(fake.received).toHaveLength(leavers === 2 ? 2 : 3)
  fake.stop()
})
