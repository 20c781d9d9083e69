import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { type Caller, callerOf } from './caller.ts'

let app: TestApp
let owner: Caller
let ownerUser: TestUser
let guest: Caller
let guestUser: TestUser
let agentId: string

const share = (body: object, userId = guestUser.userId) =>
  owner.send('PUT', `/agents/${agentId}/shares/${userId}`, body)

beforeAll(async () => {
  app = await testApp({ remember: false })
  ownerUser = await newUser(app.database)
  owner = callerOf(app, ownerUser.token)
})

const fresh = async () => {
  guestUser = await newUser(app.database)
  guest = callerOf(app, guestUser.token)
  agentId = await owner.agent()
}

describe('shares', () => {
  test('are put, listed, changed and ended', async () => {
    await fresh()
    const put = await share({ access: 'view' })
    const entry = {
      user_id: guestUser.userId,
      name: null,
      email: null,
      access: 'view',
      mcp_access: true,
    }
    expect([put.status, put.body]).toEqual([200, { object: 'share', data: entry }])
    const changed = { ...entry, access: 'edit', mcp_access: false }
    expect((await share({ access: 'edit', mcp_access: false })).body.data).toEqual(changed)
    const list = await owner.get(`/agents/${agentId}/shares`)
    expect([list.status, list.body]).toEqual([200, { object: 'list', data: [changed] }])
    const path = `/agents/${agentId}/shares/${guestUser.userId}`
    const ended = await owner.send('DELETE', path)
    expect([ended.status, ended.body]).toEqual([200, { object: 'share.deleted', id: guestUser.userId, deleted: true }])
    const again = await owner.send('DELETE', path)
    expect([again.status, again.body]).toEqual([404, { message: 'Share not found.' }])
  })

  test('an unknown user is 404, oneself 422, another access 422', async () => {
    await fresh()
    for (const id of [2_000_000_000, 'x', 0]) {
      const answer = await owner.send('PUT', `/agents/${agentId}/shares/${id}`, { access: 'view' })
      expect([answer.status, answer.body]).toEqual([404, { message: 'User not found.' }])
    }
    expect((await share({ access: 'view' }, ownerUser.userId)).body.errors).toEqual({
      user_id: ['An agent cannot be shared with its owner.'],
    })
    expect((await share({ access: 'own' })).body.errors).toEqual({
      access: ['The access field must be one of: view, edit.'],
    })
    for (const body of [{}, { access: null }]) {
      expect((await share(body)).body.errors).toEqual({ access: ['The access field is required.'] })
    }
  })

  test('name the users of the own workspace alone', async () => {
    await fresh()
    const { workspaceId, resellerId } = ownerUser
    const colleague = await newUser(app.database, { workspaceId, resellerId })
    await share({ access: 'view' })
    const named = { name: expect.stringContaining('User'), email: expect.stringContaining('@example.com') }
    expect((await share({ access: 'view' }, colleague.userId)).body.data).toMatchObject(named)
    const { data } = (await owner.get(`/agents/${agentId}/shares`)).body
    expect(data).toMatchObject([
      { user_id: guestUser.userId, name: null, email: null },
      { user_id: colleague.userId, ...named },
    ])
  })

  test('are left by the user who was given one', async () => {
    await fresh()
    await share({ access: 'edit' })
    const path = `/agents/${agentId}/leave`
    const left = await guest.post(path)
    expect([left.status, left.body]).toEqual([200, { object: 'share.deleted', id: guestUser.userId, deleted: true }])
    expect((await guest.get('/agents')).body.data).toEqual([])
    expect((await owner.get(`/agents/${agentId}/shares`)).body.data).toEqual([])
    const again = await guest.post(path)
    expect([again.status, again.body]).toEqual([404, { message: 'Agent not found.' }])
    const own = await owner.post(path)
    expect([own.status, own.body]).toEqual([404, { message: 'Share not found.' }])
  })

  test('stand among the own agents in a list, in its order, on every page', async () => {
    await fresh()
    const rename = (name: string) => owner.send('PATCH', `/agents/${agentId}`, { name })
    await rename('Guide B')
    await share({ access: 'view' })
    for (const name of ['Guide A', 'Guide C']) await guest.send('POST', '/agents', { name })
    const namesOf = async (query: string) => {
      const { body } = await guest.send('GET', `/agents?${query}`)
      return [body.data.map(({ name }: { name: string }) => name).join(), body.has_more]
    }
    expect(await namesOf('sort=name')).toEqual(['Guide A,Guide B,Guide C', false])
    expect(await namesOf('sort=name&per_page=2')).toEqual(['Guide A,Guide B', true])
    expect(await namesOf('sort=name&per_page=2&page=2')).toEqual(['Guide C', false])
    expect(await namesOf('q=guide%20b')).toEqual(['Guide B', false])
    expect(await namesOf('per_page=1')).toEqual(['Guide C', true])
  })

  test('make no agent the default of a completion', async () => {
    await fresh()
    const messages = [{ role: 'user', content: 'Hello' }]
    await share({ access: 'edit' })
    expect((await guest.post('/chat/completions', { messages })).status).toBe(404)
    const own = await guest.agent()
    await owner.post('/chat/completions', { messages, agent: agentId })
    const answers = [
      await guest.post('/chat/completions', { messages }),
      await guest.post('/chat/completions', { messages, agent: agentId }),
      await guest.post('/chat/completions', { messages }),
    ]
    expect(answers.map(({ body }) => body.service.agent)).toEqual([own, agentId, own])
  })

  test('only the owner sees and changes them', async () => {
    await fresh()
    await share({ access: 'edit' })
    const path = `/agents/${agentId}/shares`
    const answers = [
      await guest.get(path),
      await guest.send('PUT', `${path}/${ownerUser.userId}`, { access: 'view' }),
      await guest.send('DELETE', `${path}/${guestUser.userId}`),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([403, { message: 'Only the owner of this agent may do this.' }])
    }
    const stranger = callerOf(app, (await newUser(app.database)).token)
    const foreign = await stranger.get(path)
    expect([foreign.status, foreign.body]).toEqual([404, { message: 'Agent not found.' }])
  })
})

