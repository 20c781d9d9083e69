import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveAt, placeFor } from '../../src/app/backup/place.ts'
import { backUp, entriesOf, restoreFrom } from '../../src/app/backup/run.ts'
import { readEnv } from '../../src/app/env.ts'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { createTestDatabase, layOutDatabase, onServer } from '../support/database.ts'
import type { KilledRestore } from '../support/killed-restore.ts'
import { shortLivedWith } from '../support/short-lived.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchboard-killed-restore-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let env: Record<string, string>
let archive: string

async function within<T>(work: (database: DatabaseHandle) => Promise<T>): Promise<T> {
  const { databaseUrl: url, dataDir } = readEnv(env)
  const database = await openDatabase({ url, dataDir })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const names = ({ sql }: DatabaseHandle) => sql<{ name: string }[]>`select name from resellers order by id`

/** Restores in a process of its own; resolves with the signal that ended it, if one did. */
async function restore(before?: string): Promise<NodeJS.Signals | number | null> {
  const order: KilledRestore = { env, archive, ...(before !== undefined && { before }) }
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dirname, '../support/killed-restore.ts'), JSON.stringify(order)],
    {
      env: shortLivedWith({}),
      stdout: 'ignore',
      stderr: 'inherit',
    },
  )
  await child.exited
  return child.signalCode
}

beforeAll(async () => {
  env = {
    DATA_DIR: join(folder, 'data'),
    SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
    ...(onServer() && { DATABASE_URL: await createTestDatabase() }),
  }
  if (!onServer()) layOutDatabase(String(env.DATA_DIR))
  await within(async (database) => {
    await migrate(database)
    await database.sql`insert into resellers (name) values ('Archived')`
    const settings = readEnv(env)
    const place = placeFor(join(folder, 'archives'), settings)
    const name = await backUp({ env: settings, database, place, now: new Date() }, () => {})
    archive = join(folder, 'archives', name)
    await database.sql`update resellers set name = 'Kept'`
  })
})

test('a restore that is killed before its rows count leaves the database as it was, and is run again', async () => {
  expect(await restore('commit')).toBe('SIGKILL')
  expect(await within(names)).toEqual([{ name: 'Kept' }])
  expect(await restore()).toBeNull()
  expect(await within(names)).toEqual([{ name: 'Archived' }])
})

test.skipIf(!onServer())(
  'a server that works with the database is named; one that is ending is waited for',
  async () => {
    const server = await openDatabase({ url: `${env.DATABASE_URL}?application_name=switchboard%20busy` })
    await server.ping()
    const { place, name } = archiveAt(archive, readEnv(env))
    const again = () =>
      within(async (database) =>
        restoreFrom({ env: readEnv(env), database, entries: await entriesOf(place, name), replace: true }, () => {}),
      )
    await expect(again()).rejects.toThrow('Stop these servers first, which work with the database: switchboard busy.')
    const restored = again()
    await server.close()
    await restored
  },
)
