import { describe, expect, test } from 'vitest'
import { redisLimiter } from '../../src/api/rate-limit/redis.ts'
import { hashToken } from '../../src/resources/tokens/secret.ts'
import { newTokenFor, newUser, testApp, testClock } from '../support/app.ts'
import { changeToken, changeUser, storedTokens } from '../support/rows/accounts.ts'

describe('tokens', () => {
  const setup = async () => {
    const clock = testClock()
    const app = await testApp({ clock })
    const user = await newUser(app.database)
    const status = async (token: string | undefined, headers = {}) =>
      (await app.send('GET', '/assistants', { token, headers })).status
    return { app, clock, user, status }
  }

  test('none, wrong ones and other schemes are 401 with the exact body', async () => {
    const { app, user } = await setup()
    const headers: Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: user.token },
      { authorization: `Basic ${user.token}` },
    ]
    const wrong = [
      { authorization: 'Bearer vk_wrong' },
      { authorization: `Bearer ${user.token}x` },
      { authorization: 'Bearer' },
    ]
    for (const given of [...headers, ...wrong]) {
      const answer = await app.send('GET', '/assistants', { headers: given })
      expect([answer.status, await answer.json()]).toEqual([401, { message: 'Unauthenticated.' }])
    }
  })

  test('the scheme is read in any case', async () => {
    const { user, status } = await setup()
    expect(await status(undefined, { authorization: `bearer ${user.token}` })).toBe(200)
  })

  test('an expired one is 401 to the millisecond, also when it is remembered', async () => {
    const { app, clock, user, status } = await setup()
    const token = await newTokenFor(app.database, user.userId, new Date(clock.now().getTime() + 1000))
    expect(await status(token)).toBe(200)
    clock.advance(999)
    expect(await status(token)).toBe(200)
    clock.advance(1)
    expect(await status(token)).toBe(401)
  })

  test('a change through this process acts at once, one elsewhere within seconds', async () => {
    const { app, clock, user, status } = await setup()
    expect(await status(user.token)).toBe(200)
    await changeUser(app.database, user.userId, { status: 'suspended' })
    clock.advance(5000)
    expect(await status(user.token)).toBe(401)

    await changeUser(app.database, user.userId, { status: 'active' })
    expect(await status(user.token)).toBe(200)
    await changeToken(app.database, hashToken(user.token), { revokedAt: clock.now() })
    app.services.invalidateAccounts()
    expect(await status(user.token)).toBe(401)
  })

  test('only a hash is stored, and the last use is kept', async () => {
    const { app, clock, user, status } = await setup()
    await status(user.token)
    const [row] = await storedTokens(app.database, user.userId)
    expect(JSON.stringify(row)).not.toContain(user.token)
    expect(row?.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(row?.lastUsedAt).toEqual(clock.now())
  })
})

describe('limits', () => {
  const limits = (headers: Headers) =>
    ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => headers.get(name))

  test('requests are counted per token and refused beyond the limit until the minute ends', async () => {
    const clock = testClock()
    const app = await testApp({ clock, rateLimits: { perMinute: 2, turnsPerMinute: 0 } })
    const [one, two] = [await newUser(app.database), await newUser(app.database)]
    const get = (token: string) => app.send('GET', '/assistants', { token })

    expect(limits((await get(one.token)).headers)).toEqual(['2', '1', '60'])
    clock.advance(20_000)
    expect(limits((await get(one.token)).headers)).toEqual(['2', '0', '40'])
    const refused = await get(one.token)
    expect([refused.status, await refused.json()]).toEqual([429, { message: 'Too Many Attempts.' }])
    expect(refused.headers.get('retry-after')).toBe('40')
    expect((await get(two.token)).status).toBe(200)
    clock.advance(40_000)
    expect((await get(one.token)).status).toBe(200)
  })

  test('both faces count, and a refused tRPC call carries the same body', async () => {
    const app = await testApp({ clock: testClock(), rateLimits: { perMinute: 1, turnsPerMinute: 0 } })
    const { token } = await newUser(app.database)
    expect((await app.send('GET', '/trpc/assistants.list?input={}', { token })).status).toBe(200)
    expect((await app.send('GET', '/assistants', { token })).status).toBe(429)
    const answer = await app.send('GET', '/trpc/assistants.list?input={}', { token })
    expect((await answer.json()).error.data).toMatchObject({ httpStatus: 429, body: { message: 'Too Many Attempts.' } })
  })

  test('answers without a token carry them too, and nothing is carried when the limit is off', async () => {
    const limited = await testApp({ rateLimits: { perMinute: 9, turnsPerMinute: 0 } })
    expect(limits((await limited.send('GET', '/assistants')).headers)).toEqual(['9', '9', '60'])
    expect(limits((await limited.send('GET', '/health')).headers)).toEqual(['9', '9', '60'])
    const free = await testApp()
    expect(limits((await free.send('GET', '/assistants')).headers)).toEqual([null, null, null])
  })

  test('without Redis each instance counts for itself, and says so once', async () => {
    const warnings: unknown[] = []
    const log = { ...(await testApp()).services.log, warn: (entry: unknown) => warnings.push(entry) }
    const limiter = redisLimiter('redis://127.0.0.1:1', testClock(), log as never)
    expect(await limiter.take([['a', 2]])).toMatchObject([{ remaining: 1, allowed: true }])
    expect(await limiter.take([['a', 2]])).toMatchObject([{ remaining: 0, allowed: true }])
    expect(await limiter.take([['a', 2]])).toMatchObject([{ remaining: 0, allowed: false }])
    limiter.close?.()
    expect(warnings).toHaveLength(1)
  })
})
