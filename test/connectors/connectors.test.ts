import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, callerOf } from '../agents/caller.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { storedConnector } from '../support/rows/connectors.ts'
import { mcpServer, type TestMcpServer } from './mcp-server.ts'

let app: TestApp
let server: TestMcpServer
let user: TestUser
let caller: Caller
let agent: string

beforeAll(async () => {
  server = mcpServer()
  app = await testApp({ allowPrivateNetwork: ['127.0.0.1'], remember: false })
})
afterAll(() => server.stop())
beforeEach(async () => {
  user = await newUser(app.database)
  caller = callerOf(app, user.token)
  agent = await caller.agent()
})

const register = async (fields: object = {}, by = caller) => {
  const { body } = await by.post('/connectors', { name: 'Desk tools', server_url: server.url, ...fields })
  return body.data.uid as string
}
const enable = (uid: string, enabled = true, by = caller) =>
  by.send('PUT', `/agents/${agent}/connectors/${uid}`, { enabled })
const listed = async (uid: string, by = caller) =>
  (await by.get(`/agents/${agent}/connectors`)).body.data.find((entry: { uid: string }) => entry.uid === uid)

describe('the registry', () => {
  test('is created, listed, changed and deleted; headers are sealed and never returned', async () => {
    const created = await caller.post('/connectors', {
      name: 'Tools',
      server_url: server.url,
      headers: { 'X-Api-Key': 'hush-hush' },
      scope: 'global',
    })
    expect(created).toMatchObject({
      status: 201,
      body: {
        object: 'connector',
        data: { name: 'Tools', description: '', server_url: server.url, scope: 'own', active: true },
      },
    })
    const { uid } = created.body.data
    expect(Object.keys(created.body.data).sort()).toEqual(
      ['active', 'created_at', 'description', 'name', 'scope', 'server_url', 'uid'].sort(),
    )
    expect(JSON.stringify([await storedConnector(app.database, uid), created.body])).not.toContain('hush-hush')
    const changed = await caller.send('PATCH', `/connectors/${uid}`, { description: 'All of them', active: false })
    expect(changed.body).toMatchObject({
      object: 'connector',
      data: { name: 'Tools', description: 'All of them', active: false },
    })
    expect((await caller.get('/connectors')).body.data).toEqual([changed.body.data])
    const stranger = callerOf(app, (await newUser(app.database)).token)
    for (const method of ['PATCH', 'DELETE']) {
      expect((await stranger.send(method, `/connectors/${uid}`, {})).body).toEqual({ message: 'Connector not found.' })
    }
    expect((await caller.send('DELETE', `/connectors/${uid}`)).body).toEqual({
      object: 'connector.deleted',
      id: uid,
      deleted: true,
    })
    expect((await caller.get('/connectors')).body).toEqual({ object: 'list', data: [] })
  })

  test.each([
    ['http://tools.example.com/mcp', 'must be an https URL'],
    ['ftp://127.0.0.1/x', 'must be an https URL'],
    ['https://10.0.0.1/mcp', 'must not lead to a private network'],
    ['https://2130706434/mcp', 'must not lead to a private network'],
    ['https://[::ffff:10.0.0.1]/mcp', 'must not lead to a private network'],
    ['https://169.254.169.254/', 'must not lead to a private network'],
    ['https://user:pass@tools.example.com/', 'must not carry a user name or password'],
    ['nonsense', 'must be a valid URL'],
  ])('%s is refused', async (server_url, text) => {
    const { status, body } = await caller.post('/connectors', { name: 'X', server_url })
    expect([status, body.errors]).toEqual([422, { server_url: [`The server_url field ${text}.`] }])
  })

  test('operators offer connectors to everyone', async () => {
    const admin = callerOf(app, (await newUser(app.database, { role: 'admin' })).token)
    const uid = await register({ name: 'Everyone', scope: 'global' }, admin)
    expect((await enable(uid)).status).toBe(200)
    expect((await caller.get('/connectors')).body.data).toEqual([])
    await admin.send('DELETE', `/connectors/${uid}`)
  })

  test('and one that they had for themselves, while others may ask for it in vain', async () => {
    const admin = callerOf(app, (await newUser(app.database, { role: 'admin' })).token)
    const uid = await register({ name: 'Later for all' }, admin)
    const scoped = async (by: Caller, id: string, scope: string) =>
      (await by.send('PATCH', `/connectors/${id}`, { scope })).body.data.scope
    expect((await enable(uid)).status).toBe(404)
    expect(await scoped(admin, uid, 'global')).toBe('global')
    expect((await enable(uid)).status).toBe(200)
    expect(await scoped(admin, uid, 'own')).toBe('own')
    expect((await enable(uid)).status).toBe(404)
    expect(await scoped(caller, await register({ name: 'Mine' }), 'global')).toBe('own')
  })
})

