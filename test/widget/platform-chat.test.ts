import { beforeEach, expect, test } from 'vitest'
import { createMemoryStore } from '../../src/voice-platform/embedded/store/memory-store.ts'
import { createDatabaseStore } from '../../src/voice-platform/embedded/store/store.ts'
import { PlatformError } from '../../src/voice-platform/errors.ts'
import { testDatabase } from '../support/database.ts'
import { createRig, type EmbeddedRig } from '../support/voice-platform/embedded.ts'

let heard: number
let rig: EmbeddedRig
let assistantId: string
const newAssistant = async () => (await rig.client.assistants.create({ name: 'Desk', firstMessage: 'Hello!' })).id

beforeEach(async () => {
  rig = createRig({
    converse: async (messages) => {
      heard = messages.length
      if (messages.at(-1)?.content === 'break') throw new Error('secret')
      return 'Yes.'
    },
  })
  assistantId = await newAssistant()
})

const say = (body: { assistantId?: string; input?: string; sessionId?: string } = {}) =>
  rig.client.chat.create({ assistantId, input: 'Hello', ...body })
const sessionOf = async () => {
  const { thread } = await say()
  if (!('sessionId' in thread)) throw new Error('no session')
  return thread.sessionId
}
const refused = (kind: PlatformError['kind'], status: number) => expect.objectContaining({ kind, status })

test('a session belongs to its assistant', async () => {
  const sessionId = await sessionOf()
  await expect(say({ sessionId, assistantId: await newAssistant() })).rejects.toThrow(PlatformError)
  await say({ sessionId })
  expect(heard).toBe(4)
})

test('a session ends a day after its last message', async () => {
  const sessionId = await sessionOf()
  rig.clock.pass(23 * 60 * 60 * 1000)
  await say({ sessionId })
  rig.clock.pass(23 * 60 * 60 * 1000)
  await say({ sessionId })
  rig.clock.pass(24 * 60 * 60 * 1000)
  await expect(say({ sessionId })).rejects.toEqual(refused('not_found', 404))
})

test.each(['memory', 'database'])('sessions that have ended are swept from the %s', async (place) => {
  const store = place === 'memory' ? createMemoryStore() : createDatabaseStore((await testDatabase()).db)
  const own = createRig({ store })
  const id = (await own.client.assistants.create({ name: 'Desk' })).id
  const ask = () => own.client.chat.create({ assistantId: id, input: 'Hello' })
  const sessions = async () => {
    const all = await store.list('session', { limit: 1000, createdAt: { ge: new Date('2030-01-01') }, updatedAt: {} })
    return all.filter(({ body }) => body.assistantId === id).length
  }
  await ask()
  own.clock.pass(23 * 60 * 60 * 1000)
  await ask()
  expect(await sessions()).toBe(2)
  own.clock.pass(2 * 60 * 60 * 1000)
  await ask()
  expect(await sessions()).toBe(2)
  expect(await own.client.assistants.get(id)).toMatchObject({ id })
})

test('a session keeps its newest 60 messages', async () => {
  const sessionId = await sessionOf()
  for (let count = 0; count < 35; count++) await say({ sessionId })
  expect(heard).toBe(1 + 60 + 1)
})

test('a model that fails is a 500 that tells nothing, and leaves the session as it was', async () => {
  const sessionId = await sessionOf()
  await expect(say({ sessionId, input: 'break' })).rejects.toEqual(refused('unknown', 500))
  await say({ sessionId })
  expect(heard).toBe(4)
})

test.each([
  [{ assistantId: 'x', input: 'a' }, 'assistantId must be a UUID'],
  [{ assistantId: crypto.randomUUID(), input: '' }, 'input must be longer than or equal to 1 characters'],
  [{ assistantId: crypto.randomUUID(), input: 'a', stream: true }, 'property stream should not exist'],
])('%j is 400', async (body, message) => {
  const request = new Request('http://localhost/chat', {
    method: 'POST',
    headers: { authorization: 'Bearer private-key-of-the-tests', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await rig.platform.fetch(request)
  expect([answer.status, await answer.json()]).toMatchObject([400, { message: [message] }])
})

test('an assistant that does not exist is 404', async () => {
  await expect(say({ assistantId: crypto.randomUUID() })).rejects.toEqual(refused('not_found', 404))
})
