import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atOnce } from '../../src/db/at-once.ts'
import { openDatabase } from '../../src/db/client.ts'
import { type Cluster, postgresBinaries, startCluster } from '../../torture/outside/postgres.ts'
import { startProxy, type TcpProxy } from '../../torture/outside/tcp-proxy.ts'
import { serverProcesses } from '../support/server-process.ts'

const servers = serverProcesses()
afterAll(servers.stop)

describe.skipIf((await postgresBinaries()) === undefined)('a PostgreSQL server that closes connections', () => {
  let cluster: Cluster
  let proxy: TcpProxy

  beforeAll(async () => {
    cluster = await startCluster()
    proxy = await startProxy(cluster.port)
  })
  afterAll(async () => {
    proxy.stop()
    await cluster.stop()
  })

  /** A database of its own, through the wire that can be cut. */
  async function database(name: string) {
    await cluster.createDatabase(name)
    return cluster.url(name, proxy.port)
  }

  test('a transaction that lost its connection goes on nowhere else', async () => {
    const handle = await openDatabase({ url: await database('halves'), max: 1 })
    await handle.sql`create table notes (text text)`
    const said: string[] = []
    const work = handle.db.transaction(async (tx) => {
      await tx.execute(sql`insert into notes values ('first half')`)
      proxy.cut()
      // Meanwhile the only connection is another's.
      await expect
        .poll(() =>
          handle.sql`select 1`.then(
            () => 'answered',
            () => 'lost',
          ),
        )
        .toBe('answered')
      await tx.execute(sql`insert into notes values ('second half')`).catch((error) => {
        said.push(error.cause.code)
        throw error
      })
    })
    await expect(work).rejects.toThrow()
    await expect.poll(() => said).toEqual(['CONNECTION_CLOSED'])
    expect(await handle.sql`select text from notes`).toEqual([])
    await handle.close()
  })

  test('statements that waited for the lost connection are answered, and the next ones served', async () => {
    const handle = await openDatabase({ url: await database('waiting'), max: 2 })
    for (let cuts = 0; cuts < 20; cuts += 1) {
      const large = 'x'.repeat(5_000)
      const works = Array.from({ length: 20 }, () =>
        handle.db.transaction(async (tx) => {
          await tx.execute(sql`select ${large}::text`)
          await Promise.all([tx.execute(sql`select 1`), tx.execute(sql`select ${large}::text`)])
        }),
      )
      setTimeout(proxy.cut, cuts)
      await Promise.allSettled(works)
    }
    expect(await handle.sql`select 1 as one`).toEqual([{ one: 1 }])
    await handle.close()
  })

  test('statements that were sent at once have all ended when their connection is lost', async () => {
    const handle = await openDatabase({ url: await database('at_once'), max: 2 })
    await handle.sql`create table notes (text text)`
    const write = (text: string) =>
      atOnce(handle.db, (executor) => [
        executor.execute(sql`insert into notes values (${`first of ${text}`})`),
        executor.execute(sql`select pg_sleep(0.005)`),
        executor.execute(sql`insert into notes values (${`second of ${text}`})`),
      ])
    const ends = { kept: 0, lost: 0 }
    for (let cuts = 0; cuts < 20; cuts += 1) {
      const works = Array.from({ length: 6 }, (_, n) => write(`${cuts} ${n}`))
      setTimeout(proxy.cut, cuts)
      for (const { status } of await Promise.allSettled(works)) ends[status === 'fulfilled' ? 'kept' : 'lost'] += 1
    }
    expect(ends.lost).toBeGreaterThan(0)
    const notes = (await handle.sql`select text from notes`).map(({ text }) => String(text))
    const [first, second] = ['first', 'second'].map((half) => notes.filter((text) => text.startsWith(half)).length)
    expect(first).toBe(second)
    expect(first).toBeGreaterThanOrEqual(ends.kept)
    await handle.close()
  })

  test('a loaded server lives on when its connections are dropped a hundred times', async () => {
    const { child, ready, headers } = servers.start(await database('loaded'))
    const url = await ready
    let loading = true
    const client = async () => {
      while (loading) {
        const body = JSON.stringify({ name: 'Under load', firstMessage: 'x'.repeat(900) })
        await fetch(`${url}/assistants`, { method: 'POST', headers, body }).catch(() => {})
        await fetch(`${url}/assistants?per_page=5`, { headers }).catch(() => {})
        await Bun.sleep(5)
      }
    }
    const clients = Array.from({ length: 6 }, client)
    for (let drops = 0; drops < 100; drops += 1) {
      if (drops % 2 === 0) proxy.cut()
      else
        await cluster.query(
          'loaded',
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
        )
      await Bun.sleep(30)
    }
    loading = false
    await Promise.all(clients)
    expect(child.exitCode).toBe(null)
    expect((await fetch(`${url}/assistants?per_page=1`, { headers })).status).toBe(200)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })

  test('a start waits for a database that does not serve yet', async () => {
    const url = await database('slow')
    proxy.refuse(true)
    const { child, ready } = servers.start(url)
    await Bun.sleep(700)
    expect(child.exitCode).toBe(null)
    proxy.refuse(false)
    expect((await fetch(`${await ready}/health/ready`)).status).toBe(200)
    child.kill('SIGTERM')
    await child.exited
  })
})

