import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, type TestClock, testApp, testClock } from '../support/app.ts'
import { addAgents, storedChat, storedMessages } from '../support/rows/chats.ts'
import { type Caller, callerOf } from './caller.ts'

let app: TestApp
let clock: TestClock
let owner: Caller

const unknownId = '3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d'
const newCaller = async (options = {}) => callerOf(app, (await newUser(app.database, options)).token)

beforeAll(async () => {
  clock = testClock()
  app = await testApp({ clock, remember: false })
  owner = await newCaller()
})

describe('one agent', () => {
  test('is created with 201 and read back', async () => {
    const made = await owner.post('/agents', {
      name: 'Desk',
      description: 'Front',
      instructions: 'Be kind.',
      memory: 'x',
    })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      object: 'agent',
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        object: 'agent',
        name: 'Desk',
        description: 'Front',
        instructions: 'Be kind.',
        memory: null,
        created_at: clock.now().toISOString(),
        last_activity_at: clock.now().toISOString(),
      },
    })
    const read = await owner.get(`/agents/${made.body.data.id}`)
    expect([read.status, read.body]).toEqual([200, made.body])
  })

  test.each([
    [{}, { name: ['The name field is required.'] }],
    [{ name: ' ' }, { name: ['The name field is required.'] }],
    [{ name: 'x'.repeat(256) }, { name: ['The name field must have at most 255 characters.'] }],
    [
      { name: 'x', description: 'x'.repeat(5001) },
      { description: ['The description field must have at most 5000 characters.'] },
    ],
    [
      { name: 'x', instructions: 'x'.repeat(10_001) },
      { instructions: ['The instructions field must have at most 10000 characters.'] },
    ],
    [{ name: 'x', description: 5 }, { description: ['The description field must be a string.'] }],
  ])('create refuses %#', async (body, errors) => {
    const refused = await owner.post('/agents', body)
    expect([refused.status, refused.body]).toEqual([422, { message: Object.values(errors).flat()[0], errors }])
  })

  test('the longest texts are taken, counted in characters', async () => {
    const body = { name: '😀'.repeat(255), description: '😀'.repeat(5000), instructions: 'x'.repeat(10_000) }
    expect((await owner.post('/agents', body)).status).toBe(201)
  })

  test.each(['PATCH', 'PUT'])('%s changes what is sent, null clears, memory is ignored', async (method) => {
    const id = await owner.agent({ description: 'd', instructions: 'i' })
    const renamed = await owner.send(method, `/agents/${id}`, { name: 'Other', memory: 'mine' })
    expect([renamed.status, renamed.body.object]).toEqual([200, 'agent'])
    expect(renamed.body.data).toMatchObject({ name: 'Other', description: 'd', instructions: 'i', memory: null })
    const cleared = await owner.send(method, `/agents/${id}`, { description: null, instructions: null })
    expect(cleared.body.data).toMatchObject({ name: 'Other', description: null, instructions: null })
    for (const name of ['', null]) {
      const { errors } = (await owner.send(method, `/agents/${id}`, { name })).body
      expect(errors).toEqual({ name: ['The name field is required.'] })
    }
    expect((await owner.send(method, `/agents/${id}`, {})).body.data.name).toBe('Other')
  })

  test('delete removes it with its chats and messages', async () => {
    const id = await owner.agent()
    const chat = await owner.chat(id)
    await owner.post(`/agents/${id}/chats/${chat}/messages`, { content: 'Hello' })
    const gone = await owner.send('DELETE', `/agents/${id}`)
    expect([gone.status, gone.body]).toEqual([200, { object: 'agent.deleted', id, deleted: true }])
    expect((await owner.get(`/agents/${id}`)).status).toBe(404)
    expect(await storedChat(app.database, chat)).toBeUndefined()
    expect(await storedMessages(app.database, chat)).toEqual([])
  })

  test.each(['GET', 'PATCH', 'PUT', 'DELETE'])('%s of a missing, malformed or foreign id is 404', async (method) => {
    const foreign = await (await newCaller()).agent()
    for (const id of [unknownId, 'nonsense', '1', foreign]) {
      const answer = await owner.send(method, `/agents/${id}`, method === 'GET' ? undefined : {})
      expect([answer.status, answer.body]).toEqual([404, { message: 'Agent not found.' }])
    }
  })

  test('roles count for nothing: an admin sees no agent of others, a viewer writes its own', async () => {
    const id = await owner.agent()
    const admin = await newCaller({ role: 'admin' })
    expect((await admin.get(`/agents/${id}`)).status).toBe(404)
    const viewer = await newCaller({ workspaceRole: 'viewer' })
    expect((await viewer.post('/agents', { name: 'Mine' })).status).toBe(201)
  })

  test('the same Idempotency-Key makes one agent', async () => {
    const caller = await newCaller()
    const send = () => caller.post('/agents', { name: 'Once' }, { 'idempotency-key': 'once' })
    expect((await send()).body).toEqual((await send()).body)
    expect((await caller.get('/agents')).body.data).toHaveLength(1)
  })
})

