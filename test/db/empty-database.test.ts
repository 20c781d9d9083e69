import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { DatabaseUnwritableError, layOutEmptyDatabase } from '../../src/db/empty-database.ts'

let scratch: string
let laidOut: PGlite
let initialised: PGlite

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'switchboard-empty-'))
  const folder = join(scratch, 'database')
  mkdirSync(`${folder}.unfinished/base`, { recursive: true })
  writeFileSync(join(`${folder}.unfinished`, 'base/left-over'), '')
  await layOutEmptyDatabase(folder)
  laidOut = await PGlite.create(folder)
  initialised = await PGlite.create(join(scratch, 'initialised'))
})
afterAll(async () => {
  await laidOut.close()
  await initialised.close()
  rmSync(scratch, { recursive: true })
})

test('what a start that was cut off has left is gone', () => {
  expect(existsSync(join(scratch, 'database/base/left-over'))).toBe(false)
  expect(existsSync(join(scratch, 'database.unfinished'))).toBe(false)
})

test('the empty root of a disk is a place for a database', async () => {
  const folder = join(scratch, 'disk')
  mkdirSync(join(folder, 'lost+found'), { recursive: true })
  await layOutEmptyDatabase(folder)
  expect([existsSync(join(folder, 'PG_VERSION')), existsSync(join(folder, 'lost+found'))]).toEqual([true, true])
})

test('a database that is there stays as it is', async () => {
  const folder = join(scratch, 'own')
  mkdirSync(folder)
  writeFileSync(join(folder, 'PG_VERSION'), 'own')
  await layOutEmptyDatabase(folder)
  expect(await Bun.file(join(folder, 'PG_VERSION')).text()).toBe('own')
})

test.each<[string, (folder: string) => void]>([
  ['a folder', (folder) => mkdirSync(folder)],
  [
    'a folder elsewhere, which cannot be replaced',
    (folder) => {
      mkdirSync(`${folder}-elsewhere`)
      symlinkSync(`${folder}-elsewhere`, folder)
    },
  ],
])('an empty one is laid out in: %s', async (_what, make) => {
  const folder = mkdtempSync(join(scratch, 'given-'))
  rmSync(folder, { recursive: true })
  make(folder)
  await layOutEmptyDatabase(folder)
  const names = (of: string) => readdirSync(of, { recursive: true, encoding: 'utf8' }).sort()
  await layOutEmptyDatabase(join(scratch, 'new'))
  expect(names(folder)).toEqual(names(join(scratch, 'new')))
  expect(existsSync(`${folder}.unfinished`)).toBe(false)
})

test.each(['base/5/1259', 'global/pg_control'])('a part of a database (%s) is not laid over', async (file) => {
  const folder = mkdtempSync(join(scratch, 'part-'))
  mkdirSync(join(folder, dirname(file)), { recursive: true })
  writeFileSync(join(folder, file), 'rows')
  await expect(layOutEmptyDatabase(folder)).rejects.toThrow(
    `The folder ${folder} is not empty, and what it holds is not a whole database: PG_VERSION is missing. Move it away, `,
  )
  expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort().at(-1)).toBe(file)
})

test.each(['global/pg_control', 'pg_wal'])('a database without its %s is told by its folder', async (lost) => {
  const dataDir = mkdtempSync(join(scratch, 'damaged-'))
  const folder = join(dataDir, 'database')
  await layOutEmptyDatabase(folder)
  rmSync(join(folder, lost), { recursive: true })
  await expect(openDatabase({ dataDir })).rejects.toThrow(
    /^The database in .*\/database does not open: files of it are missing or damaged, belong to another user, or its disk is full\./,
  )
})

test('what a layout that failed has written is gone', async () => {
  const folder = join(scratch, 'nowhere')
  symlinkSync(join(scratch, 'missing'), folder)
  await expect(layOutEmptyDatabase(folder)).rejects.toThrow(DatabaseUnwritableError)
  expect(readdirSync(scratch).filter((name) => name.startsWith('nowhere'))).toEqual(['nowhere'])
})

test('one that cannot be written says so, and where', async () => {
  const folder = join(scratch, 'a-file', 'database')
  writeFileSync(join(scratch, 'a-file'), '')
  await expect(layOutEmptyDatabase(folder)).rejects.toThrow(
    `A new database could not be written to ${folder}: it needs 40 MB, and the permission to write there`,
  )
})

test.each(
  Object.entries({
    version: 'select catalog_version_no::text, pg_control_version from pg_control_system()',
    layout: 'select pg_control_init()::text',
    databases: 'select datname, encoding, datlocprovider, datcollate, datctype, datlocale from pg_database order by 1',
    collations: 'select oid, collname, collcollate, collversion from pg_collation order by 1',
    functions: 'select oid, proname, prosrc, provolatile from pg_proc order by 1',
    relations: 'select oid, relname, relkind, relacl::text from pg_class order by 1',
    roles: 'select rolname, rolsuper, rolcanlogin from pg_roles order by 1',
    schemas: 'select nspname, nspacl::text from pg_namespace order by 1',
    settings: `select name, setting from pg_settings where source = 'configuration file' and name !~* 'timezone' order by 1`,
    clock: `select extract(timezone from now()) as utc, to_timestamp(0)::text as beginning`,
  }),
)('its %s are those that the engine gives a database of its own', async (_what, question) => {
  const { rows } = await initialised.query(question)
  expect(rows.length).toBeGreaterThan(0)
  expect((await laidOut.query(question)).rows).toEqual(rows)
})
