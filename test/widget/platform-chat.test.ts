import { beforeEach, describe, expect, test } from 'vitest'
import type { TextEvent } from '../../src/language-model/reasoning.ts'
import type { ChatThread } from '../../src/voice-platform/chat.ts'
import { createMemoryStore } from '../../src/voice-platform/embedded/store/memory-store.ts'
import { createDatabaseStore } from '../../src/voice-platform/embedded/store/store.ts'
import { PlatformError } from '../../src/voice-platform/errors.ts'
import { testDatabase } from '../support/database.ts'
import { createRig, type EmbeddedRig } from '../support/voice-platform/embedded.ts'

let heard: number
let writes: TextEvent[]
let rig: EmbeddedRig
let assistantId: string
const newAssistant = async () => (await rig.client.assistants.create({ name: 'Desk', firstMessage: 'Hello!' })).id

beforeEach(async () => {
  writes = []
  rig = createRig({
    converse: async (messages, _speaker, { onText, signal } = {}) => {
      heard = messages.length
      for (const event of writes) onText?.(event)
      if (messages.at(-1)?.content === 'wait') {
        await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('left'))))
      }
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
  [{ assistantId: crypto.randomUUID(), input: 'a', streams: true }, 'property streams should not exist'],
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

describe('a stream', () => {
  const stream = async (input = 'Hello', thread: Partial<ChatThread> = {}, signal?: AbortSignal) => {
    const told: TextEvent[] = []
    const onText = (event: TextEvent) => {
      told.push(event)
    }
    const { reply, thread: next } = await rig.client.chat.create(
      { assistantId, input, ...thread },
      { onText, ...(signal && { signal }) },
    )
    return { told, reply, thread: next }
  }

  test('gives the pieces as they are written, and goes on with its session', async () => {
    writes = [
      { type: 'delta', text: 'Y' },
      { type: 'delta', text: 'es.' },
    ]
    const { told, reply, thread } = await stream()
    expect([told, reply]).toEqual([writes, 'Yes.'])
    await stream('Hello', thread)
    expect(heard).toBe(1 + 3)
    expect((await stream('Hello', thread)).thread).toEqual(thread)
  })

  test('takes back what is no part of the reply', async () => {
    writes = [{ type: 'delta', text: 'Hm' }, { type: 'restart' }, { type: 'delta', text: 'Yes.' }]
    expect(await stream()).toMatchObject({ told: writes, reply: 'Yes.' })
  })

  test('gives the whole reply of a model that is not heard', async () => {
    expect(await stream()).toMatchObject({ told: [{ type: 'delta', text: 'Yes.' }], reply: 'Yes.' })
  })

  test('is refused as without one', async () => {
    await expect(stream('break')).rejects.toEqual(refused('unknown', 500))
    await expect(stream('Hello', { sessionId: crypto.randomUUID() })).rejects.toEqual(refused('not_found', 404))
  })

  test('ends the work of the model when the caller leaves', async () => {
    writes = [{ type: 'delta', text: 'Y' }]
    const sessionId = await sessionOf()
    const leaving = new AbortController()
    const left = stream('wait', { sessionId }, leaving.signal)
    await expect.poll(() => heard).toBe(4)
    leaving.abort()
    await expect(left).rejects.toThrow(PlatformError)
    writes = []
    await say({ sessionId })
    expect(heard).toBe(4)
  })

  test.each([
    ['a platform that does not stream', { mode: 'status' as const, status: 201 }, 1],
    ['a platform that refuses to', { mode: 'status' as const, status: 400 }, 2],
  ])('%s gives the whole reply', async (_name, fault, requests) => {
    const output = [{ role: 'assistant', content: 'Yes.' }]
    rig.platform.faults.add({ path: /^\/chat$/, ...fault, body: { id: 'chat', output, message: 'no stream' } })
    const before = rig.platform.requests.length
    expect((await stream()).reply).toBe('Yes.')
    expect(rig.platform.requests.length - before).toBe(requests)
  })

  test('of several messages is one reply of paragraphs; one without any is an error', async () => {
    const events = [
      { id: 'c', path: 'chat.output[0].content', delta: 'One' },
      { id: 'c', path: 'chat.output[1].content', delta: 'Two' },
    ]
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    const headers = { 'content-type': 'text/event-stream' }
    rig.platform.faults.add({ path: /^\/chat$/, mode: 'status', status: 200, body, headers })
    expect(await stream()).toEqual({
      told: [
        { type: 'delta', text: 'One' },
        { type: 'delta', text: '\n\nTwo' },
      ],
      reply: 'One\n\nTwo',
      thread: { previousChatId: 'c' },
    })
    rig.platform.faults.add({ path: /^\/chat$/, mode: 'status', status: 200, body: 'data: {"id":"c"}\n\n', headers })
    await expect(stream()).rejects.toThrow('The voice platform gave no answer to the message.')
  })
})
