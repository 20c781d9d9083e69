import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientAddress } from '../../src/api/http/client-address.ts'
import { allowedPlaces } from '../../src/outgoing/places.ts'
import { newTokenFor, newUser, type TestApp, testApp, testClock } from '../support/app.ts'
import { listening } from '../support/listening.ts'
import { newWidget } from '../widget/rig.ts'

describe('the address of a client', () => {
  const proxies = allowedPlaces(['10.0.0.0/8', '2001:db8::5', '127.0.0.1'])
  test.each([
    ['203.0.113.9', null, '203.0.113.9'],
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['2001:db8::5', '198.51.100.1', '198.51.100.1'],
    ['2001:db8::6', '198.51.100.1', '2001:db8::'],
    ['::1', '198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '1.1.1.1, 198.51.100.1, 10.2.2.2', '198.51.100.1'],
    ['10.0.0.1', '10.1.1.1,10.2.2.2', '10.1.1.1'],
    ['10.0.0.1', 'nonsense, 10.2.2.2', '10.2.2.2'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['10.0.0.1', '[2001:db8:7::1]:443', '2001:db8:7::'],
    ['2001:db8:1:2:3:4:5:6', null, '2001:db8:1:2::'],
    ['::ffff:203.0.113.9', null, '203.0.113.9'],
    ['127.3.2.1', null, '127.0.0.1'],
    ['::ffff:127.0.0.1', null, '127.0.0.1'],
    ['unknown', null, 'unknown'],
  ])('%s with %s is %s', (peer, forwarded, expected) => {
    expect(clientAddress(proxies, peer, forwarded)).toBe(expected)
  })

  test('a chain that is far too long is read from its end alone', () => {
    const chain = `198.51.100.1${',10.0.0.1'.repeat(50)}`
    expect(clientAddress(proxies, '10.0.0.1', chain)).toBe('10.0.0.1')
  })
})

describe('behind a proxy', () => {
  let server: ReturnType<typeof listening>
  let app: TestApp
  beforeAll(async () => {
    const rateLimits = { turnsPerMinute: 2 }
    app = await testApp({ clock: testClock(), rateLimits, trustedProxies: ['127.0.0.1'] })
    server = listening(app)
  })
  afterAll(() => server.stop())

  test('each visitor has a limit, and nobody gets another one by writing an address', async () => {
    const key = await (await newWidget(app)).key()
    const say = async (forwarded: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': forwarded }
      const body = JSON.stringify({ message: 'Hello' })
      return (await fetch(`${server.url}/widget/${key}/chat`, { method: 'POST', headers, body })).status
    }
    const one = '198.51.100.1'
    expect([await say(one), await say(`1.2.3.4, ${one}`), await say(`5.6.7.8, ${one}`)]).toEqual([200, 200, 429])
    expect(await say('198.51.100.2')).toBe(200)
  })
})

describe('wrong tokens', () => {
  const setup = async (perMinute = 3) => {
    const clock = testClock()
    const app = await testApp({ clock, rateLimits: { wrongTokensPerMinute: perMinute } })
    const user = await newUser(app.database)
    const get = async (token: string) => {
      const answer = await app.send('GET', '/user', { token })
      return [answer.status, answer.headers.get('retry-after')]
    }
    return { app, clock, user, get }
  }

  test('are limited for each address, until the minute ends', async () => {
    const { clock, get } = await setup()
    for (let at = 0; at < 3; at++) expect(await get(`vk_wrong${at}`)).toEqual([401, null])
    clock.advance(20_000)
    expect([await get('vk_wrong'), await get('vk_other')]).toEqual([
      [429, '40'],
      [429, '40'],
    ])
    clock.advance(40_000)
    expect(await get('vk_wrong')).toEqual([401, null])
  })

  test('do not keep those out who are known, while a token that is new waits', async () => {
    const { app, clock, user, get } = await setup()
    expect(await get(user.token)).toEqual([200, null])
    const fresh = await newTokenFor(app.database, user.userId)
    for (let at = 0; at < 4; at++) await get(`vk_wrong${at}`)
    clock.advance(10_000)
    expect([await get(user.token), await get(fresh)]).toEqual([
      [200, null],
      [429, '50'],
    ])
    clock.advance(50_000)
    expect(await get(fresh)).toEqual([200, null])
  })

  test('count once for a batch of calls', async () => {
    const { app } = await setup(1)
    const calls = Array.from({ length: 5 }, () => 'assistants.list').join(',')
    const answer = await app.send('GET', `/trpc/${calls}?batch=1&input={}`, { token: 'vk_wrong' })
    const statuses = (await answer.json()).map(
      ({ error }: { error: { data: { httpStatus: number } } }) => error.data.httpStatus,
    )
    expect(statuses).toEqual([401, 401, 401, 401, 401])
  })

  test('and none at all are not counted', async () => {
    const { app, user, get } = await setup(1)
    for (let at = 0; at < 3; at++) expect((await app.send('GET', '/user')).status).toBe(401)
    expect(await get(user.token)).toEqual([200, null])
  })
})

describe('limits that tokens share', () => {
  test("a user's tokens have twice what one has, and a workspace's users ten times", async () => {
    const app = await testApp({ clock: testClock(), rateLimits: { perMinute: 2 } })
    const { userId, workspaceId, resellerId } = await newUser(app.database)
    const statuses = async (token: string, times: number) => {
      const all: number[] = []
      for (let at = 0; at < times; at++) all.push((await app.send('GET', '/user', { token })).status)
      return all
    }
    const tokens = [1, 2, 3].map(() => newTokenFor(app.database, userId))
    const [one, two, three] = await Promise.all(tokens)
    if (!one || !two || !three) throw new Error('no tokens')
    expect([await statuses(one, 3), await statuses(two, 2), await statuses(three, 1)]).toEqual([
      [200, 200, 429],
      [200, 200],
      [429],
    ])
    // What one token was refused took nothing from the workspace: 16 of its 20 are left, and four users take them.
    const members = await Promise.all(
      Array.from({ length: 9 }, () => newUser(app.database, { workspaceId, resellerId })),
    )
    const answers: number[] = []
    for (const { token } of members) answers.push(...(await statuses(token, 2)))
    expect(answers.filter((status) => status === 200)).toHaveLength(16)
  })

  test('generating requests are shared in the same way', async () => {
    const app = await testApp({ clock: testClock(), remember: false, rateLimits: { turnsPerMinute: 1 } })
    const user = await newUser(app.database)
    const tokens = [user.token, ...(await Promise.all([1, 2].map(() => newTokenFor(app.database, user.userId))))]
    await app.send('POST', '/agents', { token: user.token, body: { name: 'Desk' } })
    const body = { messages: [{ role: 'user', content: 'Hello' }] }
    const statuses: number[] = []
    for (const token of tokens) statuses.push((await app.send('POST', '/chat/completions', { token, body })).status)
    expect(statuses).toEqual([200, 200, 429])
  })
})

describe("a website's widget", () => {
  test('has a limit as a whole, which a visitor who is refused does not use up', async () => {
    const rateLimits = { turnsPerMinute: 2, widgetPerMinute: 5 }
    const app = await testApp({ clock: testClock(), rateLimits, trustedProxies: ['127.0.0.1'] })
    const server = listening(app)
    const key = await (await newWidget(app)).key()
    const say = async (visitor: number) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${visitor}` }
      const body = JSON.stringify({ message: 'Hello' })
      return (await fetch(`${server.url}/widget/${key}/chat`, { method: 'POST', headers, body })).status
    }
    const statuses: number[] = []
    for (const visitor of [1, 1, 1, 1, 2, 2, 3, 3]) statuses.push(await say(visitor))
    await server.stop()
    expect(statuses).toEqual([200, 200, 429, 429, 200, 200, 200, 429])
  })

  test('an address that tries one key after the other is limited as a token is', async () => {
    const app = await testApp({ clock: testClock(), rateLimits: { perMinute: 2, turnsPerMinute: 9 } })
    const statuses: number[] = []
    for (const sign of 'abc') {
      const path = `/widget/pk_${sign.repeat(32)}/chat`
      statuses.push((await app.send('POST', path, { body: { message: 'Hello' } })).status)
    }
    expect(statuses).toEqual([404, 404, 429])
  })
})
