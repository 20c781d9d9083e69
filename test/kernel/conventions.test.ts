import { connect, type Socket } from 'node:net'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../src/runtime/log.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { listening, until } from '../support/listening.ts'

const lines: string[] = []
const written = () => lines.map((line) => JSON.parse(line))
let app: TestApp
let user: TestUser
let server: ReturnType<typeof listening>

beforeAll(async () => {
  const log = createLog('info', { write: (line) => void lines.push(line) })
  app = await testApp({ log, bodyTimes: { json: 400, form: 600 } })
  user = await newUser(app.database)
  server = listening(app)
})
afterAll(() => server.stop())

const bearer = () => ({ authorization: `Bearer ${user.token}` })
const get = (path: string, headers: Record<string, string> = {}) =>
  app.send('GET', path, { token: user.token, headers })
const longPath = '/openapi.json'

describe('data', () => {
  test.each(['/assistants', '/trpc/assistants.list?input=%7B%7D', '/nowhere'])(
    'is kept by no cache and taken for no page: %s',
    async (path) => {
      const { headers } = await get(path)
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
        'private, no-store',
        'nosniff',
      ])
    },
  )

  test.each(['/assistants', '/trpc/assistants.list?input=%7B%7D'])('is not sent again unchanged: %s', async (path) => {
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"\w+"$/)
    for (const known of [etag, `"other", ${etag}`]) {
      const again = await get(path, { 'if-none-match': known })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    }
    await app.send('POST', '/assistants', { token: user.token, body: { name: 'New', firstMessage: 'Hello' } })
    const changed = await get(path, { 'if-none-match': etag })
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false])
  })

  test('a write and a failure have no tag', async () => {
    const made = await app.send('POST', '/assistants', {
      token: user.token,
      body: { name: 'A', firstMessage: 'Hello' },
    })
    expect([made.status, made.headers.get('etag')]).toEqual([201, null])
    expect((await get('/assistants/999999')).headers.get('etag')).toBeNull()
  })

  test('a token is asked for in the terms of HTTP', async () => {
    const refused = await app.send('GET', '/assistants')
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })
})

describe('what was made', () => {
  const make = (path: string, body: object) => app.send('POST', path, { token: user.token, body })

  test.each([
    ['/assistants', { name: 'A', firstMessage: 'Hello' }],
    ['/agents', { name: 'A' }],
    ['/squads', { name: 'A', members: [] }],
  ])('is found where Location of POST %s says', async (path, body) => {
    const made = await make(path, body)
    const location = made.headers.get('location') ?? ''
    expect([made.status, location]).toEqual([201, expect.stringMatching(`^http://localhost${path}/[\\w-]+$`)])
    expect((await get(new URL(location).pathname)).status).toBe(200)
  })

  test('is found there when it is made again under its key, too', async () => {
    const keyed = { token: user.token, body: { name: 'A' }, headers: { 'idempotency-key': crypto.randomUUID() } }
    const [first, again] = [await app.send('POST', '/agents', keyed), await app.send('POST', '/agents', keyed)]
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('location')).toBe(first.headers.get('location') ?? 'none')
    const refused = { ...keyed, body: {}, headers: { 'idempotency-key': crypto.randomUUID() } }
    await app.send('POST', '/agents', refused)
    expect((await app.send('POST', '/agents', refused)).headers.get('location')).toBeNull()
  })

  test('below another resource too', async () => {
    const agent = new URL((await make('/agents', { name: 'A' })).headers.get('location') ?? '').pathname
    const location = (await make(`${agent}/chats`, {})).headers.get('location') ?? ''
    expect(location).toMatch(new RegExp(`^http://localhost${agent}/chats/[\\w-]+$`))
    expect((await get(new URL(location).pathname)).status).toBe(200)
  })

  test('has no Location where it has no path, and a refusal has none', async () => {
    const token = await make('/user/tokens', { name: 'A' })
    expect([token.status, token.headers.get('location')]).toEqual([201, null])
    expect((await make('/agents', {})).headers.get('location')).toBeNull()
  })
})