describe('on an agent', () => {
  test('enabling says so and shows the live tools, disabling hides them', async () => {
    const uid = await register({ description: 'Hours' })
    expect(await listed(uid)).toEqual({
      uid,
      name: 'Desk tools',
      description: 'Hours',
      server_url: server.url,
      enabled: false,
      tools_count: 0,
    })
    expect((await enable(uid)).body).toEqual({
      message: '"Desk tools" enabled for this agent.',
      data: { uid, enabled: true },
    })
    const entry = await listed(uid)
    expect(entry).toMatchObject({ enabled: true, reachable: true, tools_count: 3 })
    expect(entry.tools[0]).toEqual({
      name: 'opening.hours',
      description: 'Tells the opening hours of a branch.',
      enabled: true,
    })
    expect((await enable(uid, false)).body.message).toBe('"Desk tools" disabled for this agent.')
    expect(await listed(uid)).toMatchObject({ enabled: false, tools_count: 3 })
    expect(await listed(uid)).not.toHaveProperty('reachable')
  })

  test('what a former address says late is not taken for the tools of the new one', async () => {
    const asked = Promise.withResolvers<void>()
    const late = Promise.withResolvers<Response>()
    const former = mcpServer(() => {
      asked.resolve()
      return late.promise
    })
    try {
      const uid = await register({ server_url: former.url })
      await enable(uid)
      const before = listed(uid)
      await asked.promise
      await caller.send('PATCH', `/connectors/${uid}`, { server_url: server.url })
      expect(await listed(uid)).toMatchObject({ reachable: true, tools_count: 3 })
      late.resolve(new Response('gone', { status: 500 }))
      expect(await before).toMatchObject({ reachable: false })
      expect(await listed(uid)).toMatchObject({ reachable: true, tools_count: 3 })
    } finally {
      await former.stop()
    }
  })

  test('single tools are switched by name', async () => {
    const uid = await register()
    const tool = (name: string, enabled: boolean) =>
      caller.send('PUT', `/agents/${agent}/connectors/${uid}/tools/${encodeURIComponent(name)}`, { enabled })
    expect((await tool('fails', false)).body).toEqual({ message: 'Connector not found.' })
    await enable(uid)
    expect((await tool('opening.hours', false)).body).toEqual({
      message: '"opening.hours" disabled for this agent.',
      data: { uid, name: 'opening.hours', enabled: false },
    })
    await tool('opening.hours', false)
    const states = async () =>
      Object.fromEntries(
        (await listed(uid)).tools.map((one: { name: string; enabled: boolean }) => [one.name, one.enabled]),
      )
    expect(await states()).toEqual({ 'opening.hours': false, fails: true, huge: true })
    await tool('opening.hours', true)
    expect(await states()).toEqual({ 'opening.hours': true, fails: true, huge: true })
    expect(await tool('nothing', true)).toMatchObject({ status: 404, body: { message: 'Tool not found.' } })
  })

  test('refusals: no body, unknown, inactive, foreign, and too little access', async () => {
    const uid = await register()
    for (const body of [{}, { enabled: null }]) {
      expect((await caller.send('PUT', `/agents/${agent}/connectors/${uid}`, body)).body).toEqual({
        message: 'The enabled field is required.',
        errors: { enabled: ['The enabled field is required.'] },
      })
    }
    const unknown = { status: 404, body: { message: 'Connector not found.' } }
    expect(await enable(crypto.randomUUID())).toMatchObject(unknown)
    await enable(uid)
    await caller.send('PATCH', `/connectors/${uid}`, { active: false })
    expect([await enable(uid), await enable(uid, false)]).toMatchObject([unknown, unknown])
    const place = { server_url: 'http://10.0.0.1/mcp' }
    expect((await caller.send('PATCH', `/connectors/${crypto.randomUUID()}`, place)).status).toBe(422)
    const mate = await newUser(app.database)
    const mateCaller = callerOf(app, mate.token)
    expect(await enable(await register({}, mateCaller))).toMatchObject(unknown)
    await caller.send('PUT', `/agents/${agent}/shares/${mate.userId}`, { access: 'view' })
    expect((await mateCaller.get(`/agents/${agent}/connectors`)).status).toBe(200)
    expect((await enable(await register({}, mateCaller), true, mateCaller)).status).toBe(403)
  })

  test('what an editor enabled of their own ends with their share, and is back with it', async () => {
    const mate = await newUser(app.database)
    const mateCaller = callerOf(app, mate.token)
    const operator = callerOf(app, (await newUser(app.database, { role: 'admin' })).token)
    const share = (access: string) => caller.send('PUT', `/agents/${agent}/shares/${mate.userId}`, { access })
    await share('edit')
    const uid = await register({ name: 'Theirs' }, mateCaller)
    await enable(uid, true, mateCaller)
    const [row] = await app.database.sql<{ id: number }[]>`select id from agents where agent_id = ${agent}`
    const id = Number(row?.id)
    const tools = async () => {
      const { signal } = new AbortController()
      return Object.keys((await app.services.toolbox.open({ id, agentId: agent }, signal)).tools)
    }
    const isThere = async () => [(await listed(uid))?.enabled, (await tools()).length > 0]
    expect(await isThere()).toEqual([true, true])
    await share('view')
    expect(await isThere()).toEqual([undefined, false])
    expect(await listed(uid, mateCaller)).toMatchObject({ enabled: false })
    expect((await enable(uid)).status).toBe(404)
    await share('edit')
    expect(await isThere()).toEqual([true, true])
    const setStatus = (status: string) => operator.send('PATCH', `/admin/users/${mate.userId}`, { status })
    expect((await setStatus('suspended')).status).toBe(200)
    expect(await isThere()).toEqual([undefined, false])
    await setStatus('active')
    expect(await isThere()).toEqual([true, true])
    await caller.send('DELETE', `/agents/${agent}/shares/${mate.userId}`)
    expect(await isThere()).toEqual([undefined, false])
  })

  test('what is enabled is shown to everyone who sees the agent', async () => {
    const uid = await register()
    await enable(uid)
    const mate = await newUser(app.database)
    await caller.send('PUT', `/agents/${agent}/shares/${mate.userId}`, { access: 'view' })
    expect(await listed(uid, callerOf(app, mate.token))).toMatchObject({ enabled: true, reachable: true })
  })
})

