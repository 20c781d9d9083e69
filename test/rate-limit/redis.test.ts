import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisLimiter } from '../../src/api/rate-limit/redis.ts'
import { newUser, testApp, testClock } from '../support/app.ts'
import { redisBinary, redisServer } from './redis-server.ts'

const silent = pino({ level: 'silent' })

// Without a redis-server binary on this machine these are shown as skipped.
describe.skipIf(redisBinary === null)('limits in Redis', () => {
  let redis: Awaited<ReturnType<typeof redisServer>>
  const open: { close?(): void }[] = []
  beforeAll(async () => {
    redis = await redisServer(redisBinary ?? '')
  })
  afterAll(async () => {
    for (const limiter of open) limiter.close?.()
    await redis.remove()
  })

  const limiterOf = (clock = testClock(), log = silent) => {
    const limiter = redisLimiter(redis.url, clock, log)
    open.push(limiter)
    return limiter
  }

  test('every request counts once, however many instances count at once', async () => {
    const [one, two] = [limiterOf(), limiterOf()]
    const key = randomUUID()
    const states = await Promise.all(
      Array.from({ length: 100 }, (_, at) => (at % 2 ? one : two).take([[key, 60]])),
    ).then((all) => all.flat())
    expect(states.map(({ remaining }) => remaining).sort((a, b) => b - a)).toEqual(
      Array.from({ length: 100 }, (_, at) => Math.max(0, 59 - at)),
    )
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(60)
    for (const { reset } of states) expect(reset).toSatisfy((seconds: number) => seconds > 0 && seconds <= 60)
  })

  test('a counter ends by itself', async () => {
    const key = randomUUID()
    await limiterOf().take([[key, 5]])
    const client = new Bun.RedisClient(redis.url)
    const left = Number(await client.send('PTTL', [`rate:${key}`]))
    client.close()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(60_000)
  })

  test('a request waits for Redis once, and what one limit refuses takes nothing from those after it', async () => {
    const client = new Bun.RedisClient(redis.url)
    const asked = async () =>
      Number(/cmdstat_eval:calls=(\d+)/.exec(String(await client.send('INFO', ['commandstats'])))?.[1] ?? 0)
    const limiter = limiterOf()
    const app = await testApp({ limiter, rateLimits: { perMinute: 100, turnsPerMinute: 10 } })
    const { token } = await newUser(app.database)
    const before = await asked()
    expect((await app.send('GET', '/user', { token })).status).toBe(200)
    expect((await asked()) - before).toBe(1)
    const [first, narrow, wide] = [randomUUID(), randomUUID(), randomUUID()]
    const limits = [
      [first, 5],
      [narrow, 1],
      [wide, 5],
    ] as const
    expect(await limiter.take(limits)).toMatchObject([{ remaining: 4 }, { remaining: 0 }, { remaining: 4 }])
    expect(await limiter.take(limits)).toMatchObject([{ remaining: 3 }, { allowed: false }])
    expect(await limiter.take([[wide, 5]])).toMatchObject([{ remaining: 3 }])
    client.close()
  })

  test('two instances of the application share what a token may do', async () => {
    const rateLimits = { perMinute: 3, turnsPerMinute: 0 }
    const one = await testApp({ limiter: limiterOf(), rateLimits })
    const two = await testApp({ limiter: limiterOf(), rateLimits })
    const { token } = await newUser(one.database)
    const answers = []
    for (const app of [one, two, one, two, one]) answers.push(await app.send('GET', '/user', { token }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429])
    expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0', '0'])
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('while Redis is away each instance counts for itself and says so, and goes back to it afterwards', async () => {
    const warnings: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) })
    const clock = testClock()
    const limiter = limiterOf(clock, log)
    const key = randomUUID()
    expect(await limiter.take([[key, 5]])).toMatchObject([{ remaining: 4 }])

    await redis.stop()
    for (const remaining of [4, 3, 2]) {
      expect(await limiter.take([[key, 5]])).toMatchObject([{ remaining, allowed: true }])
    }
    expect(warnings).toEqual(['redis is away: counting in process'])

    await redis.start()
    const another = limiterOf(clock)
    const shared = async () => {
      // Who connects slowly counts for itself until it tries again.
      clock.advance(5_000)
      const either = randomUUID()
      const states = [...(await limiter.take([[either, 5]])), ...(await another.take([[either, 5]]))]
      return states.map(({ remaining }) => remaining)
    }
    await expect.poll(shared).toEqual([4, 3])
  })
})