describe('long JSON', () => {
  test.each([
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br, zstd', 'zstd', zstdDecompressSync],
    ['zstd;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
  ])('is compressed for a caller that takes %s', async (accepted, encoding, decompress) => {
    await app.send('POST', '/assistants', {
      token: user.token,
      body: { name: 'Long', firstMessage: 'x'.repeat(1_000) },
    })
    for (const path of [longPath, '/assistants']) {
      const plain = await get(path)
      expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
      const packed = await get(path, { 'accept-encoding': accepted })
      expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual([
        encoding,
        'Accept-Encoding',
      ])
      const bytes = await packed.bytes()
      expect(decompress(bytes).toString()).toBe(await plain.text())
    }
  })

  test.each([
    [longPath, 'br'],
    [longPath, 'gzip;q=0'],
    ['/health', 'gzip'],
  ])('%s stays as it is for a caller that takes %s', async (path, accepted) => {
    expect((await get(path, { 'accept-encoding': accepted })).headers.get('content-encoding')).toBeNull()
  })
})

test.each([longPath, '/widget.js', '/docs/page.css'])(
  'what is the same for everybody is packed once and has a tag of its own in each encoding: %s',
  async (path) => {
    const tags = new Set<string>()
    for (const encoding of ['gzip', 'zstd', 'identity', 'gzip']) {
      const response = await get(path, { 'accept-encoding': encoding })
      expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding)
      const tag = response.headers.get('etag') ?? ''
      expect(tag).toMatch(/^"\w+"$/)
      expect((await get(path, { 'accept-encoding': encoding, 'if-none-match': tag })).status).toBe(304)
      tags.add(tag)
    }
    expect(tags.size).toBe(3)
  },
)

const served = ['/assistants', '/openapi.json', '/docs', '/widget.js', '/health', '/mcp', '/nowhere']
const below = ['/console/assistants', '/console/assets/none.js', `/squads/${crypto.randomUUID()}/`, '/docs/']

test.each([...served, ...below])('HEAD %s says what GET says, over the wire', async (path) => {
  const init: RequestInit = { headers: { ...bearer(), 'accept-encoding': 'identity' }, redirect: 'manual' }
  const got = await fetch(server.url + path, init)
  const head = await fetch(server.url + path, { ...init, method: 'HEAD' })
  const length = String((await got.bytes()).length)
  const said = ({ status, headers }: Response) => [status, headers.get('content-type'), headers.get('content-length')]
  expect([said(head), await head.text()]).toEqual([[got.status, got.headers.get('content-type'), length], ''])
})

test('HEAD says no length of what a cache has already', async () => {
  const created = await app.send('POST', '/assistants', { token: user.token, body: { name: 'Desk' } })
  const path = `/assistants/${(await created.json()).data.assistant_id}`
  const etag = (await get(path)).headers.get('etag') ?? ''
  expect(etag).not.toBe('')
  const head = await app.send('HEAD', path, { token: user.token, headers: { 'if-none-match': etag } })
  expect([head.status, head.headers.get('content-length')]).toEqual([304, null])
})

