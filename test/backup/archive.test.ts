import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secretColumns } from '../../src/app/sealed-columns.ts'
import { fileColumns } from '../../src/app/stored-files.ts'
import { packArchive, unpackArchive } from '../../src/backup/archive.ts'
import { dump, sumsOf } from '../../src/backup/dump.ts'
import { type Entry, headerName, manifestName } from '../../src/backup/format.ts'
import { requireKey } from '../../src/backup/key.ts'
import { type RestoreParts, restore } from '../../src/backup/restore.ts'
import { verify } from '../../src/backup/verify.ts'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { migrationsPending } from '../../src/db/migrate.ts'
import { noProgress } from '../../src/runtime/progress.ts'
import { requireSameKey } from '../../src/secrets/mark/mark.ts'
import { createVault } from '../../src/secrets/vault.ts'
import { folderFiles } from '../../src/storage/folder.ts'
import { newUser, type TestUser, testApp } from '../support/app.ts'
import { createTestDatabase, embeddedTemplate, freshDatabase, onServer } from '../support/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchboard-backup-'))
const vaultOf = (byte: number) => createVault({ current: new Uint8Array(32).fill(byte) })
const files = folderFiles(join(folder, 'files'))
const restoredFolder = join(folder, 'restored')

let source: DatabaseHandle
let target: DatabaseHandle
let archive: Blob
let user: TestUser

const entries = () =>
  dump({ database: source, files, fileColumns, version: '1.2.3', now: new Date(0), progress: noProgress })
const read = () => unpackArchive(archive.stream())
const into = (database: DatabaseHandle): RestoreParts => ({
  database,
  files: folderFiles(restoredFolder),
  checkKey: requireKey(vaultOf(7)),
  progress: noProgress,
})

beforeAll(async () => {
  mkdirSync(restoredFolder)
  source = await freshDatabase()
  await requireSameKey(source.db, vaultOf(7), secretColumns)
  const app = await testApp({ database: source, files, vault: vaultOf(7) })
  user = await newUser(source)
  const { token } = user
  const body = { name: 'Desk "one", {two}\n\\three', firstMessage: 'ü€😀' }
  await app.send('POST', '/assistants', { token, body })
  // A row of more than a part.
  const squad = { name: 'Long', members: [], metadata: { note: '"'.repeat(400_000) } }
  expect((await app.send('POST', '/squads', { token, body: squad })).status).toBe(201)
  await app.send('POST', '/connectors', {
    token,
    body: {
      name: 'Shop',
      url: 'https://shop.example.com/mcp',
      headers: { authorization: 'Bearer a-secret-of-the-shop' },
    },
  })
  const agent = await (
    await app.send('POST', '/agents', { token, body: { name: 'Support', instructions: 'x' } })
  ).json()
  const form = new FormData()
  form.set('file', new File(['Parcels are handed over before noon.'], 'hours.txt'))
  await app.send('POST', `/agents/${agent.data.id}/files`, { token, body: form })
  archive = new Blob([await new Response(packArchive(entries())).bytes()])
  target = await openDatabase(
    onServer() ? { url: await createTestDatabase() } : { template: embeddedTemplate('empty') },
  )
})
afterAll(async () => {
  await Promise.all([source.close(), target.close()])
  rmSync(folder, { recursive: true })
})

const gathered = async (all: AsyncIterable<Entry>) => {
  const found: { name: string; text: string }[] = []
  for await (const { name, body } of all) found.push({ name, text: await new Response(body as BodyInit).text() })
  return found
}
const entryOf = ({ name, text }: { name: string; text: string }): Entry => {
  const body = new TextEncoder().encode(text)
  return { name, size: body.length, body }
}
async function* changed(change: (name: string, text: string) => string | undefined): AsyncGenerator<Entry> {
  for (const { name, text } of await gathered(read())) {
    const other = change(name, text)
    if (other !== undefined) yield entryOf({ name, text: other })
  }
}
const cutOff = () => unpackArchive(archive.slice(0, Math.floor(archive.size * 0.7)).stream())