describe('servers that misbehave', () => {
  const slow = () => new Promise<Response>((resolve) => setTimeout(() => resolve(new Response('late')), 5000))
  const big = () =>
    new Response(new Uint8Array(8 * 1024 * 1024).fill(32), { headers: { 'content-type': 'application/json' } })
  const cases: [string, (request: Request) => Response | Promise<Response>][] = [
    ['hangs', slow],
    ['answers 500', () => new Response('no', { status: 500 })],
    ['answers nonsense', () => Response.json({ jsonrpc: '2.0', id: 0, result: 'lies' })],
    ['answers a huge body', big],
    ['redirects', () => Response.redirect('http://127.0.0.1:1/', 302)],
    ['is no tool server', () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } })],
  ]
  test('one that offers tools whose names cannot be kept offers its others', async () => {
    const odd = mcpServer(async (request) => {
      const asked = await request.clone().text()
      const { id, method } = asked === '' ? {} : JSON.parse(asked)
      if (method !== 'tools/list') return undefined
      const tool = (name: string, description: string) =>
        `{"name":"${name}","description":"${description}","inputSchema":{"type":"object"}}`
      const tools = [
        tool('a\\u0000b', ''),
        tool('\\ud800', ''),
        tool('line\\nfeed', ''),
        ...['', '.', '..'].map((name) => tool(name, '')),
        tool('plain', 'a\\u0000\\udfffb'),
        ...['...', 'a/b', '%2e', ' '].map((name) => tool(name, '')),
      ]
      const result = `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[${tools.join()}]}`
      return new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`, {
        headers: { 'content-type': 'application/json' },
      })
    })
    const uid = await register({ server_url: odd.url })
    await enable(uid)
    const others = ['...', 'a/b', '%2e', ' ']
    for (const name of ['plain', ...others]) {
      const path = `/agents/${agent}/connectors/${uid}/tools/${encodeURIComponent(name)}`
      expect(await caller.send('PUT', path, { enabled: false })).toMatchObject({
        status: 200,
        body: { data: { name } },
      })
    }
    const tools = [
      { name: 'plain', description: 'a\ufffdb', enabled: false },
      ...others.map((name) => ({ name, description: '', enabled: false })),
    ]
    expect(await listed(uid)).toMatchObject({ reachable: true, tools_count: 5, tools })
    await odd.stop()
  })

  test.each(cases)('one that %s is not reachable and breaks no listing', async (_what, behave) => {
    const bad = mcpServer(behave)
    const [badUid, goodUid] = [await register({ name: 'Bad', server_url: bad.url }), await register({ name: 'Good' })]
    await enable(badUid)
    await enable(goodUid)
    const started = performance.now()
    expect(await listed(badUid)).toMatchObject({ enabled: true, reachable: false, tools_count: 0, tools: [] })
    expect(performance.now() - started).toBeLessThan(15_000)
    expect(await listed(goodUid)).toMatchObject({ reachable: true })
    await bad.stop()
  })

  test('a dead one keeps the count of tools that it had', async () => {
    const dying = mcpServer()
    const uid = await register({ server_url: dying.url })
    await enable(uid)
    expect((await listed(uid)).tools_count).toBe(3)
    await dying.stop()
    expect(await listed(uid)).toMatchObject({ reachable: false, tools_count: 3, tools: [] })
  })
})

test('headers reach the server, and only the server', async () => {
  const uid = await register({ headers: { 'X-Api-Key': 'hush' } })
  await enable(uid)
  server.requests.length = 0
  const entry = await listed(uid)
  expect(server.requests.length).toBeGreaterThan(0)
  expect(server.requests.every(({ headers }) => headers.get('x-api-key') === 'hush')).toBe(true)
  expect(JSON.stringify(entry)).not.toContain('hush')
})

test('the address of a global connector is shown without its query', async () => {
  const operator = callerOf(app, (await newUser(app.database, { role: 'admin' })).token)
  const { origin } = new URL(server.url)
  const other = callerOf(app, (await newUser(app.database)).token)
  const own = await other.agent()
  const cases = {
    [server.url]: server.url,
    [`${origin}/a/mcp/?key=k-7d1e4b6a#k-7d1e4b6a`]: `${origin}/a/mcp/`,
    [origin]: origin,
  }
  for (const [address, shown] of Object.entries(cases)) {
    const made = await operator.post('/connectors', { name: 'For all', server_url: address, scope: 'global' })
    const { body } = await other.get(`/agents/${own}/connectors`)
    const { uid } = made.body.data
    expect(body.data.find((entry: { uid: string }) => entry.uid === uid)).toMatchObject({ server_url: shown })
    await operator.send('DELETE', `/connectors/${uid}`)
  }
})

test('an address is shown whole to who registered the connector, and its origin to others', async () => {
  const { origin } = new URL(server.url)
  for (const address of [`${server.url}?key=k-7d1e4b6a`, `${origin}/k-7d1e4b6a/mcp`]) {
    const uid = await register({ server_url: address })
    await enable(uid)
    const other = await newUser(app.database)
    for (const access of ['view', 'edit']) {
      await caller.send('PUT', `/agents/${agent}/shares/${other.userId}`, { access })
      expect(await listed(uid, callerOf(app, other.token))).toMatchObject({ server_url: origin, enabled: true })
    }
    expect(await listed(uid)).toMatchObject({ server_url: address })
  }
})
