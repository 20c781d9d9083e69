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
const keys = (count: number, value: unknown) =>
  Object.fromEntries(filled(count, value).map((item, key) => [`k${key}`, item]))

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

describe('records', () => {
  const headers = (count: number, value: unknown) => ({
    ...{ name: 'Files', server_url: 'https://tools.example.com/mcp' },
    headers: keys(count, value),
  })
  const overridden = (count: number, value: unknown) => ({
    name: 'Team',
    members: [],
    membersOverrides: { server: { url: 'https://hooks.example', headers: keys(count, value) } },
  })
  const completion = (count: number, value: unknown) => ({
    messages: [{ role: 'user', content: 'Hi' }],
    metadata: keys(count, value),
  })
  const assistant = (count: number, value: unknown) => ({ name: 'Desk', variableValues: keys(count, value) })
  const builtFrom = (count: number, value: unknown) => ({ name: 'Desk', variable_values: keys(count, value) })
  const tooMany = (field: string) => `The ${field} field must have at most 1000 keys.`
  const overriddenHeaders = 'membersOverrides.server.headers'

  test.each<[string, (count: number, value: unknown) => object, field: string, max: number, message: string]>([
    ['/connectors', headers, 'headers', 50, 'At most 50 headers.'],
    ['/chat/completions', completion, 'metadata', 16, 'At most 16 pairs.'],
    ['/squads', overridden, overriddenHeaders, 1000, tooMany(overriddenHeaders)],
  ])('POST %s counts the keys before it looks at an entry', async (path, body, field, max, message) => {
    const wrong = await user.post(path, body(max, {}))
    expect([wrong.status, wrong.body.errors[field], Object.keys(wrong.body.errors).length]).toEqual([
      422,
      undefined,
      Math.min(max, 100),
    ])
    for (const value of [{}, 'x']) {
      const { status, body: refused } = await user.post(path, body(max + 1, value))
      expect([status, refused.errors]).toEqual([422, { [field]: [message] }])
    }
  })

  test.each<[string, (count: number, value: unknown) => object, field: string]>([
    ['/assistants', assistant, 'variableValues'],
    ['/v2/assistants/preview', builtFrom, 'variable_values'],
  ])('POST %s takes a thousand values of variables', async (path, body, field) => {
    const taken = await user.post(path, body(1000, 'x'))
    expect(taken.body.errors?.[field]).toBeUndefined()
    const refused = await user.post(path, body(1001, 'x'))
    expect([refused.status, refused.body.errors]).toEqual([422, { [field]: [tooMany(field)] }])
  })

  test('names that are long above many values are refused, as each value would be said with them', async () => {
    const body = (name: string) => ({ name: 'Team', members: [], membersOverrides: { [name]: keys(2_000, 1) } })
    const message = 'The names in the body are too long for so many values.'
    const refused = await user.post('/squads', body('n'.repeat(10_000)))
    expect([refused.status, refused.body.errors]).toEqual([422, { body: [message] }])
    expect((await user.post('/squads', body('n'.repeat(1_000)))).status).toBe(201)
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