describe('browsers', () => {
  const preflight = async (path: string, asked: string) => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked,
    }
    return (await app.send('OPTIONS', path, { headers })).headers
  }

  test.each(['/assistants', '/trpc/assistants.list', '/chat/completions'])(
    'may send the headers that they ask for: %s',
    async (path) => {
      const asked = 'authorization,content-type,trpc-accept,traceparent,x-stainless-retry-count'
      const headers = await preflight(path, asked)
      expect([headers.get('access-control-allow-headers'), headers.get('access-control-max-age')]).toEqual([
        'Authorization, Content-Type, Idempotency-Key, x-request-id, trpc-accept, traceparent, x-stainless-retry-count',
        '7200',
      ])
    },
  )

  test.each(['a b', 'x'.repeat(2_001), ''])(
    'are told the usual ones when what they ask for is none: %s',
    async (asked) => {
      expect((await preflight('/assistants', asked)).get('access-control-allow-headers')).toBe(
        'Authorization, Content-Type, Idempotency-Key, x-request-id',
      )
    },
  )

  test('may read our headers', async () => {
    const exposed = (await get('/assistants')).headers.get('access-control-expose-headers')
    for (const name of ['x-request-id', 'RateLimit-Remaining', 'Retry-After', 'ETag', 'Location']) {
      expect(exposed).toContain(name)
    }
  })
})

test.each(['GET', 'POST'])('a batch of too many calls says so: %s', async (method) => {
  const calls = Array(51).fill('assistants.list').join(',')
  const input = method === 'GET' ? '&input=%7B%7D' : ''
  const response = await app.send(method, `/trpc/${calls}?batch=1${input}`, {
    token: user.token,
    ...(method === 'POST' && { body: {} }),
  })
  const said = (await response.json()) as { error: unknown } | { error: unknown }[]
  const error = Array.isArray(said) ? said[0]?.error : said.error
  expect(response.status).toBe(400)
  expect(error).toMatchObject({ data: { body: { message: 'One request holds at most 50 calls.' } } })
})

test.each(['GET', 'POST'])('a batch of queries and mutations says so: %s', async (method) => {
  const calls = 'assistants.list,assistants.create'
  const input = { 0: {}, 1: { name: 'Mixed' } }
  const query = method === 'GET' ? `&input=${encodeURIComponent(JSON.stringify(input))}` : ''
  const response = await app.send(method, `/trpc/${calls}?batch=1${query}`, {
    token: user.token,
    ...(method === 'POST' && { body: input }),
  })
  const said = (await response.json()) as { error: unknown } | { error: unknown }[]
  const message = 'The calls of one request are all queries or all mutations.'
  expect(response.status).toBe(400)
  for (const { error } of [said].flat()) expect(error).toMatchObject({ data: { body: { message } } })
})

describe.each([
  ['trpc-accept', 'application/jsonl'],
  ['accept', 'text/html, application/jsonl'],
])('one call that asks for lines (%s) is told to be a batch', (name, value) => {
  const message = 'Results as JSON lines are given to batches alone: add batch=1.'
  const cases: [string, string, object][] = [
    ['GET', 'assistants.list', { message }],
    ['POST', 'assistants.create', { message }],
    ['POST', 'completions.create', { error: { message } }],
  ]
  test.each(cases)('%s %s', async (method, procedure, body) => {
    const response = await app.send(method, `/trpc/${procedure}`, {
      token: user.token,
      headers: { [name]: value },
      ...(method === 'POST' && { body: {} }),
    })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toMatchObject({ error: { data: { body, path: procedure } } })
  })
})

test('a subscription in a batch, or as lines, is told to be asked for by itself', async () => {
  const ask = async (query: string, headers = {}) => {
    const response = await app.send('GET', `/trpc/messages.stream${query}`, { token: user.token, headers })
    return [response.status, await response.json()]
  }
  const message = 'A subscription is a stream of events: ask for it by itself, neither in a batch nor as JSON lines.'
  expect(await ask('?batch=1')).toMatchObject([400, [{ error: { data: { body: { message } } } }]])
  expect(await ask('', { accept: 'application/jsonl' })).toEqual([400, { message }])
})