describe('access', () => {
  test('view reads and lists, but neither changes nor deletes', async () => {
    await fresh()
    expect((await guest.get(`/agents/${agentId}`)).status).toBe(404)
    await share({ access: 'view' })
    expect((await guest.get(`/agents/${agentId}`)).status).toBe(200)
    expect((await guest.get('/agents')).body.data).toHaveLength(1)
    for (const method of ['PATCH', 'PUT']) {
      const refused = await guest.send(method, `/agents/${agentId}`, { name: 'Mine' })
      expect([refused.status, refused.body]).toEqual([403, { message: 'You do not have edit access to this agent.' }])
    }
    const refused = await guest.send('DELETE', `/agents/${agentId}`)
    expect([refused.status, refused.body]).toEqual([403, { message: 'Only the owner of this agent may do this.' }])
  })

  test.each([
    { access: 'view', mcp_access: false },
    { access: 'edit', mcp_access: true },
  ])('is told to who has a share: %o', async (given) => {
    await fresh()
    const path = `/agents/${agentId}/access`
    expect((await guest.get(path)).body).toEqual({ message: 'Agent not found.' })
    await share(given)
    expect((await guest.get(path)).body).toEqual({ object: 'agent_access', data: given })
    expect((await owner.get(path)).body.data).toEqual({ access: 'own', mcp_access: true })
  })

  test('edit changes, but does not delete', async () => {
    await fresh()
    await share({ access: 'edit' })
    expect((await guest.send('PATCH', `/agents/${agentId}`, { name: 'Ours' })).body.data.name).toBe('Ours')
    expect((await guest.send('DELETE', `/agents/${agentId}`)).status).toBe(403)
  })

  test('without MCP access every talk is 403, in the words of the document', async () => {
    await fresh()
    await share({ access: 'edit' })
    const chat = await guest.chat(agentId)
    await share({ access: 'edit', mcp_access: false })
    const path = `/agents/${agentId}/chats`
    const answers = [
      await guest.get(path),
      await guest.post(path),
      await guest.get(`${path}/${chat}`),
      await guest.send('PATCH', `${path}/${chat}`, { title: 'x' }),
      await guest.send('DELETE', `${path}/${chat}`),
      await guest.get(`${path}/${chat}/messages`),
      await guest.post(`${path}/${chat}/messages`, { content: 'Hello' }),
    ]
    const message = 'You do not have MCP access to this agent.'
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([403, { message }])
    const messages = [{ role: 'user', content: 'Hello' }]
    for (const body of [
      { messages, agent: agentId },
      { messages, chat },
    ]) {
      const completion = await guest.post('/chat/completions', body)
      const error = { message, type: 'invalid_request_error', code: 403 }
      expect([completion.status, completion.body]).toEqual([403, { message, error }])
    }
    expect((await guest.get(`/agents/${agentId}`)).status).toBe(200)
    expect((await guest.post('/chat/completions', { messages })).status).toBe(404)
  })

  test('when a share ends its chats are 404, and back when it is shared again', async () => {
    await fresh()
    await share({ access: 'view' })
    const chat = await guest.chat(agentId)
    const path = `/agents/${agentId}/chats/${chat}`
    await owner.send('DELETE', `/agents/${agentId}/shares/${guestUser.userId}`)
    const gone = await guest.get(path)
    expect([gone.status, gone.body]).toEqual([404, { message: 'Agent not found.' }])
    expect((await guest.post('/chat/completions', { chat, messages: [{ role: 'user', content: 'x' }] })).status).toBe(
      404,
    )
    await share({ access: 'view' })
    expect((await guest.get(path)).status).toBe(200)
  })
})
