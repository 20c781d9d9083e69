import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { newDatabase } from '../support/database.ts'

let database: DatabaseHandle
let app: TestApp
let user: TestUser
const logged: { event: string; err?: { message: string } }[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) })

beforeAll(async () => {
  database = await newDatabase()
  app = await testApp({ database, log })
  user = await newUser(database)
})
afterAll(() => database.close())

/** Statements on a table fail with a code while work is done. */
async function failing<Result>(table: string, code: string, work: () => Promise<Result>): Promise<Result> {
  await database.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused by the database' using errcode = '${code}'; end $$;
    create trigger refuse before insert or update or delete on ${table} for each row execute function refuse()`)
  try {
    return await work()
  } finally {
    await database.sql.unsafe(`drop trigger refuse on ${table}; drop function refuse`)
  }
}

const send = async (method: string, path: string, body?: object) => {
  const response = await app.send(method, path, { token: user.token, body })
  return { status: response.status, body: await response.json() }
}
const statusOf = async (...request: Parameters<typeof send>) => (await send(...request)).status
const made = async (name: string): Promise<string> =>
  (await send('POST', '/assistants', { name })).body.data.assistant_id
const names = async () => (await send('GET', '/assistants')).body.data.map(({ name }: { name: string }) => name)

test.each([
  ['has no room', '53100'],
  ['goes away', '57P01'],
])('writes to the embedded platform whose database %s are 503, and the log says why', async (_what, code) => {
  const before = await names()
  const id = await made('Kept')
  logged.length = 0
  const statuses = await failing('platform_objects', code, async () => [
    await statusOf('POST', '/assistants', { name: 'Not made' }),
    await statusOf('PUT', `/assistants/${id}`, { name: 'Not changed' }),
    await statusOf('DELETE', `/assistants/${id}`),
    await statusOf('POST', '/assistants', { name: 'Not made' }),
  ])
  expect(statuses).toEqual([503, 503, 503, 503])
  const told = logged.filter(({ event }) => event === 'request_failed').map(({ err }) => err?.message)
  expect(told).toEqual(statuses.map(() => expect.stringContaining('refused by the database')))
  await expect.poll(() => statusOf('PUT', `/assistants/${id}`, { name: 'Changed' })).toBe(200)
  expect(await names()).toEqual(['Changed', ...before])
})

test('a test call that the database has no room for is 503', async () => {
  const id = await made('Caller')
  const call = () => statusOf('POST', `/assistants/${id}/test-calls`, { scenario: 'goodbye' })
  expect(await failing('platform_calls', '53100', call)).toBe(503)
  expect(await call()).toBe(201)
})
