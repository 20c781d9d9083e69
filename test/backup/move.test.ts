import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { operationsOf } from '../../src/api/operations.ts'
import { move } from '../../src/app/backup/move.ts'
import { readEnv } from '../../src/app/env.ts'
import { refusalOf } from '../../src/app/refusals.ts'
import { secretColumns } from '../../src/app/sealed-columns.ts'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { restRouter } from '../../src/router.ts'
import { requireSameKey } from '../../src/secrets/mark/mark.ts'
import { createVault } from '../../src/secrets/vault.ts'
import { folderFiles } from '../../src/storage/folder.ts'
import { freshRequest } from '../matrix/request.ts'
import { createWorld, pathWith } from '../matrix/world.ts'
import { type TestApp, testApp, testClock } from '../support/app.ts'
import { createTestDatabase, embeddedTemplate, freshDatabase, onServer } from '../support/database.ts'
import { shortLived } from '../support/short-lived.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchboard-move-'))
const opened: DatabaseHandle[] = []
afterAll(async () => {
  for (const database of opened) await database.close()
  rmSync(folder, { recursive: true })
})

const key = new Uint8Array(32).fill(7)
const vault = createVault({ current: key })
const clock = testClock()
/** They tell what the installation runs on, and how late its work is. */
const ofThePlace = ['overview.get', 'admin.installation.get']
const reads = operationsOf(restRouter).filter(
  ({ name, type, methods }) => type === 'query' && methods[0] === 'GET' && !ofThePlace.includes(name),
)

const installation = async (name: string, database: DatabaseHandle) => {
  opened.push(database)
  const env = readEnv({ DATA_DIR: join(folder, name) })
  mkdirSync(env.dataDir)
  return { env, database, files: folderFiles(join(env.dataDir, 'files')) }
}
const appOf = ({ database, files }: Awaited<ReturnType<typeof installation>>) =>
  testApp({ database, files, vault, clock, allowPrivateNetwork: ['127.0.0.1'] })

test('everything that is read is the same, byte by byte, after a move to the other database and back', async () => {
  const source = await installation('source', await freshDatabase())
  const world = await createWorld({ database: source.database, files: source.files, vault, clock })
  await requireSameKey(source.database.db, vault, secretColumns)
  writeFileSync(join(source.env.dataDir, 'secrets-key'), `${Buffer.from(key).toString('base64')}\n`, { mode: 0o600 })
  const asked: { name: string; path: string; token: string }[] = []
  for (const operation of reads) {
    const { params, input } = await freshRequest(world, operation)
    const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)]))
    const { token } = operation.meta.access === 'operator' ? world.operator : world.owner
    asked.push({ name: operation.name, path: `${pathWith(operation, params)}?${query}`, token })
  }
  const readAll = async (app: TestApp) => {
    const read: Record<string, unknown> = {}
    for (const { name, path, token } of asked) {
      const response = await app.send('GET', path, { token })
      read[name] = [
        response.status,
        response.headers.get('etag'),
        Buffer.from(await response.bytes()).toString('latin1'),
      ]
    }
    return read
  }
  const app = await appOf(source)
  await readAll(app)
  const before = await readAll(app)
  expect(Object.entries(before).filter(([, answer]) => (answer as [number])[0] !== 200)).toEqual([])

  const embedded = await installation('embedded', await openDatabase({ template: embeddedTemplate('empty') }))
  await move(source, embedded, false, () => {})
  expect(await readAll(await appOf(embedded))).toEqual(before)
  expect(readFileSync(join(embedded.env.dataDir, 'secrets-key'), 'utf8')).toBe(
    readFileSync(join(source.env.dataDir, 'secrets-key'), 'utf8'),
  )
  if (!onServer()) return
  const back = await installation('back', await openDatabase({ url: await createTestDatabase() }))
  await move(embedded, back, false, () => {})
  expect(await readAll(await appOf(back))).toEqual(before)
  expect(readdirSync(join(back.env.dataDir, 'files'))).toEqual(readdirSync(join(source.env.dataDir, 'files')))
})

test('the key of an earlier installation in the folder is named, as it does not open what is moved', async () => {
  const source = await installation('small', await freshDatabase())
  await requireSameKey(source.database.db, vault, secretColumns)
  writeFileSync(join(source.env.dataDir, 'secrets-key'), `${Buffer.from(key).toString('base64')}\n`)
  const taken = await installation('taken', await openDatabase({ template: embeddedTemplate('empty') }))
  const file = join(taken.env.dataDir, 'secrets-key')
  writeFileSync(file, `${Buffer.alloc(32, 3).toString('base64')}\n`)
  const said = await move(source, taken, true, () => {}).then(undefined, (error: unknown) => refusalOf(error))
  expect(said).toBe(
    `${file} holds another key than the one that this database was sealed with. Put that one in its place; a move brings its own where there is none.`,
  )
})

test('a key that could not be copied leaves no part of it, and the next move copies it', async () => {
  const [from, to] = [join(folder, 'keys'), join(folder, 'copied')]
  mkdirSync(from)
  writeFileSync(join(from, 'secrets-key'), 'the key\n', { mode: 0o600 })
  writeFileSync(join(from, 'admin-api-key'), 'another\n', { mode: 0o600 })
  const module = join(import.meta.dirname, '../../src/app/backup/move.ts')
  // The keys come first: neither database is there.
  const installations = JSON.stringify(
    [from, to].map((dataDir) => ({ env: { dataDir }, database: { embedded: true } })),
  )
  const script = `await (await import(${JSON.stringify(module)})).move(...${installations}, false, () => {})`
  const run = (limit: string) =>
    Bun.spawnSync(['sh', '-c', `ulimit -f ${limit}; exec "$0" -e "$1"`, process.execPath, script], {
      env: shortLived,
      stderr: 'ignore',
    })
  run('0')
  expect(readdirSync(to)).toEqual([])
  writeFileSync(join(to, 'secrets-key'), 'that was there\n')
  writeFileSync(join(to, 'admin-api-key'), '')
  run('unlimited')
  expect(readFileSync(join(to, 'secrets-key'), 'utf8')).toBe('that was there\n')
  expect(readFileSync(join(to, 'admin-api-key'), 'utf8')).toBe('another\n')
  expect(statSync(join(to, 'admin-api-key')).mode & 0o777).toBe(0o600)
})
