import { beforeAll, expect, test } from 'vitest'
import { version } from '../../package.json'
import { readTestDatabaseUrl } from '../../src/app/env.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { newDatabase } from '../support/database.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})

test('health says what runs here, without a token', async () => {
  const answer = await app.send('GET', '/health')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({
    status: 'ok',
    version,
    database: app.database.embedded ? 'embedded' : 'postgresql',
    voice_platform: 'embedded (simulated)',
  })
})

test('ready is 503 while migrations are pending or the database is away', async () => {
  const database = await newDatabase()
  const own = await testApp({ database })
  expect(await (await own.send('GET', '/health/ready')).json()).toEqual({ status: 'ready' })
  await database.sql`delete from drizzle.__drizzle_migrations`
  const pending = await own.send('GET', '/health/ready')
  expect([pending.status, await pending.json()]).toEqual([
    503,
    { status: 'unavailable', reason: 'migrations are pending' },
  ])
  await database.close()
  const away = await own.send('GET', '/health/ready')
  expect([away.status, await away.json()]).toEqual([
    503,
    { status: 'unavailable', reason: 'the database is out of reach' },
  ])
  const list = await own.send('GET', '/assistants', { token: 'vk_whatever' })
  expect([list.status, await list.json()]).toEqual([
    503,
    { message: 'The service is temporarily unavailable. Please try again.' },
  ])
})

test.skipIf(readTestDatabaseUrl())(
  'a database that takes no writes is not ready; reads go on, writes are told to wait',
  async () => {
    const database = await newDatabase()
    const own = await testApp({ database })
    const { token } = await newUser(database)
    await database.sql`set default_transaction_read_only = on`
    const ready = await own.send('GET', '/health/ready')
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'unavailable', reason: 'the database takes no writes' },
    ])
    expect((await own.send('GET', '/assistants', { token })).status).toBe(200)
    const write = await own.send('POST', '/agents', { token, body: { name: 'A' } })
    expect([write.status, write.headers.get('retry-after'), await write.json()]).toEqual([
      503,
      '2',
      {
        message: 'The service is temporarily unavailable. The change may have been made; read it before trying again.',
      },
    ])
    await database.close()
  },
)

test.each(['/health', '/health/ready', '/docs', '/openapi.json'])(
  '%s answers GET, HEAD and OPTIONS alone',
  async (path) => {
    expect((await app.send('HEAD', path)).status).toBe(200)
    expect((await app.send('OPTIONS', path)).status).toBe(204)
    const post = await app.send('POST', path)
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  },
)
