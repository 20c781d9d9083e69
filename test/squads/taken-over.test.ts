import { drizzle } from 'drizzle-orm/postgres-js'
import { expect, test } from 'vitest'
import { newUser, testApp } from '../support/app.ts'
import { onServer } from '../support/database.ts'
import { until } from '../support/listening.ts'

test.runIf(onServer())('a draft that another instance made meanwhile is the response to both', async () => {
  const stalled = await testApp()
  const { sql } = stalled.database
  const other = await testApp({ database: { ...stalled.database, db: drizzle(sql) } })
  const { token } = await newUser(stalled.database)
  const send = async (app: typeof stalled) => {
    const headers = { 'idempotency-key': 'one' }
    const response = await app.send('POST', '/squads', { token, headers, body: { name: 'Team', members: [] } })
    return { status: response.status, body: await response.json() }
  }
  const waiting = async (count: number) => {
    const [row] = await sql<{ all: number }[]>`select count(*)::int as all from pg_locks
      where relation = 'squads'::regclass and not granted`
    return row?.all === count
  }
  const lock = await sql.reserve()
  await lock`begin`
  await lock`lock table squads in share mode`
  const first = send(stalled)
  await until(() => waiting(1))
  await sql`delete from leases`
  const second = send(other)
  await until(() => waiting(2))
  await lock`commit`
  lock.release()
  const [one, two] = await Promise.all([first, second])
  expect([one.status, two.status]).toEqual([201, 201])
  expect(two.body.data.external_squad_id).toBe(one.body.data.external_squad_id)
})
