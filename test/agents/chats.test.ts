import { beforeAll, describe, expect, test } from 'vitest'
import { localModel } from '../../src/language-model/local/model.ts'
import {
  newTokenFor,
  newUser,
  type TestApp,
  type TestClock,
  type TestUser,
  testApp,
  testClock,
} from '../support/app.ts'
import { credit, newPayer } from '../support/payer.ts'
import { addMessages } from '../support/rows/chats.ts'
import { type Caller, callerOf } from './caller.ts'

let app: TestApp
let clock: TestClock
let user: TestUser
let caller: Caller
let agentId: string

const unknownId = '3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d'

beforeAll(async () => {
  clock = testClock()
  app = await testApp({ clock, remember: false })
  user = await newUser(app.database)
  caller = callerOf(app, user.token)
  agentId = await caller.agent()
})

describe('chats', () => {
  test('show the model that responds: the default one while their own is not there', async () => {
    const of = { database: app.database, remember: false }
    const withBoth = await testApp({ ...of, models: [{ ...localModel(), id: 'big-1', ownedBy: 'elsewhere' }] })
    const id = await callerOf(withBoth, user.token).chat(agentId)
    const path = `/agents/${agentId}/chats/${id}`
    const shown = async (client: Caller) => {
      const { model, provider } = await client.data('GET', path)
      return [model, provider]
    }
    expect(await shown(callerOf(withBoth, user.token))).toEqual(['big-1', 'elsewhere'])
    expect(await shown(caller)).toEqual(['local-extractive', 'switchboard'])
    expect((await caller.post(`${path}/messages`, { content: 'Hello' })).body.model).toBe('local-extractive')
    expect(await shown(callerOf(withBoth, user.token))).toEqual(['big-1', 'elsewhere'])
  })

  test('of an agent that is deleted at the same moment are made before, or not found', async () => {
    for (let round = 0; round < 10; round++) {
      const agent = await caller.agent()
      const starting = Array.from({ length: 4 }, () => caller.post(`/agents/${agent}/chats`))
      const [, ...started] = await Promise.all([caller.send('DELETE', `/agents/${agent}`), ...starting])
      for (const { status, body } of started) {
        if (status !== 201) expect([status, body.message]).toEqual([404, 'Agent not found.'])
      }
    }
  })

  test('are made with the default model and read back', async () => {
    const made = await caller.post(`/agents/${agentId}/chats`)
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      object: 'chat',
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        object: 'chat',
        title: 'New chat',
        model: 'local-extractive',
        provider: 'switchboard',
        last_message_at: null,
        created_at: clock.now().toISOString(),
      },
    })
    const read = await caller.get(`/agents/${agentId}/chats/${made.body.data.id}`)
    expect([read.status, read.body]).toEqual([200, made.body])
    expect((await caller.post(`/agents/${agentId}/chats`, { model: null })).status).toBe(201)
  })

  test('an unknown model is 422 on model', async () => {
    const refused = await caller.post(`/agents/${agentId}/chats`, { model: 'nothing' })
    const text = 'The selected model does not exist.'
    expect([refused.status, refused.body]).toEqual([422, { message: text, errors: { model: [text] } }])
    const long = await caller.post(`/agents/${agentId}/chats`, { model: 'x'.repeat(256) })
    expect(long.body.errors).toEqual({ model: ['The model field must have at most 255 characters.'] })
  })

  test('an unknown model is refused before the agent or the chat is looked for', async () => {
    const model = 'nothing'
    const refused = [
      await caller.post(`/agents/${unknownId}/chats`, { model }),
      await caller.post(`/agents/${agentId}/chats/${unknownId}/messages`, { content: 'Hello', model }),
    ]
    const errors = { model: ['The selected model does not exist.'] }
    expect(refused.map(({ status, body }) => [status, body.errors])).toEqual([
      [422, errors],
      [422, errors],
    ])
  })

  test('a model without a price is 422 on model where billing is on, also on an empty wallet', async () => {
    const id = `unpriced-${crypto.randomUUID()}`
    const paid = await testApp({ models: [{ ...localModel(), id }], remember: false })
    const payer = await newPayer(paid, 'usd')
    const paying = callerOf(paid, payer.token)
    const agent = await paying.agent()
    const start = (model?: string) => paying.post(`/agents/${agent}/chats`, { model })
    const text = `The model ${id} has no price, so a prepaid balance cannot pay for it.`
    const unpriced = { status: 422, body: { message: text, errors: { model: [text] } } }
    expect(await start(id)).toMatchObject(unpriced)
    expect((await start('local-extractive')).status).toBe(402)
    await credit(paid, payer, 'usd', 1_000_000)
    expect(await start(id)).toMatchObject(unpriced)
    expect((await start('local-extractive')).status).toBe(201)
    expect((await paying.get(`/agents/${agent}/chats`)).body.data).toHaveLength(1)
  })

  test.each(['PATCH', 'PUT'])('%s gives a title of 1 to 255 characters', async (method) => {
    const path = `/agents/${agentId}/chats/${await caller.chat(agentId)}`
    const changed = await caller.send(method, path, { title: 'Sundays' })
    expect([changed.status, changed.body.object, changed.body.data.title]).toEqual([200, 'chat', 'Sundays'])
    expect((await caller.send(method, path, {})).body.errors).toEqual({ title: ['The title field is required.'] })
    expect((await caller.send(method, path, { title: 'x'.repeat(256) })).status).toBe(422)
  })

  test('delete removes it', async () => {
    const id = await caller.chat(agentId)
    const gone = await caller.send('DELETE', `/agents/${agentId}/chats/${id}`)
    expect([gone.status, gone.body]).toEqual([200, { object: 'chat.deleted', id, deleted: true }])
    expect((await caller.get(`/agents/${agentId}/chats/${id}`)).status).toBe(404)
  })

  test('a chat that is missing, malformed, in another agent or of another token is 404', async () => {
    const other = await caller.agent()
    const elsewhere = await caller.chat(other)
    const second = callerOf(app, await newTokenFor(app.database, user.userId))
    const foreign = await second.chat(agentId)
    for (const id of [unknownId, 'nonsense', elsewhere, foreign]) {
      const path = `/agents/${agentId}/chats/${id}`
      const answers = [
        await caller.get(path),
        await caller.send('PATCH', path, { title: 'x' }),
        await caller.send('DELETE', path),
        await caller.get(`${path}/messages`),
        await caller.post(`${path}/messages`, { content: 'Hello' }),
      ]
      for (const answer of answers) expect([answer.status, answer.body]).toEqual([404, { message: 'Chat not found.' }])
    }
    const missing = await caller.get(`/agents/${unknownId}/chats/${elsewhere}`)
    expect([missing.status, missing.body]).toEqual([404, { message: 'Agent not found.' }])
    expect((await second.get(`/agents/${agentId}/chats`)).body.data).toHaveLength(1)
  })

  test('are listed newest activity first, in pages', async () => {
    const agent = await caller.agent()
    const ids: string[] = []
    for (let index = 0; index < 3; index++) {
      clock.advance(1000)
      ids.push(await caller.chat(agent))
    }
    clock.advance(1000)
    const [first = '', second = '', third = ''] = ids
    await caller.post(`/agents/${agent}/chats/${first}/messages`, { content: 'Hello' })
    const path = `/agents/${agent}/chats`
    const listed = async (query: string) => {
      const { body } = await caller.get(`${path}${query}`)
      return [body.data.map(({ id }: { id: string }) => id), body.has_more]
    }
    expect(await listed('')).toEqual([[first, third, second], false])
    expect(await listed('?per_page=2')).toEqual([[first, third], true])
    expect(await listed('?per_page=2&page=2')).toEqual([[second], false])
    expect((await caller.get(path)).body.data[0].last_message_at).toBe(clock.now().toISOString())
  })

  test('two requests with one Idempotency-Key make one chat', async () => {
    const agent = await caller.agent()
    const send = () => caller.post(`/agents/${agent}/chats`, {}, { 'idempotency-key': 'one' })
    expect((await send()).body).toEqual((await send()).body)
    expect((await caller.get(`/agents/${agent}/chats`)).body.data).toHaveLength(1)
  })
})

