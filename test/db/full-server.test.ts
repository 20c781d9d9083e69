import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { type Cluster, postgresBinaries, startCluster } from '../../torture/outside/postgres.ts'

const most = 8

describe.skipIf((await postgresBinaries()) === undefined)('a PostgreSQL server that has fewer connections', () => {
  let cluster: Cluster
  const opened: DatabaseHandle[] = []

  beforeAll(async () => {
    cluster = await startCluster([`max_connections=${most}`, 'superuser_reserved_connections=0'])
    await cluster.createDatabase('crowded')
  })
  afterAll(async () => {
    for (const handle of opened) await handle.close()
    await cluster.stop()
  })

  async function open(max: number, connectionMs = 10_000): Promise<DatabaseHandle> {
    const deadlines = { statementMs: 10_000, lockMs: 10_000, connectionMs }
    const handle = await openDatabase({ url: cluster.url('crowded'), max, deadlines })
    opened.push(handle)
    return handle
  }

  const failures = (results: PromiseSettledResult<unknown>[]) =>
    results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))

  test('than the pool: statements and transactions wait for one of the pool', async () => {
    const { db, sql, close } = await open(3 * most)
    const statements = Array.from({ length: 60 }, () => sql`select pg_sleep(0.02)`)
    const transactions = Array.from({ length: 60 }, () => db.transaction((tx) => tx.execute('select pg_sleep(0.02)')))
    expect(failures(await Promise.allSettled([...statements, ...transactions]))).toEqual([])
    await close()
  })

  test('than two pools: who comes second gets one once it is free, and is refused in time where none is', async () => {
    const first = await open(most)
    const second = await open(2)
    const impatient = await open(2, 500)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const taken = Array.from({ length: most }, () =>
      first.sql.begin(async (tx) => {
        await tx`select 1`
        await over
      }),
    )
    await expect.poll(() => first.pool().busy).toBe(most)
    const started = performance.now()
    await expect(impatient.sql`select 1`).rejects.toMatchObject({ code: 'POOL_TIMEOUT' })
    expect(performance.now() - started).toBeLessThan(2_000)
    const late = Promise.allSettled([second.sql`select 1`, second.sql`select 1`, second.sql`select 1`])
    await Bun.sleep(300)
    expect(second.pool().waiting).toBeGreaterThan(0)
    end()
    await Promise.all(taken)
    await first.close()
    expect(failures(await late)).toEqual([])
    expect(await impatient.sql`select 1 as one`).toEqual([{ one: 1 }])
    await Promise.all([second.close(), impatient.close()])
  })

  test('ends what waits when the pool is closed', async () => {
    const first = await open(most)
    const second = await open(2)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const taken = Array.from({ length: most }, () =>
      first.sql.begin(async (tx) => {
        await tx`select 1`
        await over
      }),
    )
    await expect.poll(() => first.pool().busy).toBe(most)
    const waiting = second.sql`select 1`.then(String, (error) => error.code)
    await Bun.sleep(300)
    await second.close()
    expect(await waiting).toMatch(/^CONNECTION_/)
    end()
    await Promise.all(taken)
  })
})
