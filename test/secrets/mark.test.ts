import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { secretColumns } from '../../src/app/sealed-columns.ts'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { headersContext } from '../../src/resources/connectors/headers.ts'
import { connectors } from '../../src/resources/connectors/table.ts'
import { requireSameKey } from '../../src/secrets/mark/mark.ts'
import { installation } from '../../src/secrets/mark/table.ts'
import { WrongSecretsKeyError } from '../../src/secrets/mark/wrong-key.ts'
import { rotateSecrets } from '../../src/secrets/rotate.ts'
import { createVault } from '../../src/secrets/vault.ts'
import { newUser } from '../support/app.ts'
import { freshDatabase, layOutDatabase } from '../support/database.ts'
import { shortLivedWith } from '../support/short-lived.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]
const before = createVault({ current: first })
const during = createVault({ current: second, previous: [first] })
const after = createVault({ current: second })

let database: DatabaseHandle
beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(() => database.close())

const check = (vault: typeof before) => requireSameKey(database.db, vault, secretColumns)

test('the first start marks the database; another key is refused, and learns nothing of the first', async () => {
  await check(before)
  await check(before)
  await expect(check(after)).rejects.toThrow(WrongSecretsKeyError)
  const marks = await database.db.select().from(installation)
  expect(marks).toHaveLength(1)
  for (const form of ['base64', 'hex', 'base64url'] as const) {
    expect(JSON.stringify(marks)).not.toContain(first.toString(form).slice(0, 12))
  }
})

test('a key is changed with both keys, a rotation, and then the new one alone', async () => {
  await check(before)
  await check(during)
  await expect(check(after)).rejects.toThrow(WrongSecretsKeyError)
  await rotateSecrets(database.db, during, secretColumns)
  await check(after)
  await expect(check(before)).rejects.toThrow(WrongSecretsKeyError)
})

test('a database from before there were marks is known by the secrets in it', async () => {
  await sealConnector(database, before)
  await expect(check(after)).rejects.toThrow(WrongSecretsKeyError)
  expect(await database.db.select().from(installation)).toEqual([])
  await check(before)
})

async function sealConnector(of: DatabaseHandle, vault: typeof before) {
  const user = await newUser(of)
  await of.db.insert(connectors).values({
    ...{ uid: crypto.randomUUID(), ownerId: user.userId, scope: 'own', active: true, name: 'Tools' },
    ...{ description: '', serverUrl: 'https://tools.test', headers: vault.seal('{}', headersContext) },
  })
}

const marked = ({ db }: DatabaseHandle) => requireSameKey(db, before, secretColumns)
const fromBeforeMarks = (own: DatabaseHandle) => sealConnector(own, before)
const another =
  'SECRETS_KEY does not hold the key that this database was sealed with. Give this instance the key of the others; while keys are changed, the old one after the new one.'
const missing = (file: string) =>
  `The key that this database was sealed with is missing: put ${file} back from where the key is kept, or give it as SECRETS_KEY. No other key was made.`

test.each([
  ['with another key', marked, { SECRETS_KEY: second.toString('base64') }, () => another],
  ['whose key file is lost', marked, {}, missing],
  ['from before there were marks, whose key file is lost', fromBeforeMarks, {}, missing],
])('a server %s does not start, says so, and makes no key', async (_what, prepare, settings, said) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-mark-'))
  const main = join(import.meta.dirname, '../../src/main.ts')
  layOutDatabase(dataDir)
  const own = await openDatabase({ dataDir })
  await prepare(own)
  await own.close()
  const child = Bun.spawn([process.execPath, main], {
    env: shortLivedWith({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...settings }),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await child.exited).toBe(1)
  const file = join(dataDir, 'secrets-key')
  expect(await new Response(child.stderr).text()).toBe(`${said(file)}\n`)
  expect(existsSync(file)).toBe(false)
  rmSync(dataDir, { recursive: true, force: true })
})