test.each(['/assistants', '/trpc/assistants.create', '/trpc/assistants.create?batch=1', '/mcp'])(
  'a body that is no UTF-8 is no JSON: %s',
  async (path) => {
    const text = path.endsWith('batch=1') ? '{"0":{"name":"~"}}' : '{"name":"~"}'
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${user.token}`, accept: '*/*' },
      body: Buffer.from(text).map((byte) => (byte === 0x7e ? 0xff : byte)),
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toMatch(/not valid JSON|Parse error|valid/)
  },
)

describe('clients that are slow, or leave', () => {
  const opened = new Set<Socket>()
  afterAll(() => {
    for (const socket of opened) socket.destroy()
  })

  /** Opens a connection and sends `head`; what comes back, and when it is closed. */
  function trickling(head: string) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    opened.add(socket)
    let said = ''
    socket.on('data', (chunk) => {
      said += chunk.toString()
    })
    socket.on('error', () => {})
    socket.write(head)
    const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(said)))
    return { socket, closed }
  }
  const head = (path: string, type: string, more = '') =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\n${more}content-length: 5000\r\n\r\n`

  test('eleven hundred bodies that do not arrive are refused, and the server goes on', async () => {
    const started = performance.now()
    const crowd = Array.from({ length: 1_100 }, () =>
      trickling(`${head('/trpc/assistants.create', 'application/json')}{`),
    )
    const said = await Promise.all(crowd.map(({ closed }) => closed))
    expect(performance.now() - started).toBeLessThan(30_000)
    expect(said.every((text) => text.startsWith('HTTP/1.1 408 '))).toBe(true)
    expect(said[0]).toContain('{"message":"The body did not arrive in time."}')
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  test.each([
    ['JSON', '/assistants', 'application/json', '{"name":'],
    ['a form', '/agents/00000000-0000-4000-8000-000000000000/files', 'multipart/form-data; boundary=x', '--x\r\n'],
  ])('%s of a caller that is known has its time too', async (_what, path, type, start) => {
    const authorization = `authorization: Bearer ${user.token}\r\n`
    const { closed } = trickling(head(path, type, authorization) + start)
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('a connection whose body nobody wants is closed with the refusal', async () => {
    const { closed } = trickling(`${head('/assistants', 'application/json')}{`)
    expect(await closed).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('one that leaves is no error of ours', async () => {
    lines.length = 0
    const authorization = `authorization: Bearer ${user.token}\r\n`
    const { socket } = trickling(`${head('/assistants', 'application/json', authorization)}{"name":`)
    await Bun.sleep(50)
    socket.destroy()
    await until(() => written().some(({ path }) => path === '/assistants'))
    expect(written().map(({ level, status }) => ({ level, status }))).toEqual([{ level: 30, status: 499 }])
  })
})

describe('a Host header that is no host', () => {
  const body = '{"name":"Desk"}'
  const from = async (method: string, path: string, host: string, key = ''): Promise<string> => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let said = ''
    socket.on('data', (chunk) => {
      said += chunk.toString()
    })
    const length = method === 'POST' ? `content-type: application/json\r\ncontent-length: ${body.length}\r\n` : ''
    const authorization = `authorization: Bearer ${user.token}\r\nconnection: close\r\n`
    socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${authorization}${key}${length}\r\n`)
    if (method === 'POST') socket.write(body)
    await new Promise((resolve) => socket.once('close', resolve))
    return said
  }

  test.each(['a b', '[::1', 'x/../admin/users?', 'x:99999', ''])('%j is a request like any other', async (host) => {
    const made = await from('POST', '/agents', host, `idempotency-key: ${crypto.randomUUID()}\r\n`)
    expect(made).toMatch(/^HTTP\/1\.1 201 /)
    expect(made).toMatch(new RegExp(`\r\nLocation: ${server.url}/agents/[0-9a-f-]{36}\r\n`, 'i'))
    expect(await from('POST', '/trpc/agents.create', host)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await from('GET', '/trpc/agents.list?input=%7B%22q%22%3A%22Desk%22%7D', host)).toMatch(/"name":"Desk"/)
    expect(await from('GET', '/assistants?per_page=7', host)).toMatch(/"per_page":7/)
  })
})
