import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atOnce } from '../../src/db/at-once.ts'
import { type DatabaseHandle, type Executor, openDatabase } from '../../src/db/client.ts'
import { isUnreachable } from '../../src/db/unreachable.ts'
import { type Cluster, postgresBinaries, startCluster } from '../../torture/outside/postgres.ts'
import { pgbouncerProgram, startPgbouncer } from '../support/pgbouncer.ts'
import { serverProcesses } from '../support/server-process.ts'

/** Long enough never to be reached in a test that is about another one. */
const never = 600_000

describe.skipIf((await postgresBinaries()) === undefined)('a PostgreSQL server that takes long', () => {
  let cluster: Cluster
  const servers = serverProcesses()
  const handles: DatabaseHandle[] = []

  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(async () => {
    await servers.stop()
    for (const handle of handles) await handle.close()
    await cluster.stop()
  })

  async function open(deadlines: Partial<Record<'statementMs' | 'lockMs' | 'connectionMs', number>>, max = 2) {
    const all = { statementMs: never, lockMs: never, connectionMs: never, ...deadlines }
    const handle = await openDatabase({ url: cluster.url('postgres'), max, deadlines: all })
    handles.push(handle)
    return handle
  }

  const codeOf = (work: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(work).then(
      () => 'none',
      (error) => (isUnreachable(error) ? error.code : `not out of reach: ${error}`),
    )

  test('a statement ends after its time, and its connection serves on', async () => {
    const { sql } = await open({ statementMs: 100 }, 1)
    expect(await codeOf(sql`select pg_sleep(600)`)).toBe('57014')
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  })

  test('each of the statements that are sent at once has this time, and their connection serves on', async () => {
    const { db, sql } = await open({ statementMs: 300 }, 1)
    const sleep = (executor: Executor, seconds: number) => executor.execute(`select pg_sleep(${seconds})`)
    await atOnce(db, (executor) => [sleep(executor, 0.2), sleep(executor, 0.2), sleep(executor, 0.2)])
    expect(
      await codeOf(
        atOnce(db, (e) => [sleep(e, 0), sleep(e, 600), sleep(e, 0)]).catch(({ cause }) => Promise.reject(cause)),
      ),
    ).toBe('57014')
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  })

  test('a lock is waited for as long as it may be', async () => {
    const { sql } = await open({ lockMs: 100 }, 2)
    await sql`create table locked (id int)`
    await sql.begin(async (tx) => {
      await tx`lock table locked in access exclusive mode`
      expect(await codeOf(sql`select * from locked`)).toBe('55P03')
    })
    expect(await sql`select * from locked`).toEqual([])
  })

  test('statements do not wait behind another one that waits for a lock', async () => {
    const { sql } = await open({}, 3)
    await sql`create table held (id int)`
    let waited: Promise<unknown> | undefined
    await sql.begin(async (tx) => {
      await tx`lock table held in access exclusive mode`
      waited = sql`select * from held`.then((rows) => [...rows])
      for (let count = 0; count < 20; count++) {
        expect(await Promise.all([sql`select 1 as one`, sql`select 2 as two`])).toEqual([[{ one: 1 }], [{ two: 2 }]])
      }
    })
    expect(await waited).toEqual([])
  })

  test('a connection is waited for as long as it may be', async () => {
    const { sql } = await open({ connectionMs: 100 }, 1)
    const held = sql.begin(async (tx) => {
      expect(await codeOf(sql`select 1`)).toBe('POOL_TIMEOUT')
      return tx`select 2 as two`
    })
    expect(await held).toEqual([{ two: 2 }])
    expect(await sql`select 3 as three`).toEqual([{ three: 3 }])
  })

  test('work apart has no limit of statements, and its own of locks', async () => {
    const handle = await open({ statementMs: 5_000, lockMs: 7_000 }, 1)
    const apart = handle.apart(1_500)
    const limits = async ({ sql }: DatabaseHandle) =>
      (await sql`select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l`)[0]
    expect(await limits(handle)).toEqual({ s: '5s', l: '7s' })
    expect(await limits(apart)).toEqual({ s: '0', l: '1500ms' })
    for (const { sql } of [handle, apart]) expect(await sql`show jit`).toEqual([{ jit: 'off' }])
    await apart.close()
  })

  /** Stops every process of the server, or lets them go on. */
  async function signalServer(pids: readonly number[], signal: 'SIGSTOP' | 'SIGCONT') {
    for (const pid of pids) {
      try {
        process.kill(pid, signal)
      } catch (error) {
        // A background process that ended meanwhile.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
      }
    }
  }
  const serverPids = async () => {
    const pids = (await cluster.query<{ pid: number }>('postgres', 'select pid from pg_stat_activity')).map(
      ({ pid }) => pid,
    )
    const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pids[0]}/status`, 'utf8'))?.[1])
    return [parent, ...pids]
  }

  test('requests to a server whose database is stopped are 503 with Retry-After while it is', async () => {
    await cluster.createDatabase('stopped')
    const { ready, headers } = servers.start(cluster.url('stopped'), {
      DATABASE_STATEMENT_SECONDS: '1',
      DATABASE_CONNECTION_SECONDS: '1',
    })
    const url = await ready
    const made = await fetch(`${url}/assistants`, { method: 'POST', headers, body: '{"name":"Before"}' })
    expect(made.status).toBe(201)
    const pids = await serverPids()
    await signalServer(pids, 'SIGSTOP')
    try {
      const answers = await Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
          const response = await fetch(`${url}/assistants`, {
            headers,
            ...(index % 3 === 0 && { method: 'POST', body: '{"name":"Meanwhile"}' }),
          })
          return { status: response.status, retry: response.headers.get('retry-after') }
        }),
      )
      expect(answers).toEqual(answers.map(() => ({ status: 503, retry: '2' })))
      const notReady = await fetch(`${url}/health/ready`)
      expect(notReady.status).toBe(503)
      expect(await notReady.json()).toEqual({ status: 'unavailable', reason: 'the database is out of reach' })
    } finally {
      await signalServer(pids, 'SIGCONT')
    }
    await expect.poll(async () => (await fetch(`${url}/assistants`, { headers })).status, { timeout: 30_000 }).toBe(200)
  })

  describe.skipIf(pgbouncerProgram === null)('through PgBouncer', () => {
    test.each([
      ['session', {}],
      ['transaction', { DATABASE_POOLER: 'transaction' }],
    ] as const)('a server works with pooled %ss', async (mode, settings) => {
      const database = `pooled_${mode}`
      await cluster.createDatabase(database)
      const pooler = await startPgbouncer(cluster.port, mode)
      try {
        // More than the pooler has; sessions are held, so there are no more of them than it has.
        const size = mode === 'session' ? '2' : '8'
        const { ready, headers, child } = servers.start(pooler.url(database), {
          DATABASE_POOL_SIZE: size,
          ...settings,
        })
        const url = await ready
        const statuses = await Promise.all(
          Array.from({ length: 60 }, async (_, index) => {
            const body = JSON.stringify({ name: `Pooled ${index}` })
            const { status } = await fetch(`${url}/assistants`, { method: 'POST', headers, body })
            return status
          }),
        )
        expect(new Set(statuses)).toEqual(new Set([201]))
        const lists = await Promise.all(
          Array.from({ length: 60 }, () => fetch(`${url}/assistants?search=Pooled&per_page=5`, { headers })),
        )
        for (const list of lists) expect(await list.json()).toMatchObject({ pagination: { total: 60 } })
        child.kill('SIGTERM')
        expect(await child.exited).toBe(0)
      } finally {
        await pooler.stop()
      }
    })
  })
})
