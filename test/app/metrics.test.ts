import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createHistogram, prometheusText } from '../../src/runtime/metrics.ts'
import { newUser, type TestApp, type TestUser, testApp, testClock } from '../support/app.ts'
import { newDatabase } from '../support/database.ts'

let app: TestApp
let admin: TestUser
let user: TestUser

beforeAll(async () => {
  app = await testApp()
  admin = await newUser(app.database, { role: 'admin' })
  user = await newUser(app.database)
})

async function scrape(): Promise<string> {
  const response = await app.send('GET', '/metrics', { token: admin.token })
  expect(response.status).toBe(200)
  const headers = ['content-type', 'cache-control', 'x-content-type-options'].map((name) => response.headers.get(name))
  expect(headers).toEqual(['text/plain; version=0.0.4; charset=utf-8', 'private, no-store', 'nosniff'])
  return response.text()
}

const sampleIn = (text: string, sample: string) => {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}

test('requests are counted by operation and status, on every face', async () => {
  const count = 'switchboard_request_seconds_count{operation="assistants.list",status="200"}'
  const before = sampleIn(await scrape(), count) ?? 0
  await app.send('GET', '/assistants', { token: user.token })
  await app.send('GET', '/trpc/assistants.list', { token: user.token })
  await app.send('GET', '/assistants', { token: 'wrong' })
  const text = await scrape()
  expect(sampleIn(text, count)).toBe(before + 2)
  expect(sampleIn(text, 'switchboard_request_seconds_count{operation="assistants.list",status="401"}')).toBe(1)
})

test('what the database knows is told, and what is late', async () => {
  await app.database.db.execute(sql`
    insert into live_writes (id, kind, ref, action, owner, due_at, created_at)
    values (gen_random_uuid(), 'none', gen_random_uuid(), 'update', gen_random_uuid(), now() - interval '1 hour',
      now() - interval '2 hours')`)
  const text = await scrape()
  expect(sampleIn(text, 'switchboard_database_up')).toBe(1)
  expect(sampleIn(text, 'switchboard_live_writes')).toBeGreaterThanOrEqual(1)
  expect(sampleIn(text, 'switchboard_live_write_age_seconds')).toBeGreaterThan(7_000)
  expect(sampleIn(text, 'switchboard_work_lateness_seconds{kind="unfinished live writes"}')).toBeGreaterThan(3_500)
  for (const name of ['switchboard_holds', 'switchboard_webhooks_pending', 'switchboard_database_waiting']) {
    expect(sampleIn(text, name)).toBeGreaterThanOrEqual(0)
  }
  await app.database.db.execute(sql`delete from live_writes where kind = 'none'`)
})

test('it is for operators alone', async () => {
  expect((await app.send('GET', '/metrics')).status).toBe(401)
  expect((await app.send('GET', '/metrics', { token: user.token })).status).toBe(403)
  const scoped = async (scopes: string[]) => {
    const made = await app.send('POST', '/user/tokens', { token: admin.token, body: { name: 'metrics', scopes } })
    const { data } = await made.json()
    return (await app.send('GET', '/metrics', { token: data.token })).status
  }
  expect(await scoped(['phone_numbers:read'])).toBe(403)
  expect(await scoped(['read'])).toBe(200)
  expect(await scoped(['admin:read'])).toBe(200)
})

test('while the database is away, a token that was right before is told so for an hour', async () => {
  const clock = testClock()
  const database = await newDatabase()
  const away = await testApp({ database, clock })
  const [operator, late] = [await newUser(database, { role: 'admin' }), await newUser(database, { role: 'admin' })]
  const reader = await newUser(database)
  const scraped = (token: string) => away.send('GET', '/metrics', { token })
  const all = [operator.token, reader.token, 'wrong']
  expect(await Promise.all(all.map(async (token) => (await scraped(token)).status))).toEqual([200, 403, 401])
  await database.close()
  clock.advance(50 * 60_000)
  const response = await scraped(operator.token)
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(sampleIn(text, 'switchboard_database_up')).toBe(0)
  expect(sampleIn(text, 'switchboard_memory_bytes{kind="heap"}')).toBeGreaterThan(0)
  const others = [reader.token, 'wrong', late.token]
  expect(await Promise.all(others.map(async (token) => (await scraped(token)).status))).toEqual([403, 503, 503])
  expect((await away.send('GET', '/assistants', { token: operator.token })).status).toBe(503)
  clock.advance(11 * 60_000)
  expect((await scraped(operator.token)).status).toBe(503)
})

test('changes that may have been missed end no token that was right before, one that was heard of does', async () => {
  const database = await newDatabase()
  const away = await testApp({ database })
  const { token } = await newUser(database, { role: 'admin' })
  const status = async () => (await away.send('GET', '/metrics', { token })).status
  expect(await status()).toBe(200)
  await database.close()
  away.services.onBroadcast('accounts', undefined)
  expect(await status()).toBe(200)
  away.services.onBroadcast('accounts', 'all')
  expect(await status()).toBe(503)
})

test('it counts as a request', async () => {
  const limited = await testApp({ rateLimits: { perMinute: 1, turnsPerMinute: 0 } })
  const { token } = await newUser(limited.database, { role: 'admin' })
  const statuses = [1, 2].map(async () => (await limited.send('GET', '/metrics', { token })).status)
  expect((await Promise.all(statuses)).sort()).toEqual([200, 429])
})

test('a histogram adds up, and its labels are written as Prometheus reads them', () => {
  const histogram = createHistogram('seconds', 'How long.')
  histogram.observe({ what: 'a "b"\\c' }, 0.004)
  histogram.observe({ what: 'a "b"\\c' }, 0.3)
  histogram.observe({ what: 'a "b"\\c' }, 100)
  const lines = prometheusText([histogram.metric()]).split('\n')
  const label = 'what="a \\"b\\"\\\\c"'
  expect(lines.slice(0, 2)).toEqual(['# HELP seconds How long.', '# TYPE seconds histogram'])
  expect(lines).toContain(`seconds_bucket{${label},le="0.005"} 1`)
  expect(lines).toContain(`seconds_bucket{${label},le="0.25"} 1`)
  expect(lines).toContain(`seconds_bucket{${label},le="0.5"} 2`)
  expect(lines).toContain(`seconds_bucket{${label},le="60"} 2`)
  expect(lines).toContain(`seconds_bucket{${label},le="+Inf"} 3`)
  expect(lines).toContain(`seconds_count{${label}} 3`)
})

test('the dashboard and the alerts name only metrics that exist', async () => {
  const { db } = app.database
  await db.execute(sql`insert into backups (id, due_at, finished_at) values (1, now(), now())
    on conflict (id) do update set finished_at = now()`)
  const text = await scrape()
  await db.execute(sql`delete from backups`)
  for (const file of ['alerts.yaml', 'grafana.json']) {
    const asked = readFileSync(join(import.meta.dirname, '../../docs/monitoring', file), 'utf8')
    const names = new Set(asked.match(/switchboard_[a-z_]+/g))
    expect(names.size).toBeGreaterThan(5)
    for (const name of names) expect(text).toContain(`# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `)
  }
})
