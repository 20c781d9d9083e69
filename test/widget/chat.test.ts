import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp, testClock } from '../support/app.ts'
import { listening } from '../support/listening.ts'
import { newWidget, prompt, type WidgetRig } from './rig.ts'

let app: TestApp
let widget: WidgetRig
let key: string
beforeAll(async () => {
  app = await testApp()
  widget = await newWidget(app)
  key = await widget.key()
})

const say = async (publicKey: string, body: unknown, headers: Record<string, string> = {}, to: TestApp = app) => {
  const answer = await to.send('POST', `/widget/${publicKey}/chat`, { body, headers })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

const preflight = (publicKey: string, origin: string) =>
  app.send('OPTIONS', `/widget/${publicKey}/chat`, {
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  })

const chats = () => app.platform.requests.filter(({ path }) => path === '/chat')

describe('under an Idempotency-Key', () => {
  const headers = (more: object = {}) => ({ 'idempotency-key': '8f14e45f-ceea-467f-a6d1-000000000001', ...more })

  test('a message that is sent again gets the first reply, and is answered and kept once', async () => {
    const own = await newWidget(app)
    const ownKey = await own.key()
    const before = chats().length
    const sent = { message: 'What does your rye bread cost?' }
    const first = await say(ownKey, sent, headers())
    for (let again = 0; again < 3; again++) {
      const { status, body, headers: given } = await say(ownKey, sent, headers())
      expect([status, body, given.get('idempotency-replayed')]).toEqual([200, first.body, 'true'])
    }
    expect(chats()).toHaveLength(before + 1)
    const { token } = own.user
    const list = await (await app.send('GET', `/assistants/${own.assistantId}/conversations`, { token })).json()
    expect(list.data).toHaveLength(1)
    for (const more of [headers(), headers({ 'idempotency-key': 'k'.repeat(256) })]) {
      expect((await say(ownKey, { message: 'And cake?' }, more)).status).toBe(422)
    }
  })

  test('is, before there is a session, the key of one address, and of one widget', async () => {
    const visit = crypto.randomUUID()
    const trusting = await testApp({ database: app.database, trustedProxies: ['127.0.0.1', '::1'] })
    const server = listening(trusting)
    const from = async (address: string, at = key) => {
      const sent = { 'content-type': 'application/json', 'idempotency-key': visit, 'x-forwarded-for': address }
      const body = JSON.stringify({ message: 'Hello' })
      const response = await fetch(`${server.url}/widget/${at}/chat`, { method: 'POST', headers: sent, body })
      return { replayed: response.headers.get('idempotency-replayed'), ...(await response.json()) }
    }
    const first = await from('198.51.100.7')
    const other = await from('198.51.100.8')
    expect([first.replayed, other.replayed]).toEqual([null, null])
    expect(other.session_id).not.toBe(first.session_id)
    expect(await from('198.51.100.7')).toEqual({ ...first, replayed: 'true' })
    const elsewhere = await from('198.51.100.7', await (await newWidget(trusting)).key())
    expect(elsewhere.replayed).toBeNull()
    await server.stop()
  })

  test('that all visitors of a page send gives none the reply or the conversation of another', async () => {
    const constant = headers({ 'idempotency-key': 'first-message' })
    const visitors = [await say(key, { message: 'Hello' }, constant), await say(key, { message: 'Hello' }, constant)]
    const [one, other] = visitors.map(({ body }) => body.session_id)
    expect(one).not.toBe(other)
    const next = (session: string) => say(key, { message: 'And cake?', session_id: session }, constant)
    const [mine, theirs] = [await next(one), await next(other)]
    expect([mine.status, theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([200, 200, null])
    const again = await next(one)
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([mine.body, 'true'])
    const unknown = { message: 'Hello', session_id: 'of nobody' }
    const guests = [await say(key, unknown, constant), await say(key, unknown, constant)]
    expect(guests.map(({ headers: given }) => given.get('idempotency-replayed'))).toEqual([null, null])
  })

  test('what was kept passes the rules of the widget again', async () => {
    const own = await newWidget(app, { allowed_origins: ['https://shop.example'] })
    const ownKey = await own.key()
    const from = (origin: string) => say(ownKey, { message: 'Hello' }, headers({ origin }))
    expect((await from('https://shop.example')).status).toBe(200)
    const again = await from('https://shop.example')
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    const elsewhere = await from('https://other.example')
    expect([elsewhere.status, elsewhere.headers.get('access-control-allow-origin')]).toEqual([403, null])
    await own.configure({ enabled: false })
    expect((await from('https://shop.example')).status).toBe(403)
  })
})

describe('a conversation', () => {
  test("is answered from the assistant's prompt, without a token", async () => {
    const answer = await say(key, { message: 'What does your rye bread cost?' })
    expect([answer.status, answer.body]).toEqual([
      200,
      { session_id: expect.any(String), reply: 'Our rye bread costs four euros.' },
    ])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(chats().at(-1)?.body).toEqual({ assistantId: expect.any(String), input: 'What does your rye bread cost?' })
  })

  test('goes on with its session, which holds what was said, greeting and prompt first', async () => {
    const heard: unknown[] = []
    const own = await testApp({ database: app.database }, { converse: async (messages) => `${heard.push(messages)}` })
    const { body: first } = await say(key, { message: 'Hello' }, {}, own)
    const { body: second } = await say(key, { message: 'Again', session_id: first.session_id }, {}, own)
    expect([first.reply, second.reply]).toEqual(['1', '2'])
    expect(second.session_id).toBe(first.session_id)
    expect(heard[1]).toEqual([
      { role: 'system', content: prompt },
      { role: 'assistant', content: 'Good morning from the bakery!' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: '1' },
      { role: 'user', content: 'Again' },
    ])
  })

  test('takes messages of one session one after the other', async () => {
    const heard: number[] = []
    const own = await testApp(
      { database: app.database },
      {
        converse: async (messages) => {
          heard.push(messages.length)
          await Bun.sleep(5)
          return 'Yes.'
        },
      },
    )
    const { body } = await say(key, { message: 'Hello' }, {}, own)
    const { session_id } = body
    await Promise.all(['a', 'b', 'c'].map((message) => say(key, { message, session_id }, {}, own)))
    expect(heard).toEqual([3, 5, 7, 9])
  })

  test('is a new one for a session that is not its own', async () => {
    const other = await newWidget(app)
    const { body: theirs } = await say(await other.key(), { message: 'Hello' })
    for (const session_id of [
      theirs.session_id,
      `${theirs.session_id}x`,
      '',
      null,
      'x'.repeat(5000),
      crypto.randomUUID(),
    ]) {
      const answer = await say(key, { message: 'Hello there', session_id })
      expect(answer.status).toBe(200)
      expect(chats().at(-1)?.body).toEqual({ assistantId: expect.any(String), input: 'Hello there' })
    }
  })

  test('is a new one when the platform has forgotten the session', async () => {
    const { body } = await say(key, { message: 'Hello' })
    app.platform.faults.add({ path: /^\/chat$/, mode: 'status', status: 404, body: { message: 'gone' } })
    const answer = await say(key, { message: 'Hello again', session_id: body.session_id })
    expect(answer.status).toBe(200)
    expect(chats().slice(-2)).toMatchObject([
      { body: { sessionId: expect.any(String) } },
      { body: { assistantId: expect.any(String), input: 'Hello again' } },
    ])
  })

  test('is remembered by the last chat on a platform that makes no session', async () => {
    const chat = {
      id: 'chat-1',
      output: [
        { role: 'assistant', content: 'One' },
        { role: 'tool', content: 'x' },
      ],
    }
    app.platform.faults.add({ path: /^\/chat$/, mode: 'status', status: 201, body: chat, times: 2 })
    const first = await say(key, { message: 'Hello' })
    expect(first.body.reply).toBe('One')
    await say(key, { message: 'Again', session_id: first.body.session_id })
    expect(chats().at(-1)?.body).toMatchObject({ input: 'Again', previousChatId: 'chat-1' })
  })
})

describe('refused', () => {
  const notFound = { success: false, message: 'No website widget has this key.' }
  test.each(['pk_unknown', `pk_${'0'.repeat(32)}`, `PK_${'0'.repeat(32)}`])('the key %s', async (unknown) => {
    const answer = await say(unknown, { message: 'Hello' })
    expect([answer.status, answer.body]).toEqual([404, notFound])
  })

  test.each([
    [{}, 'The message field is required.'],
    [{ message: ' \n' }, 'The message field is required.'],
    [{ message: 1 }, 'The message field must be a string.'],
    [{ message: 'x'.repeat(4001) }, 'The message field must have at most 4000 characters.'],
    [{ message: 'a', session_id: 5 }, 'The session_id field must be a string.'],
  ])('%j', async (body, message) => {
    const answer = await say(key, body)
    expect([answer.status, answer.body.success, answer.body.message]).toEqual([422, false, message])
  })

  test('nothing of 4000 characters that are more in UTF-16', async () => {
    expect((await say(key, { message: '🍞'.repeat(4000) })).status).toBe(200)
  })

  test('a body that is too large, of another type, or no JSON', async () => {
    expect((await say(key, { message: 'x'.repeat(1024 * 1024) })).status).toBe(413)
    expect((await say(key, 'message=x', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
    expect((await say(key, '{', { 'content-type': 'application/json' })).status).toBe(400)
  })

  test('everything while the widget is switched off', async () => {
    const own = await newWidget(app, { enabled: false })
    const answer = await say(await own.key(), { message: 'Hello' })
    expect([answer.status, answer.body]).toEqual([
      403,
      { success: false, message: 'This website widget is switched off.' },
    ])
    await own.configure({ enabled: true })
    expect((await say(await own.key(), { message: 'Hello' })).status).toBe(200)
  })

  test('the old key at once after it was replaced, and sessions of it', async () => {
    const own = await newWidget(app)
    const old = await own.key()
    const { body } = await say(old, { message: 'Hello' })
    await own.rotate()
    const gone = await say(old, { message: 'Hello', session_id: body.session_id })
    expect([gone.status, gone.body]).toEqual([404, notFound])
    expect((await say(await own.key(), { message: 'Hello', session_id: body.session_id })).status).toBe(200)
    expect(chats().at(-1)?.body).not.toHaveProperty('sessionId')
  })
})

describe('with allowed origins', () => {
  const shop = 'https://shop.example.com'
  let listed: string
  beforeAll(async () => {
    listed = await (await newWidget(app, { allowed_origins: [shop, 'http://localhost:5173'] })).key()
  })

  test.each([shop, 'http://localhost:5173', 'https://SHOP.example.com'])('%s is answered', async (origin) => {
    const answer = await say(listed, { message: 'Hello' }, { origin })
    const allowed = await preflight(listed, origin)
    expect([answer.status, allowed.status]).toEqual([200, 204])
    for (const { headers } of [answer, allowed]) {
      expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([origin, 'Origin'])
    }
    expect(allowed.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('Content-Type')
  })

  test.each([
    'https://evil.example',
    'http://shop.example.com',
    'https://shop.example.com:8443',
    'https://shop.example.com.evil.example',
    'null',
    undefined,
  ])('%s is refused', async (origin) => {
    const before = chats().length
    const answer = await say(listed, { message: 'Hello' }, origin === undefined ? {} : { origin })
    expect([answer.status, answer.body]).toEqual([
      403,
      { success: false, message: 'This website may not use this widget.' },
    ])
    const asked = await preflight(listed, origin ?? '')
    expect(asked.status).toBe(403)
    for (const { headers } of [answer, asked]) {
      expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([null, 'Origin'])
    }
    expect(chats()).toHaveLength(before)
  })

  test('tRPC refuses the same', async () => {
    const input = { public_key: listed, message: 'Hello' }
    const refused = await app.send('POST', '/trpc/widget.chat', {
      body: input,
      headers: { origin: 'https://evil.example' },
    })
    const answered = await app.send('POST', '/trpc/widget.chat', { body: input, headers: { origin: shop } })
    expect([refused.status, answered.status]).toEqual([403, 200])
  })

  test.each([
    ['an object that is no text', '{"toString":1,"valueOf":2}', 404],
    ['a list', '["pk_x"]', 404],
    ['nothing', 'null', 404],
    ['a list in 20,000 lists', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 422],
  ])('tRPC takes %s for no key', async (_name, publicKey, status) => {
    const body = `{"message":"Hello","public_key":${publicKey}}`
    const headers = { 'content-type': 'application/json' }
    const refused = await app.send('POST', '/trpc/widget.chat', { body, headers })
    const message =
      status === 404 ? 'No website widget has this key.' : expect.stringMatching(/ is nested too deeply\.$/)
    expect([refused.status, (await refused.json()).error.data.body]).toMatchObject([
      status,
      { success: false, message },
    ])
  })

  test('without a list, any page may ask', async () => {
    const open = await preflight(key, 'https://anywhere.example')
    expect([open.status, open.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  })
})

test.each([
  { mode: 'status', status: 500 },
  { mode: 'status', status: 400, body: { message: 'no' } },
  { mode: 'status', status: 201, body: { id: 'x', output: [] } },
  { mode: 'drop_after' },
  { mode: 'not_json' },
] as const)('a platform that fails (%j) is a clear 502', async (fault) => {
  const own = await testApp({ database: app.database })
  own.platform.faults.add({ path: /^\/chat$/, ...fault })
  const answer = await say(key, { message: 'Hello' }, {}, own)
  expect([answer.status, answer.body]).toEqual([
    502,
    { success: false, message: 'The assistant could not answer. Please try again.' },
  ])
  expect(own.platform.requests.filter(({ path }) => path === '/chat')).toHaveLength(1)
})

test('visitors are counted by key and address, over REST and tRPC alike', async () => {
  const limited = await testApp({
    database: app.database,
    clock: testClock(),
    rateLimits: { perMinute: 0, turnsPerMinute: 3 },
  })
  const first = await say(key, { message: 'Hello' }, {}, limited)
  expect(['limit', 'remaining', 'reset'].map((name) => first.headers.get(`ratelimit-${name}`))).toEqual([
    '3',
    '2',
    '60',
  ])
  await limited.send('POST', '/trpc/widget.chat', { body: { public_key: key, message: 'Hello' } })
  expect((await say(key, { message: ' ' }, {}, limited)).status).toBe(422)
  const refused = await say(key, { message: 'Hello' }, {}, limited)
  expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
    429,
    { message: 'Too Many Attempts.' },
    '60',
  ])
  const other = await newWidget(app)
  expect((await say(await other.key(), { message: 'Hello' }, {}, limited)).status).toBe(200)
})
