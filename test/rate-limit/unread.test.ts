import { expect, test } from 'vitest'
import { createUnread } from '../../src/api/rate-limit/unread.ts'
import type { Timers } from '../../src/runtime/timers.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { listening, until } from '../support/listening.ts'

/** Timers that run when they are told to. */
function handTimers() {
  const waiting = new Set<() => void>()
  const after: Timers['after'] = (_ms, run) => {
    waiting.add(run)
    return () => waiting.delete(run)
  }
  const fire = () => {
    for (const run of [...waiting]) run()
  }
  return { after, waiting, fire }
}

/** An app in which a workspace has room for two of the pages that its agents fill, and everybody for three. */
async function crowded(bounds = { total: 1_200_000, perKey: 800_000 }) {
  const timers = handTimers()
  const app = await testApp({ unread: createUnread(timers, bounds) })
  return { app, timers }
}

const agentsPage = '/agents?per_page=50'
const tooMany = { message: 'Too Many Attempts.' }

/** A user whose page of agents is about 380 kB. */
async function wordy(app: TestApp): Promise<TestUser> {
  const user = await newUser(app.database)
  for (let made = 0; made < 38; made++) {
    const body = { name: `Agent ${made}`, instructions: `${made} `.padEnd(10_000, 'x') }
    await app.send('POST', '/agents', { token: user.token, body })
  }
  return user
}

test('who asks and does not read is 429 until something was read, given up or its time is over; others are served', async () => {
  const { app, timers } = await crowded()
  const [user, other, third] = [await wordy(app), await wordy(app), await wordy(app)]
  const page = (by = user) => app.send('GET', agentsPage, { token: by.token })
  const open = [await page(), await page()]
  expect(open.map(({ status }) => status)).toEqual([200, 200])
  const refused = await page()
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([429, '5', tooMany])
  expect((await app.send('GET', '/user', { token: user.token })).status).toBe(200)
  const others = await page(other)
  expect([others.status, (await page(other)).status]).toEqual([200, 429])
  const thirds = await page(third)
  expect([thirds.status, (await page(third)).status]).toEqual([200, 429])
  await thirds.text()
  expect((await others.json()).data).toHaveLength(38)
  expect((await open[0]?.json())?.data).toHaveLength(38)
  const again = await page()
  expect([again.status, (await page()).status]).toEqual([200, 429])
  await again.body?.cancel()
  const late = await page()
  expect(late.status).toBe(200)
  timers.fire()
  await expect(late.text()).rejects.toBeNull()
  expect(timers.waiting.size).toBe(0)
  expect([(await page()).status, (await page()).status]).toEqual([200, 200])
})

test('what a write did is told however much waits, and nothing begins while there is no room left', async () => {
  const { app } = await crowded({ total: 1_200_000, perKey: 400_000 })
  const user = await newUser(app.database)
  const messages = ['x', 'y'].map((sign) => ({ role: 'system', content: sign.repeat(75_000) }))
  const create = () =>
    app.send('POST', '/assistants', { token: user.token, body: { name: 'Long', model: { messages } } })
  const made = [await create(), await create()]
  expect(made.map(({ status }) => status)).toEqual([201, 201])
  const refused = await create()
  expect([refused.status, await refused.json()]).toEqual([429, tooMany])
  const texts = await Promise.all(made.map((response) => response.text()))
  expect(Math.min(...texts.map(({ length }) => length))).toBeGreaterThan(200_000)
  const listed = await (await app.send('GET', '/assistants?lite=1', { token: user.token })).json()
  expect(listed.pagination.total).toBe(2)
})

test('what is asked for over tRPC counts as well, and a short response never does', async () => {
  const { app } = await crowded()
  const user = await wordy(app)
  const open = [1, 2].map(() => app.send('GET', agentsPage, { token: user.token }))
  await Promise.all(open)
  const input = encodeURIComponent(JSON.stringify({ per_page: 1 }))
  const short = await app.send('GET', `/trpc/agents.list?input=${input}`, { token: user.token })
  expect(short.status).toBe(200)
  const long = encodeURIComponent(JSON.stringify({ per_page: 50 }))
  const refused = await app.send('GET', `/trpc/agents.list?input=${long}`, { token: user.token })
  expect([refused.status, await refused.json()]).toEqual([429, tooMany])
})

test('a connection that ends gives back what it had not read', async () => {
  const { app, timers } = await crowded()
  const user = await wordy(app)
  const server = listening(app)
  try {
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${user.token}` }
    const asked = Array.from({ length: 2 }, () =>
      fetch(`${server.url}${agentsPage}`, { headers, signal: leaving.signal }).catch(() => undefined),
    )
    await Promise.all(asked)
    leaving.abort()
    await until(() => timers.waiting.size === 0)
    const whole = await fetch(`${server.url}${agentsPage}`, { headers })
    expect((await whole.json()).data).toHaveLength(38)
    await until(() => timers.waiting.size === 0)
  } finally {
    await server.stop()
  }
})
