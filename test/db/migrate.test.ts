import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { MIGRATIONS_FOLDER, migrate, migrationsPending } from '../../src/db/migrate.ts'
import { createTestDatabase, embeddedTemplate, newDatabase, onServer, testDatabase } from '../support/database.ts'

let scratch: string
/** Two versions of the product: the later has one migration more. */
const folders = { old: '', new: '' }

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'switchboard-migrations-'))
  const later = Date.now() + 86_400_000
  const first = { when: later, tag: '0000_first', sql: 'create table first (id int); select pg_sleep(0.2);' }
  const second = { when: later + 1000, tag: '0001_second', sql: 'create table second (id int)' }
  folders.old = writeMigrations('old', [first])
  folders.new = writeMigrations('new', [first, second])
})
afterAll(() => rmSync(scratch, { recursive: true }))

function writeMigrations(name: string, migrations: { when: number; tag: string; sql: string }[]): string {
  const folder = join(scratch, name)
  mkdirSync(join(folder, 'meta'), { recursive: true })
  for (const { tag, sql } of migrations) writeFileSync(join(folder, `${tag}.sql`), sql)
  const entries = migrations.map(({ when, tag }, idx) => ({ idx, version: '7', when, tag, breakpoints: true }))
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  return folder
}

const tables = async (handle: DatabaseHandle) =>
  (
    await handle.sql<{ table_name: string }[]>`
      select table_name from information_schema.tables where table_name in ('first', 'second') order by 1`
  ).map((row) => row.table_name)

