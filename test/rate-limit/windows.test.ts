import { expect, test } from 'vitest'
import { inProcessLimiter } from '../../src/api/rate-limit/in-process.ts'
import { newUser, testApp, testClock } from '../support/app.ts'

/** Just before the minute of the clock ends. */
const late = () => testClock(new Date('2026-03-01T12:00:59.000Z'))

test('a window begins with the first request of its key, wherever the minute of the clock is', async () => {
  const clock = late()
  const app = await testApp({ clock, rateLimits: { perMinute: 5, turnsPerMinute: 0 } })
  const { token } = await newUser(app.database)
  const get = async () => {
    const { status, headers } = await app.send('GET', '/user', { token })
    return [status, headers.get('ratelimit-reset'), headers.get('retry-after')]
  }
  expect(await get()).toEqual([200, '60', null])
  clock.advance(2_000)
  for (let more = 0; more < 4; more++) expect(await get()).toEqual([200, '58', null])
  expect(await get()).toEqual([429, '58', '58'])
  clock.advance(57_999)
  expect(await get()).toEqual([429, '1', '1'])
  clock.advance(1)
  expect(await get()).toEqual([200, '60', null])
})

test('each key has a window of its own', async () => {
  const clock = late()
  const limiter = inProcessLimiter(clock)
  const left = async (key: string) => (await limiter.take([[key, 2]])).map(({ remaining, reset }) => [remaining, reset])
  expect(await left('a')).toEqual([[1, 60]])
  clock.advance(30_000)
  expect(await left('b')).toEqual([[1, 60]])
  clock.advance(30_000)
  expect(await left('a')).toEqual([[1, 60]])
  expect(await left('b')).toEqual([[0, 30]])
})
