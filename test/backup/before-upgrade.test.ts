import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { beforeUpgrade } from '../../src/app/backup/before-upgrade.ts'
import { prepareDatabase } from '../../src/app/bootstrap/database.ts'
import { readEnv } from '../../src/app/env.ts'
import { refusalOf } from '../../src/app/refusals.ts'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { MIGRATIONS_FOLDER, migrate, migrationsPending } from '../../src/db/migrate.ts'
import { createLog } from '../../src/runtime/log.ts'
import { layOutDatabase, newDatabase, onServer } from '../support/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchboard-before-upgrade-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What every server leaves in a database once it has started. */
const markInstalled = ({ sql }: DatabaseHandle) =>
  sql`insert into installation (name, value) values ('secrets-key', 'sealed')`

const copiesIn = (dataDir: string) => readdirSync(dataDir).filter((name) => name.startsWith('before'))

/** An embedded database of a server that has started once. */
async function installed(name: string) {
  const env = readEnv({ DATA_DIR: join(folder, name) })
  layOutDatabase(env.dataDir)
  const database = await openDatabase({ dataDir: env.dataDir })
  await markInstalled(database)
  return { env, database }
}

/** An embedded database whose first start was ended after a few migrations. */
async function brokenOff(dataDir: string): Promise<DatabaseHandle> {
  layOutDatabase(dataDir, 'empty')
  const first = mkdtempSync(join(folder, 'migrations-'))
  cpSync(MIGRATIONS_FOLDER, first, { recursive: true })
  const journal = join(first, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, 5) }))
  const database = await openDatabase({ dataDir })
  await migrate(database, first)
  return database
}

test.runIf(onServer())('a PostgreSQL database is backed up where the settings say', async () => {
  const said: string[] = []
  const database = await newDatabase()
  const to = join(folder, 'archives')
  await beforeUpgrade(readEnv({ DATA_DIR: folder, BACKUP_TO: to }), database, (line) => said.push(line))()
  await markInstalled(database)
  await beforeUpgrade(readEnv({ DATA_DIR: folder }), database, (line) => said.push(line))()
  expect(said).toEqual([])
  await beforeUpgrade(readEnv({ DATA_DIR: folder, BACKUP_TO: to }), database, (line) => said.push(line))()
  const [archive] = readdirSync(to)
  expect(said.at(-1)).toMatch(new RegExp(`^${join(to, archive ?? '-')} is whole: \\d+ bytes\\.$`))
  const nowhere = readEnv({ DATA_DIR: folder, BACKUP_TO: '/proc/nope' })
  const refused = await beforeUpgrade(nowhere, database, () => {})().then(undefined, refusalOf)
  expect(refused).toMatch(/^BACKUP_TO: no backup could be made before the upgrade: ENOENT: /)
  await database.close()
})

test.skipIf(onServer())('the copy of an embedded database replaces the one before', async () => {
  const { env, database } = await installed('data')
  const copy = beforeUpgrade(env, database, () => {})
  await copy()
  await database.sql`create table later (id int)`
  await copy()
  await database.close()
  expect(copiesIn(env.dataDir)).toEqual(['before-upgrade'])
  mkdirSync(join(folder, 'other'))
  renameSync(join(env.dataDir, 'before-upgrade'), join(folder, 'other/database'))
  const other = await openDatabase({ dataDir: join(folder, 'other') })
  expect(await other.sql`select * from later`).toEqual([])
  await other.close()
})

test.skipIf(onServer())('a first start that was ended between migrations goes on, and nothing is copied', async () => {
  const env = readEnv({ DATA_DIR: join(folder, 'broken-off') })
  const database = await brokenOff(env.dataDir)
  await prepareDatabase(env, database, { now: new Date(), log: createLog('silent') })
  expect([await migrationsPending(database), copiesIn(env.dataDir)]).toEqual([false, []])
  await database.close()
})

test.skipIf(onServer())('a copy without room is told with what it needs, and nothing of it stays', async () => {
  const { env, database } = await installed('full')
  const copyTo = async (target: string) => {
    mkdirSync(target)
    writeFileSync(join(target, 'half'), 'of it')
    throw Object.assign(new Error('ENOSPC: no space left on device, copyfile'), { code: 'ENOSPC' })
  }
  const told = async () => {
    const refused = beforeUpgrade(env, { ...database, copyTo }, () => {})()
    return refused.then(undefined, refusalOf)
  }
  const place = join(env.dataDir, 'before-upgrade')
  const needed = `The database could not be copied to ${place} before the upgrade \\(ENOSPC: no space left on device, copyfile\\): it needs \\d\\d MB, and the permission to write there\\.`
  expect(await told()).toMatch(new RegExp(`^${needed}$`))
  expect(copiesIn(env.dataDir)).toEqual([])
  await beforeUpgrade(env, database, () => {})()
  expect(await told()).toMatch(
    new RegExp(`^${needed} What is there is from the upgrade before: remove it to make room\\.$`),
  )
  expect(copiesIn(env.dataDir)).toEqual(['before-upgrade'])
  await database.close()
})