test('one snapshot of the tables is kept, that of the newest migration', () => {
  const { entries } = JSON.parse(readFileSync(join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8'))
  const newest = String(entries.at(-1).tag).slice(0, 4)
  expect(readdirSync(join(MIGRATIONS_FOLDER, 'meta')).sort()).toEqual([`${newest}_snapshot.json`, '_journal.json'])
})

test('the database of the tests has every migration of the repository', async () => {
  expect(await migrationsPending(await testDatabase())).toBe(false)
})

test('a new version brings the database up, an old one leaves it', async () => {
  const handle = await newDatabase()
  expect(await migrationsPending(handle, folders.old)).toBe(true)
  await migrate(handle, folders.old)
  expect(await migrationsPending(handle, folders.old)).toBe(false)
  expect(await tables(handle)).toEqual(['first'])
  expect(await migrationsPending(handle, folders.new)).toBe(true)
  await migrate(handle, folders.new)
  expect(await tables(handle)).toEqual(['first', 'second'])
  expect(await migrationsPending(handle, folders.old)).toBe(false)
  await migrate(handle, folders.old)
  await handle.close()
})

test('what is to be done before is done once, where there are tables, and prevents the rest when it fails', async () => {
  const handle = await newDatabase()
  let times = 0
  const said: string[] = []
  const say = (line: string) => said.push(line.replace(/\d+ seconds/, 'N seconds'))
  const before = async () => {
    times++
    if (times === 1) throw new Error('No space left on the device')
  }
  await expect(migrate(handle, folders.old, { before })).rejects.toThrow('No space left on the device')
  expect(await tables(handle)).toEqual([])
  await migrate(handle, folders.old, { before, say })
  await migrate(handle, folders.old, { before, say })
  expect([times, await tables(handle)]).toEqual([2, ['first']])
  expect(said).toEqual([
    'The database is brought up to date: 0000_first.',
    'The database was brought up to date in N seconds.',
  ])
  await handle.close()
  const empty = await openDatabase(
    onServer() ? { url: await createTestDatabase() } : { template: embeddedTemplate('empty') },
  )
  await migrate(empty, folders.old, { before, say })
  expect([times, await tables(empty)]).toEqual([2, ['first']])
  expect(said).toHaveLength(2)
  await empty.close()
})

test('a migration that fails changes nothing and can be tried again', async () => {
  const handle = await newDatabase()
  const when = Date.now() + 86_400_000
  const broken = writeMigrations('broken', [{ when, tag: '0000_first', sql: 'create table first (id int); selekt;' }])
  await expect(migrate(handle, broken)).rejects.toThrow()
  expect(await tables(handle)).toEqual([])
  cpSync(join(folders.old, '0000_first.sql'), join(broken, '0000_first.sql'))
  await migrate(handle, broken)
  expect(await tables(handle)).toEqual(['first'])
  await handle.close()
})

test('each migration stands by itself: what follows one that fails is left, what comes before it stays', async () => {
  const handle = await newDatabase()
  const when = Date.now() + 86_400_000
  const first = { when, tag: '0000_first', sql: 'create table first (id int)' }
  const folder = writeMigrations('halves', [first, { when: when + 1, tag: '0001_second', sql: 'selekt' }])
  await expect(migrate(handle, folder)).rejects.toThrow()
  expect(await tables(handle)).toEqual(['first'])
  writeFileSync(join(folder, '0001_second.sql'), 'create table second (id int)')
  await migrate(handle, folder)
  expect(await tables(handle)).toEqual(['first', 'second'])
  await handle.close()
})

test('a migration that is told to stop ends before the next one, and another one goes on at once', async () => {
  const stop = new AbortController()
  const reason = new Error('stopped')
  const handle = await newDatabase({
    onQuery: (statement) => {
      if (statement.includes('create table first')) stop.abort(reason)
    },
  })
  await expect(migrate(handle, folders.new, { signal: stop.signal })).rejects.toBe(reason)
  expect(await tables(handle)).toEqual(['first'])
  await migrate(handle, folders.new)
  expect(await tables(handle)).toEqual(['first', 'second'])
  await handle.close()
})

test('one in turns repeats an update until it changes nothing, and goes on where it was ended', async () => {
  const handle = await newDatabase()
  const when = Date.now() + 86_400_000
  const first = { when, tag: '0000_first', sql: 'create table first as select 0 as id from generate_series(1, 5)' }
  const batch = 'update first set id = 1 where ctid = any(array(select ctid from first where id = 0 limit 2))'
  const turns = `-- In turns: two at once.\n${batch};--> statement-breakpoint\n`
  const folder = writeMigrations('turns', [first, { when: when + 1, tag: '0001_second', sql: `${turns}selekt` }])
  await expect(migrate(handle, folder)).rejects.toThrow()
  const told = () => handle.sql`select id, count(*) from first group by id order by id`
  expect([...(await told())]).toEqual([{ id: 1, count: 5 }])
  writeFileSync(join(folder, '0001_second.sql'), `${turns}create table second (id int)`)
  await handle.sql`insert into first values (0)`
  await migrate(handle, folder)
  expect([[...(await told())], await tables(handle)]).toEqual([[{ id: 1, count: 6 }], ['first', 'second']])
  await handle.close()
})

describe.runIf(onServer())('on a server', () => {
  test('instances that start at once on an empty database all come up', async () => {
    const url = await createTestDatabase()
    const handles = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ url })))
    await Promise.all(handles.map((handle) => migrate(handle, folders.new)))
    for (const handle of handles) {
      expect(await tables(handle)).toEqual(['first', 'second'])
      expect(await handle.sql`select count(*) from drizzle.__drizzle_migrations`).toEqual([{ count: 2 }])
      await handle.close()
    }
  })

  test('the lock of a crashed migrator runs out', async () => {
    const handle = await openDatabase({ url: await createTestDatabase() })
    await handle.sql`create table migration_lock (key text primary key, owner text, expires_at timestamptz)`
    await handle.sql`insert into migration_lock values ('migrate', 'crashed', now() + interval '300 ms')`
    await migrate(handle, folders.old)
    expect(await tables(handle)).toEqual(['first'])
    await handle.close()
  })

  test('a table that is in use is waited for in short turns, and others get through between them', async () => {
    const url = await createTestDatabase()
    const [handle, user] = [await openDatabase({ url }), await openDatabase({ url, max: 2 })]
    await migrate(handle, folders.old)
    const when = Date.now() + 86_400_000 + 2_000
    const alter = { when, tag: '0001_alter', sql: 'alter table first add column name text' }
    const folder = writeMigrations('alters', [{ when: 1, tag: '0000_first', sql: 'select 1' }, alter])
    let migrated: Promise<void> | undefined
    await user.sql.begin(async (tx) => {
      await tx`lock table first in access share mode`
      migrated = migrate(handle, folder, { lockTimeoutMs: 50 })
      await Bun.sleep(500)
      expect(await user.sql`select id from first`).toEqual([])
    })
    await migrated
    expect(await user.sql`select name from first`).toEqual([])
    for (const opened of [handle, user]) await opened.close()
  })

  test('bun run migrate', async () => {
    const DATABASE_URL = await createTestDatabase()
    const SECRETS_KEY = Buffer.alloc(32).toString('base64')
    expect(await script({ DATABASE_URL, SECRETS_KEY }, '--check')).toEqual([1, 'Migrations are pending.\n', ''])
    expect(await script({ DATABASE_URL, SECRETS_KEY })).toEqual([0, 'The database was brought up to date.\n', ''])
    expect(await script({ DATABASE_URL, SECRETS_KEY }, '--check')).toEqual([0, 'The database is up to date.\n', ''])
  })
})

describe('bun run migrate', () => {
  test('--help explains it', async () => {
    const [code, output] = await script({}, '--help')
    expect(code).toBe(0)
    expect(output).toContain('--check')
  })

  test('a bad setting is named', async () => {
    const [code, , errors] = await script({ DATABASE_URL: 'mysql://db/x' })
    expect(code).toBe(1)
    expect(errors).toContain('DATABASE_URL must be a postgres:// or postgresql:// URL')
  })

  test.each([
    ['a wrong setting', 'mysql://db/x', 'DATABASE_URL must be a postgres:// or postgresql:// URL'],
    ['a database out of reach', 'postgres://me@127.0.0.1:1/none', 'ECONNREFUSED'],
  ])('--check does not take %s for migrations that are pending', async (_what, DATABASE_URL, said) => {
    const SECRETS_KEY = Buffer.alloc(32).toString('base64')
    const [code, output, errors] = await script({ DATABASE_URL, SECRETS_KEY }, '--check')
    expect([code, output]).toEqual([2, ''])
    expect(errors).toContain(said)
  })
})

async function script(env: Record<string, string>, ...args: string[]): Promise<[number, string, string]> {
  const path = join(import.meta.dirname, '../../scripts/migrate.ts')
  const child = Bun.spawn([process.execPath, path, ...args], { env, stdout: 'pipe', stderr: 'pipe' })
  const output = await new Response(child.stdout).text()
  const errors = await new Response(child.stderr).text()
  return [await child.exited, output, errors]
}
