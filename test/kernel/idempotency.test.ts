import { describe, expect, test, vi } from 'vitest'
import { newTokenFor, newUser, type TestApp, testApp, testClock } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { newDatabase } from '../support/database.ts'
import { changeUser } from '../support/rows/accounts.ts'
import { loseIds, loseResponses, refuseResponses, storedKeys } from '../support/rows/idempotency.ts'

interface Made {
  data: { id: string }
}

const setup = async () => {
  const clock = testClock()
  const app = await testApp({ clock })
  const user = await newUser(app.database)
  const post = (key: string, body: unknown, token = user.token) =>
    app.send('POST', '/assistants', { token, body, headers: { 'idempotency-key': key } })
  const count = async () => (await clientOf(app, user.token).get('/assistants')).body.pagination.total
  return { app, clock, user, post, count }
}

describe('Idempotency-Key', () => {
  test('the same request again gives the first answer and makes nothing', async () => {
    const { post, count } = await setup()
    const first = await post('k1', { name: 'Once' })
    const again = await post('k1', { name: 'Once' })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await again.text()).toBe(await first.text())
    expect(await count()).toBe(1)
  })

  test('another body is 422, another token or key is another request', async () => {
    const { app, user, post, count } = await setup()
    await post('k1', { name: 'Once' })
    const other = await post('k1', { name: 'Twice' })
    expect(other.status).toBe(422)
    const message = 'This Idempotency-Key was used with another body.'
    expect(await other.json()).toEqual({ success: false, message, errors: { 'Idempotency-Key': [message] } })
    expect((await post('k2', { name: 'Twice' })).status).toBe(201)
    const second = await newTokenFor(app.database, user.userId)
    expect((await post('k1', { name: 'Twice' }, second)).status).toBe(201)
    expect(await count()).toBe(3)
  })

  test('a token in a kept answer is not readable in the database', async () => {
    const { app, user } = await setup()
    const send = () =>
      app.send('POST', '/user/tokens', {
        token: user.token,
        body: { name: 'Script' },
        headers: { 'idempotency-key': 'k1' },
      })
    const { data } = await (await send()).json()
    expect(data.token).toMatch(/^vk_/)
    expect(await storedKeys(app.database)).not.toContain(data.token)
    expect((await (await send()).json()).data.token).toBe(data.token)
  })

  const spellings: [path: string, other: string, body: object][] = [
    ['/agents', '/agents/', { name: 'Once' }],
    ['/chat/completions', '/v1/chat/completions', { messages: [{ role: 'user', content: 'Hello' }] }],
    ['/agents/{agent}/chats', '/agents/{AGENT}/chats/', {}],
    ['/trpc/agents.create', '/trpc/agents%2Ecreate', { name: 'Once' }],
    ['/trpc/agents.create', '/trpc/agents.create/', { name: 'Once' }],
    [
      '/trpc/agents.create,agents.create?batch=1',
      '/trpc/agents.create%2Cagents.create/?batch=1',
      { 0: { name: 'A' }, 1: { name: 'B' } },
    ],
  ]
  test.each(spellings)('%s and %s are one path', async (path, other, sent) => {
    const { app, user } = await setup()
    const { token } = user
    const agent: string = (await clientOf(app, token).data('POST', '/agents', { name: 'Asked' })).id
    const body = 'messages' in sent ? { ...sent, agent } : sent
    const send = (spelled: string) => {
      const named = spelled.replace('{agent}', agent).replace('{AGENT}', agent.toUpperCase())
      return app.send('POST', named, { token, body, headers: { 'idempotency-key': 'k1' } })
    }
    const [first, again] = [await send(path), await send(other)]
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([first.status, 'true'])
    expect(await again.text()).toBe(await first.text())
  })

  test('while the first runs, another body is 422', async () => {
    const { app, post, count } = await setup()
    app.platform.faults.add({ method: 'POST', path: /assistant/, times: 1, mode: 'delay', ms: 1000 })
    const first = post('k1', { name: 'Slow' })
    await vi.waitFor(() => expect(app.platform.requests.length).toBeGreaterThan(0), 30_000)
    const other = await post('k1', { name: 'Other' })
    expect([other.status, (await other.json()).message]).toEqual([
      422,
      'This Idempotency-Key was used with another body.',
    ])
    expect((await first).status).toBe(201)
    expect(await count()).toBe(1)
  })

  test('while the first runs, the second is 409', async () => {
    const { app, post, count } = await setup()
    app.platform.faults.add({ method: 'POST', path: /assistant/, times: 1, mode: 'delay', ms: 300 })
    const first = post('k1', { name: 'Slow' })
    await Bun.sleep(100)
    const second = await post('k1', { name: 'Slow' })
    expect([second.status, second.headers.get('x-should-retry')]).toEqual([409, 'false'])
    expect((await second.json()).message).toBe('The first request with this Idempotency-Key is still running.')
    expect((await first).status).toBe(201)
    expect(await count()).toBe(1)
  })

  test('refused input is kept, a failure can be tried again', async () => {
    const { app, post, count } = await setup()
    const refused = await post('k1', { name: '' })
    const again = await post('k1', { name: '' })
    expect([refused.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([422, 422, 'true'])

    app.platform.faults.add({ method: 'POST', path: /assistant/, times: 1, mode: 'status', status: 400, body: {} })
    expect((await post('k2', { name: 'Retry' })).status).toBe(500)
    const retried = await post('k2', { name: 'Retry' })
    expect([retried.status, retried.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect(await count()).toBe(1)
  })

  test.each([true, false])('a response that cannot be kept locks no key, statements prepared: %s', async (prepare) => {
    const database = await newDatabase({ prepare })
    const app = await testApp({ database })
    const { token } = await newUser(database)
    await refuseResponses(database)
    const headers = { 'idempotency-key': 'k1' }
    const send = async () => (await app.send('POST', '/assistants', { token, body: { name: 'Once' }, headers })).json()
    const [first, again] = [await send(), await send()]
    expect(first.data.name).toBe('Once')
    expect(again).toEqual(first)
    await database.close()
  })

  test('what it makes has ids as all others have, of calls in a batch as well', async () => {
    const { app, user, post } = await setup()
    const { assistant_id } = (await (await post('k1', { name: 'Once' })).json()).data
    const batch = await app.send('POST', '/trpc/agents.create,agents.create?batch=1', {
      token: user.token,
      body: { 0: { name: 'A' }, 1: { name: 'B' } },
      headers: { 'idempotency-key': 'k1' },
    })
    const [one, two] = (await batch.json()).map(({ result }: { result: { data: Made } }) => result.data.data.id)
    for (const id of [assistant_id, one, two]) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab]/)
    expect(one).not.toBe(two)
  })

  test('what an earlier release made under it is found', async () => {
    const { app, post, count } = await setup()
    const made = async () => (await (await post('k1', { name: 'Once' })).json()).data.assistant_id
    await made()
    await loseIds(app.database)
    const before = await made()
    await loseResponses(app.database)
    expect([await made(), before.charAt(14)]).toEqual([before, '8'])
    expect(await count()).toBe(2)
  })

  test('after 24 hours the key is free', async () => {
    const { clock, post, count } = await setup()
    await post('k1', { name: 'Day one' })
    clock.advance(24 * 3600 * 1000 + 1)
    expect((await post('k1', { name: 'Day two' })).status).toBe(201)
    expect(await count()).toBe(2)
  })

  test.each([
    ['', 422],
    ['x'.repeat(256), 422],
    ['x'.repeat(255), 201],
  ])('a key of this length: %#', async (key, status) => {
    const { post } = await setup()
    expect((await post(key, { name: 'Key' })).status).toBe(status)
  })

  test('tRPC mutations honour it too', async () => {
    const { app, user, count } = await setup()
    const send = () =>
      app.send('POST', '/trpc/assistants.create', {
        token: user.token,
        body: { name: 'Rpc' },
        headers: { 'idempotency-key': 'k1' },
      })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(await again.json()).toEqual(await first.json())
    expect(await count()).toBe(1)
  })

  test('a kept response of tRPC passes the rate limit and the feature', async () => {
    const clock = testClock()
    const app = await testApp({ clock, rateLimits: { perMinute: 2 } })
    const user = await newUser(app.database)
    const send = async () => {
      const { token } = user
      const headers = { 'idempotency-key': 'k1' }
      const answer = await app.send('POST', '/trpc/assistants.create', { token, body: { name: 'Rpc' }, headers })
      return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), body: await answer.json() }
    }
    const statuses = [await send(), await send(), await send()].map(({ status, replayed }) => [status, replayed])
    expect(statuses).toEqual([
      [200, null],
      [200, 'true'],
      [429, null],
    ])
    const free = await testApp({ clock })
    await changeUser(free.database, user.userId, { features: [] })
    const answer = await free.send('POST', '/trpc/assistants.create', {
      token: user.token,
      body: { name: 'Rpc' },
      headers: { 'idempotency-key': 'k1' },
    })
    const { error } = await answer.json()
    expect([answer.status, error.data.body]).toMatchObject([403, { success: false, feature: 'assistants' }])
  })

  test.each([
    ['/assistants', { name: 'Once' }],
    ['/trpc/assistants.create', { name: 'Once' }],
    ['/trpc/assistants.create,assistants.create?batch=1', { 0: { name: 'Once' }, 1: { name: 'Twice' } }],
  ])('what an editor made at %s is not given again to a viewer (rest 22)', async (path, body) => {
    const { app, clock, user } = await setup()
    const send = (to: TestApp) =>
      to.send('POST', path, { token: user.token, body, headers: { 'idempotency-key': 'k1' } })
    const first = await send(app)
    await changeUser(app.database, user.userId, { workspaceRole: 'viewer' })
    const refused = await send(await testApp({ clock }))
    expect([refused.status, refused.headers.get('idempotency-replayed')]).toEqual([403, null])
    expect(await refused.text()).toContain('Your workspace role does not allow this change.')
    const again = await send(app)
    expect([again.headers.get('idempotency-replayed'), await again.text()]).toEqual(['true', await first.text()])
  })

  test.each([
    ['/assistants', true],
    ['/squads', true],
    ['/agents', false],
    ['/user/tokens', false],
  ])('its 422 on %s says success: false where the others do (%s)', async (path, says) => {
    const { app, user } = await setup()
    const { token } = user
    const answer = await app.send('POST', path, { token, body: {}, headers: { 'idempotency-key': '' } })
    const message = 'The Idempotency-Key header must be 1 to 255 characters.'
    const errors = { 'Idempotency-Key': [message] }
    expect([answer.status, await answer.json()]).toEqual([422, { ...(says && { success: false }), message, errors }])
  })
})
