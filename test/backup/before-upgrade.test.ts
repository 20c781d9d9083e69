import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { beforeUpgrade } from '../../src/app/backup/before-upgrade.ts'
import { readEnv } from '../../src/app/env.ts'
import { openDatabase } from '../../src/db/client.ts'
import { layOutDatabase, onServer, testDatabase } from '../support/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchboard-before-upgrade-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.runIf(onServer())('a PostgreSQL database is backed up where the settings say', async () => {
  const said: string[] = []
  const database = await testDatabase()
  const to = join(folder, 'archives')
  await beforeUpgrade(readEnv({ DATA_DIR: folder }), database, (line) => said.push(line))()
  expect(said).toEqual([])
  await beforeUpgrade(readEnv({ DATA_DIR: folder, BACKUP_TO: to }), database, (line) => said.push(line))()
  const [archive] = readdirSync(to)
  expect(said.at(-1)).toMatch(new RegExp(`^${join(to, archive ?? '-')} is whole: \\d+ bytes\\.$`))
})

test.skipIf(onServer())('the copy of an embedded database replaces the one before', async () => {
  const env = readEnv({ DATA_DIR: join(folder, 'data') })
  layOutDatabase(env.dataDir)
  const database = await openDatabase({ dataDir: env.dataDir })
  const copy = beforeUpgrade(env, database, () => {})
  await copy()
  await database.sql`create table later (id int)`
  await copy()
  await database.close()
  expect(readdirSync(env.dataDir).filter((name) => name.startsWith('before'))).toEqual(['before-upgrade'])
  mkdirSync(join(folder, 'other'))
  renameSync(join(env.dataDir, 'before-upgrade'), join(folder, 'other/database'))
  const other = await openDatabase({ dataDir: join(folder, 'other') })
  expect(await other.sql`select * from later`).toEqual([])
  await other.close()
})
