import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createReplica } from '../../src/db/replica.ts'
import { systemTimers } from '../../src/runtime/timers.ts'
import { type Cluster, postgresBinaries, startCluster, startStandby } from '../../torture/outside/postgres.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'

describe.skipIf((await postgresBinaries()) === undefined)('a standby of the database', () => {
  let primary: Cluster
  let follower: Cluster
  let database: DatabaseHandle
  let standby: DatabaseHandle
  const deadlines = { statementMs: 5_000, lockMs: 5_000, connectionMs: 2_000 }

  beforeAll(async () => {
    primary = await startCluster(['wal_level=replica', 'max_wal_senders=4'])
    database = await openDatabase({ url: primary.url('postgres') })
    await migrate(database)
    follower = await startStandby(primary)
    standby = await openDatabase({ url: follower.url('postgres'), deadlines })
  }, 60_000)
  afterAll(async () => {
    await Promise.all([database.close(), standby.close()])
    await follower.stop()
    await primary.stop()
  })

  const namesOf = async (app: TestApp, { token }: TestUser, query = 'per_page=100') => {
    const response = await app.send('GET', `/assistants?sort_by=created_at&sort_order=asc&${query}`, { token })
    const { data, pagination } = (await response.json()) as { data: { name: string }[]; pagination: { total: number } }
    expect(pagination.total).toBe(data.length)
    return data.map(({ name }) => name)
  }

  const readsOf = ({ services }: TestApp) => ({ ...services.replica?.reads })

  /** Writes over one instance and reads what was written over another, again and again. */
  async function writeAndRead(reader: TestApp, times: number) {
    const writer = await testApp({ database })
    const user = await newUser(database)
    const written: string[] = []
    for (let time = 0; time < times; time += 1) {
      const name = `Desk ${time}`
      const response = await writer.send('POST', '/assistants', { token: user.token, body: { name } })
      expect(response.status).toBe(201)
      written.push(name)
      expect(await namesOf(reader, user)).toEqual(written)
    }
    const found = await namesOf(reader, user, 'per_page=100&search=desk')
    expect(found).toEqual(written)
    return user
  }

  test('gives the lists, with everything that was written before, by whichever instance', async () => {
    const reader = await testApp({ database, standby })
    const user = await writeAndRead(reader, 25)
    const { replica: onReplica = 0, primary: own = 0 } = readsOf(reader)
    expect(onReplica + own).toBe(26)
    // On a busy machine the standby may be late each time: it is asked again once it has caught up.
    const caughtUp = async () => {
      await namesOf(reader, user)
      return readsOf(reader).replica
    }
    await expect.poll(caughtUp, { timeout: 30_000 }).toBeGreaterThan(0)
    const { replica } = readsOf(reader)
    const admin = await newUser(database, { role: 'admin' })
    const figures = await (await reader.send('GET', '/metrics', { token: admin.token })).text()
    expect(figures).toContain(`switchboard_replica_reads_total{on="replica"} ${replica}`)
    // What is no list is not read there: a record has its tag compared.
    const [first] = (
      (await (await reader.send('GET', '/assistants', { token: user.token })).json()) as {
        data: { voice_assistant_id: string }[]
      }
    ).data
    const before = readsOf(reader)
    await reader.send('GET', `/assistants/${first?.voice_assistant_id}`, { token: user.token })
    expect(readsOf(reader)).toEqual(before)
  })

  test('is not asked while it is behind, and again once it has caught up', async () => {
    const reader = await testApp({ database, standby, timers: { ...systemTimers, now: () => now } })
    let now = 0
    await follower.query('postgres', 'select pg_wal_replay_pause()')
    const user = await writeAndRead(reader, 3)
    expect(readsOf(reader)).toEqual({ replica: 0, primary: 4 })
    await follower.query('postgres', 'select pg_wal_replay_resume()')
    await expect
      .poll(
        async () => {
          now += 2_000
          await namesOf(reader, user)
          return readsOf(reader).replica
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(0)
  })

  test('that went away costs no list', async () => {
    const gone = await startStandby(primary)
    const handle = await openDatabase({ url: gone.url('postgres'), deadlines })
    const reader = await testApp({ database, standby: handle })
    await writeAndRead(reader, 2)
    await gone.stop()
    const { replica } = readsOf(reader)
    await writeAndRead(reader, 3)
    expect(readsOf(reader).replica).toBe(replica)
    await handle.close()
  })

  test('that is none is not asked', async () => {
    const reader = await testApp({ database, standby: database })
    await writeAndRead(reader, 1)
    expect(readsOf(reader)).toEqual({ replica: 0, primary: 2 })
  })

  test.each([
    ['a query that is in the way of what it replays', '40001', 'primary'],
    ['a deadlock with what it replays', '40P01', 'primary'],
    ['a write', '25006', 'primary'],
    ['a stop', '57P01', 'primary'],
    ['what is wrong with the read itself', '22012', 'error'],
  ])('that ends %s leaves the read to the database', async (_what, code, outcome) => {
    const timers = { ...systemTimers, sleep: () => Promise.resolve() }
    const replica = createReplica(database.db, standby, timers, pino({ level: 'silent' }))
    let asked = false
    let found: string | undefined
    const read = (db: DatabaseHandle['db']) => {
      if (db !== standby.db) return Promise.resolve('primary')
      asked = true
      return Promise.reject(Object.assign(new Error('ended'), { code }))
    }
    // Where it is late it is not asked, for a second.
    const isAsked = async () => {
      found = await replica.read(read).catch(() => 'error')
      return asked
    }
    await expect.poll(isAsked, { timeout: 30_000 }).toBe(true)
    expect(found).toBe(outcome)
  })
})