test('a start without a database ends in words, after the time that it was given', async () => {
  const { ready } = servers.start('postgres://postgres@127.0.0.1:1/none', { DATABASE_START_SECONDS: '0' })
  await expect(ready).rejects.toThrow(
    /^It ended with 1: DATABASE_URL: the database did not serve within 0 seconds \(DATABASE_START_SECONDS\)\. The last error: [^\n]*ECONNREFUSED[^\n]*\n$/,
  )
})

test('a refused connection is told at once, however many were refused before', async () => {
  const handle = await openDatabase({ url: 'postgres://postgres@127.0.0.1:1/none', max: 1 })
  const begun = performance.now()
  for (let asked = 0; asked < 8; asked += 1) {
    await expect(handle.sql`select 1`.execute()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  }
  expect(performance.now() - begun).toBeLessThan(5_000)
  await handle.close()
})

test('a start that gave up says why no connection was made, whenever it asked last', async () => {
  const settings = { DATABASE_START_SECONDS: '3' }
  const { ready } = servers.start('postgres://postgres@nowhere.invalid/none', settings)
  await expect(ready).rejects.toThrow(/DATABASE_URL: [^\n]* within 3 seconds [^\n]*getaddrinfo [A-Z_]+/)
})

/** A PostgreSQL server as far as its first answer goes, if it has one; it takes nothing else. */
function answering(answer?: string) {
  const data = (socket: Bun.Socket, said: Buffer) => {
    if (answer === undefined) return
    if (said.length === 8) socket.write(answer)
    else socket.end()
  }
  return Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data } })
}

test('a start ends after its time also where a connection is neither made nor refused', async () => {
  using silent = answering()
  const { ready } = servers.start(`postgres://me@127.0.0.1:${silent.port}/none`, { DATABASE_START_SECONDS: '1' })
  const begun = performance.now()
  await expect(ready).rejects.toThrow(
    'DATABASE_URL: the database did not serve within 1 seconds (DATABASE_START_SECONDS).',
  )
  expect(performance.now() - begun).toBeLessThan(9_000)
})

test('a server without the TLS that its address asks for ends a start at once', async () => {
  using plain = answering('N')
  const at = `postgres://me@127.0.0.1:${plain.port}/none`
  const said = (mode: string) =>
    `It ended with 1: DATABASE_URL: the server at 127.0.0.1 has no TLS, which sslmode=${mode} asks for\n`
  for (const mode of ['require', 'verify-full']) {
    const { ready } = servers.start(`${at}?sslmode=${mode}`, { DATABASE_START_SECONDS: '600' })
    await expect(ready).rejects.toThrow(said(mode))
  }
})
