import { beforeAll, describe, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { type FakeModelServer, fakeModelServer } from '../agents/fake-model-server.ts'
import { type TestUser, testApp, testClock } from '../support/app.ts'
import { type Client, clientOf, newClient } from '../support/client.ts'

let user: Client & TestUser
let fake: FakeModelServer
beforeAll(async () => {
  fake = fakeModelServer()
  user = await newClient(await testApp({ models: fake.models, remember: false }))
  return () => fake.stop()
})

const filled = <T>(length: number, item: T): T[] => Array.from({ length }, () => item)

describe('validation errors', () => {
  test('are listed a hundred at most, and counted all', async () => {
    const { status, body } = await user.post('/chat/completions', { messages: filled(1500, {}) })
    const first = 'The messages.0.role field is required.'
    expect([status, body.message]).toEqual([422, `${first} (and 2999 more errors)`])
    expect(Object.keys(body.errors)).toHaveLength(100)
    expect(body.errors['messages.0.role']).toEqual([first])
    expect(JSON.stringify(body).length).toBeLessThan(20_000)
  })

  test.each([
    ['a list without end', { messages: filled(300_000, 0) }, 'The messages field must have at most 10000 items.'],
    ['values without end', { a: filled(8, filled(9_000, 0)) }, 'The body must have at most 50000 values.'],
  ])('of %s are one', async (_what, sent, message) => {
    const { status, body } = await user.post('/chat/completions', sent)
    expect([status, body.message, Object.keys(body.errors)]).toEqual([422, message, [expect.any(String)]])
    expect(JSON.stringify(body).length).toBeLessThan(500)
  })
})

describe('lists', () => {
  test('a thread of more messages than one turn may bring is refused before the model is asked', async () => {
    const { body: made } = await user.post('/agents', { name: 'Desk' })
    const agent = made.data.id
    const thread = (length: number) => ({ agent, messages: filled(length, { role: 'user', content: 'Hi' }) })
    const before = fake.received.length
    const refused = await user.post('/chat/completions', thread(2001))
    expect([refused.status, refused.body.message]).toEqual([422, 'The messages field must have at most 2000 items.'])
    expect(fake.received.length).toBe(before)
    expect((await user.post('/chat/completions', thread(2000))).status).toBe(200)
  })

  test.each([
    ['POST', '/squads', { name: 'Team', members: filled(101, { assistantId: crypto.randomUUID() }) }, 'members'],
    [
      'POST',
      '/squads',
      { name: 'Team', members: [{ assistantDestinations: filled(101, { assistantName: 'x' }) }] },
      'members.0.assistantDestinations',
    ],
  ])('%s %s takes no more than anybody needs', async (method, path, body, field) => {
    const { status, body: refused } = await user.send(method, path, body)
    expect([status, refused.errors[field]]).toEqual([422, [`The ${field} field must have at most 100 items.`]])
  })
})

describe('searches of files', () => {
  const agentOf = async () => (await user.post('/agents', { name: 'Desk' })).body.data.id

  test('take a question of a thousand characters', async () => {
    const path = `/agents/${await agentOf()}/search`
    expect((await user.get(`${path}?q=${'a'.repeat(1000)}`)).status).toBe(200)
    const message = 'The q field must have at most 1000 characters.'
    expect(await user.get(`${path}?q=${'a'.repeat(1001)}`)).toMatchObject({ status: 422, body: { message } })
  })

  test('count as turns', async () => {
    const limited = await testApp({ clock: testClock(), rateLimits: { turnsPerMinute: 1 } })
    const caller = clientOf(limited, user.token)
    const path = `/agents/${await agentOf()}/search?q=hours`
    const statuses = [await caller.get(path), await caller.get(path)]
    expect(statuses.map(({ status }) => status)).toEqual([200, 429])
  })

  test('run a few at once', async () => {
    const busy = await testApp({ searchSlots: createSlots({ total: 4 }) })
    const caller = clientOf(busy, user.token)
    const path = `/agents/${await agentOf()}/search?q=hours`
    const answers = await Promise.all(filled(6, path).map(caller.get))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(refused.map(({ headers }) => headers.get('retry-after'))).toContain('5')
  })
})

test('typed RPC leaves out what answers bytes', async () => {
  const { status, body } = await user.get('/trpc/agentFiles.download?input={}')
  expect([status, body.error.data.httpStatus]).toEqual([404, 404])
  const { paths } = (await user.get('/openapi.json')).body
  const { get } = paths['/agents/{agent_id}/files/{file_id}/content']
  expect(get['x-trpc-procedure']).toBeUndefined()
})