describe('messages', () => {
  let path: string
  let ids: number[]
  beforeAll(async () => {
    const chatId = await caller.chat(agentId)
    path = `/agents/${agentId}/chats/${chatId}/messages`
    const said = Array.from({ length: 120 }, (_, index) => ({
      role: index % 2 ? ('assistant' as const) : ('user' as const),
      content: `m${index}`,
    }))
    ids = await addMessages(app.database, chatId, said, clock.now())
  })

  test.each([
    ['', 70, 50, true],
    ['?per_page=500', 20, 100, true],
    ['?per_page=0', 119, 1, true],
    ['?per_page=2', 118, 2, true],
    ['?before_id=', 70, 50, true],
  ])('%s: the newest, oldest first', async (query, first, count, hasMore) => {
    const { status, body } = await caller.get(`${path}${query}`)
    expect([status, body.object, body.data.length, body.has_more]).toEqual([200, 'list', count, hasMore])
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(first, first + count))
  })

  test('before_id pages back to the first', async () => {
    const seen: number[] = []
    let query = '?per_page=50'
    for (let more = true; more; ) {
      const { body } = await caller.get(`${path}${query}`)
      seen.unshift(...body.data.map(({ id }: { id: number }) => id))
      query = `?per_page=50&before_id=${body.data[0].id}`
      more = body.has_more
    }
    expect(seen).toEqual(ids)
    for (const before of [0, -1, ids[0]]) {
      expect((await caller.get(`${path}?before_id=${before}`)).body).toEqual({
        object: 'list',
        data: [],
        has_more: false,
      })
    }
    for (const before of ['99999999999', '9'.repeat(20)]) {
      expect((await caller.get(`${path}?before_id=${before}`)).body.data).toHaveLength(50)
    }
    expect((await caller.get(`${path}?before_id=x`)).status).toBe(422)
  })

  test('have no usage in lists', async () => {
    const { body } = await caller.get(`${path}?per_page=1`)
    expect(body.data[0]).toEqual({
      id: ids.at(-1),
      object: 'message',
      role: 'assistant',
      content: 'm119',
      model: null,
      created_at: clock.now().toISOString(),
    })
  })
})