describe('an archive that is refused leaves the database and the files as they were', () => {
  const edited = (name: RegExp, from: string, to: string) =>
    changed((entry, text) => (name.test(entry) ? text.replace(from, to) : text))
  const withRow = (line: string) => changed((name, text) => (name.startsWith('rows/assistants/') ? `${line}\n` : text))
  const cases: [string, () => AsyncIterable<Entry>, RegExp][] = [
    ['cut off', cutOff, /^The archive is broken, or was cut off\.$/],
    [
      'without its manifest',
      () => changed((name, text) => (name === manifestName ? undefined : text)),
      /^The archive is not whole: it ends before its manifest\.$/,
    ],
    [
      'with another row',
      () => edited(/^rows\/assistants\//, 'Desk', 'Dusk'),
      /^assistants is not what the manifest says: 1 rows of 1, or others\.$/,
    ],
    [
      'without a table',
      () => changed((name, text) => (name.startsWith('rows/assistants/') ? undefined : text)),
      /^assistants is not what the manifest says: 0 rows of 1, or others\.$/,
    ],
    [
      'with a table that its manifest does not name',
      () => edited(/^manifest\.json$/, '"assistants"', '"of nobody"'),
      /^of nobody is not what the manifest says: 0 rows of 1, or others\.$/,
    ],
    [
      'with another file',
      () => edited(/^files\//, 'noon', 'dusk'),
      /^The files are not what the manifest says: 1 of 1, or others\.$/,
    ],
    [
      'with a row that is too long',
      () => withRow('x'.repeat(33 * 1024 * 1024)),
      /^rows\/assistants\/000001\.jsonl has a row that is larger than anything that an archive holds\.$/,
    ],
    [
      'with a long row that is no row',
      () => withRow('x'.repeat(2_000_000)),
      /^A row of assistants is not what a backup writes\.$/,
    ],
    [
      'with a long row of one column',
      () => withRow(JSON.stringify(['x'.repeat(2_000_000)])),
      /^A row of assistants is not what a backup writes\.$/,
    ],
    [
      'with an entry after its manifest',
      async function* () {
        yield* read()
        yield entryOf({ name: manifestName, text: '{}' })
      },
      /^manifest\.json comes after the manifest\.$/,
    ],
    ['with a header that is no JSON', () => edited(/^backup\.json$/, '{', ''), /^backup\.json is no JSON\.$/],
    [
      'of another format',
      () => edited(/^backup\.json$/, '"format": 1', '"format": 2'),
      /^This archive has another format, or is none of Switchboard\.$/,
    ],
    [
      'with a manifest of another form',
      () => changed((name, text) => (name === manifestName ? '[]' : text)),
      /^manifest\.json is not what a backup says of itself\.$/,
    ],
    [
      'of a newer version',
      () =>
        changed((name, text) =>
          name === headerName ? JSON.stringify({ ...JSON.parse(text), migrations: [9_999_999_999_999] }) : text,
        ),
      /^A newer version of Switchboard made this archive: restore it with that one\.$/,
    ],
    [
      'with a column of its own',
      () => edited(/^backup\.json$/, '"name": "workspace_id"', '"name": "x\\" from users; drop table users; --"'),
      /^The archive has a column that its migrations do not make: /,
    ],
  ]
  test.each(cases)('%s', async (_what, broken, message) => {
    await expect(restore(broken(), into(target))).rejects.toThrow(message)
    expect(await sumsOf(target)).toEqual({})
    expect(
      readdirSync(restoredFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
    ).toEqual([])
  })
})

test('nothing in an archive is readable that was sealed, and another key is refused', async () => {
  const all = await gathered(read())
  expect(all.filter(({ text }) => text.includes('a-secret-of-the-shop'))).toEqual([])
  expect(all.some(({ text }) => text.includes('sealed:v1:'))).toBe(true)
  const wrong = { ...into(target), checkKey: requireKey(vaultOf(8)) }
  await expect(restore(read(), wrong)).rejects.toThrow(
    'SECRETS_KEY does not hold the key that this database was sealed with',
  )
  const none = { ...into(target), checkKey: requireKey(undefined) }
  await expect(restore(read(), none)).rejects.toThrow('The archive holds secrets, and not the key')
})

test.runIf(onServer())('a restore whose process dies leaves the database as it was', async () => {
  const dying = async function* () {
    let passed = 0
    for await (const entry of read()) {
      if (passed++ === 5) {
        await source.sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = ${target.sql.options.database} and state = 'idle in transaction'`
      }
      yield entry
    }
  }
  await expect(restore(dying(), into(target))).rejects.toThrow()
  expect(await sumsOf(target)).toEqual({})
})

test('verifying restores into a scratch database', async () => {
  expect((await verify(read(), noProgress)).tables.knowledge_files?.count).toBe(1)
})

test('restored into an empty database it makes the same rows and files, and never over others unless told', async () => {
  const manifest = await restore(read(), into(target))
  expect(await sumsOf(target)).toEqual(await sumsOf(source))
  expect(await migrationsPending(target)).toBe(false)
  expect([manifest.tables.assistants?.count, manifest.files.count]).toEqual([1, 1])

  const app = await testApp({ database: target, files: folderFiles(restoredFolder), vault: vaultOf(7) })
  const created = await app.send('POST', '/assistants', { token: user.token, body: { name: 'Later' } })
  expect(created.status).toBe(201)
  await expect(restore(read(), into(target))).rejects.toThrow(
    'The database is not empty. With --replace, what it holds is dropped.',
  )
  const stored = readdirSync(restoredFolder, { recursive: true })
  const refused = restore(cutOff(), { ...into(target), replace: true })
  await expect(refused).rejects.toThrow()
  const altered = changed((name, text) => (name === manifestName ? text.replace(/"bytes": \d+/, '"bytes": "x"') : text))
  await expect(restore(altered, { ...into(target), replace: true })).rejects.toThrow()
  expect(readdirSync(restoredFolder, { recursive: true })).toEqual(stored)
  await restore(read(), { ...into(target), replace: true })
  expect(await sumsOf(target)).toEqual(await sumsOf(source))
})