describe('gates', () => {
  test('401, 409 and 403 with the feature', async () => {
    const nobody = await app.send('GET', '/agents')
    expect([nobody.status, await nobody.json()]).toEqual([401, { message: 'Unauthenticated.' }])
    const unverified = await (await newCaller({ emailVerified: false })).get('/agents')
    expect([unverified.status, unverified.body.code]).toEqual([409, 'EMAIL_NOT_VERIFIED'])
    const off = await (await newCaller({ features: ['assistants'] })).get('/agents')
    expect([off.status, off.body.feature]).toEqual([403, 'ai_chat'])
  })
})

describe('lists', () => {
  let caller: Caller
  const names = async (query = '') =>
    (await caller.get(`/agents${query}`)).body.data.map(({ name }: { name: string }) => name)

  beforeAll(async () => {
    caller = await newCaller()
    for (const [name, description] of [
      ['beta', null],
      ['Alpha', '100% sure'],
      ['gamma_1', 'Second'],
    ]) {
      clock.advance(1000)
      await caller.agent({ name, description })
    }
  })

  test.each([
    ['', ['gamma_1', 'Alpha', 'beta']],
    ['?sort=name', ['Alpha', 'beta', 'gamma_1']],
    ['?sort=updated', ['gamma_1', 'Alpha', 'beta']],
    ['?q=ALPHA', ['Alpha']],
    ['?q=second', ['gamma_1']],
    ['?q=%25', ['Alpha']],
    ['?q=_', ['gamma_1']],
    ['?q=%5C', []],
    ['?q=', ['gamma_1', 'Alpha', 'beta']],
    ['?per_page=2', ['gamma_1', 'Alpha']],
    ['?per_page=0', ['gamma_1']],
    ['?per_page=-5', ['gamma_1']],
    ['?per_page=1000', ['gamma_1', 'Alpha', 'beta']],
    ['?per_page=99999999999999999999', ['gamma_1', 'Alpha', 'beta']],
    ['?per_page=-99999999999999999999', ['gamma_1']],
    ['?per_page=2&page=2', ['beta']],
    ['?per_page=2&page=3', []],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test('q has 5,000 characters at most (agents 4)', async () => {
    expect(await names(`?q=${'x'.repeat(5000)}`)).toEqual([])
    const text = 'The q field must have at most 5000 characters.'
    const { status, body } = await caller.get(`/agents?q=${'x'.repeat(5001)}`)
    expect([status, body.errors]).toEqual([422, { q: [text] }])
  })

  test('has_more says whether there are more', async () => {
    expect((await caller.get('/agents?per_page=2')).body).toMatchObject({ object: 'list', has_more: true })
    expect((await caller.get('/agents?per_page=3')).body).toMatchObject({ object: 'list', has_more: false })
  })

  test('per_page is 50 at first and 100 at most', async () => {
    const many = await newUser(app.database)
    await addAgents(app.database, many, 101, clock.now())
    const { get } = callerOf(app, many.token)
    expect((await get('/agents')).body.data).toHaveLength(50)
    expect((await get('/agents?per_page=500')).body.data).toHaveLength(100)
  })

  test('a wrong sort or per_page is 422', async () => {
    expect((await caller.get('/agents?sort=size')).body.errors).toEqual({
      sort: ['The sort field must be one of: updated, name.'],
    })
    expect((await caller.get('/agents?per_page=many')).status).toBe(422)
  })

  test('a change moves an agent under sort=updated, a turn under both', async () => {
    const [, , last] = (await caller.get('/agents')).body.data
    clock.advance(1000)
    await caller.send('PATCH', `/agents/${last.id}`, { description: 'changed' })
    expect(await names()).toEqual(['gamma_1', 'Alpha', 'beta'])
    expect(await names('?sort=updated')).toEqual(['beta', 'gamma_1', 'Alpha'])
    await caller.send('PATCH', `/agents/${(await caller.get('/agents')).body.data[0].id}`, { memory: 'x' })
    expect(await names('?sort=updated')).toEqual(['beta', 'gamma_1', 'Alpha'])
    const [, middle] = (await caller.get('/agents')).body.data
    clock.advance(1000)
    const chat = await caller.chat(middle.id)
    await caller.post(`/agents/${middle.id}/chats/${chat}/messages`, { content: 'Hello' })
    expect(await names()).toEqual(['Alpha', 'gamma_1', 'beta'])
    expect(await names('?sort=updated')).toEqual(['Alpha', 'beta', 'gamma_1'])
    expect((await caller.get(`/agents/${middle.id}`)).body.data.last_activity_at).toBe(clock.now().toISOString())
  })
})
