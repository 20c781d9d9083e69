import fs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { embeddedTemplate, layOutDatabase } from '../support/database.ts'
import { shortLived } from '../support/short-lived.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-broken-'))
const statementMs = 300
const happened: string[] = []
let database: DatabaseHandle
let app: TestApp
let user: TestUser

beforeAll(async () => {
  const deadlines = { statementMs, lockMs: 0, connectionMs: 0 }
  layOutDatabase(dataDir)
  database = await openDatabase({ dataDir, deadlines })
  database.listen?.(({ event }) => happened.push(event))
  app = await testApp({ database })
  user = await newUser(database)
})
afterEach(() => {
  vi.restoreAllMocks()
  happened.length = 0
})
afterAll(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const create = async (name: string) => {
  const answer = await app.send('POST', '/agents', { token: user.token, body: { name } })
  return [answer.status, answer.headers.get('retry-after')]
}
const ready = async () => {
  const answer = await app.send('GET', '/health/ready')
  return [answer.status, await answer.json()]
}
const names = async () => {
  const answer = await app.send('GET', '/agents?sort=name', { token: user.token })
  return (await answer.json()).data?.map(({ name }: { name: string }) => name)
}
const unavailable = [503, { status: 'unavailable', reason: 'the database is out of reach' }]

test('a disk that is full makes requests 503 until it has room again, and what was acknowledged stays', async () => {
  expect(await create('Before')).toEqual([201, null])
  vi.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', errno: -28 })
  })
  expect(await create('Meanwhile')).toEqual([503, '2'])
  expect(await create('Meanwhile')).toEqual([503, '2'])
  expect(await ready()).toEqual(unavailable)
  expect(happened).toEqual(['embedded_database_broken'])
  vi.restoreAllMocks()
  await expect.poll(ready, { timeout: 30_000 }).toEqual([200, { status: 'ready' }])
  expect(happened).toEqual(['embedded_database_broken', 'embedded_database_restarted'])
  expect(await create('Then')).toEqual([201, null])
  expect(await names()).toEqual(['Before', 'Then'])
}, 60_000)

test('a disk that is full for a table, and not for the log, makes writes 503 until it has room again', async () => {
  await database.sql.unsafe(`
    create function refuse_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger refuse_room before insert on agents for each row execute function refuse_room()`)
  expect(await create('Meanwhile')).toEqual([503, '2'])
  expect(await names()).not.toContain('Meanwhile')
  await database.sql.unsafe('drop trigger refuse_room on agents; drop function refuse_room')
  expect(await create('With room')).toEqual([201, null])
  expect(happened).toEqual([])
})

test('a statement that does not return makes requests 503 in time, and those after it are served again', async () => {
  const asked = vi.spyOn(PGlite.prototype, 'execProtocolRawStream').mockImplementationOnce(() => new Promise(() => {}))
  const statuses = await Promise.all([create('One'), create('Two'), create('Three')])
  expect(asked).toHaveBeenCalled()
  expect(statuses).toContainEqual([503, '2'])
  expect(happened[0]).toBe('embedded_database_broken')
  await expect.poll(ready, { timeout: 30_000 }).toEqual([200, { status: 'ready' }])
  expect(await create('Four')).toEqual([201, null])
  expect(await names()).toContain('Four')
}, 60_000)

test('a database in memory stays broken, as another one would have nothing of it', async () => {
  const deadlines = { statementMs, lockMs: 0, connectionMs: 0 }
  const handle = await openDatabase({ template: embeddedTemplate('empty'), deadlines })
  await handle.sql`select 1`
  vi.spyOn(PGlite.prototype, 'execProtocolRawStream').mockImplementationOnce(() => new Promise(() => {}))
  await expect(handle.sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_BROKEN' })
  await expect(handle.sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_BROKEN' })
  await handle.close()
}, 60_000)

test('a process whose thread a statement holds for good is ended, and says so', async () => {
  const own = mkdtempSync(join(tmpdir(), 'switchboard-stuck-'))
  layOutDatabase(own, 'empty')
  const script = `
    const { openDatabase } = await import('./src/db/client.ts')
    const { watchMainThread } = await import('./src/runtime/watchdog.ts')
    const { sql } = await openDatabase({ dataDir: ${JSON.stringify(own)} })
    watchMainThread(1000, 100)
    await sql\`select pg_sleep(600)\``
  const child = Bun.spawn([process.execPath, '-e', script], {
    cwd: join(import.meta.dirname, '../..'),
    env: shortLived,
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const said = await new Response(child.stdout).text()
  expect(await child.exited).toBe(1)
  expect(JSON.parse(said)).toMatchObject({ level: 60, event: 'process_stuck', seconds: 1 })
  rmSync(own, { recursive: true, force: true })
}, 60_000)
