import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { jsonb, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { rotateSecrets } from '../../src/secrets/rotate.ts'
import { createVault, SealedSecretError } from '../../src/secrets/vault.ts'
import { testDatabase } from '../support/database.ts'

const kept = pgTable('test_kept_secrets', {
  id: serial('id').primaryKey(),
  secretText: text('secret_text'),
  server: jsonb('server').$type<Record<string, unknown>>(),
})
const columns = [
  { table: kept, id: kept.id, column: kept.secretText, context: 'test.text' },
  { table: kept, id: kept.id, column: kept.server, context: 'test.server' },
]

const [first, second] = [randomBytes(32), randomBytes(32)]
const before = createVault({ current: first })
const during = createVault({ current: second, previous: [first] })
const after = createVault({ current: second })

let database: DatabaseHandle
beforeAll(async () => {
  database = await testDatabase()
  await database.db.execute(
    sql`create table if not exists test_kept_secrets (id serial primary key, secret_text text, server jsonb)`,
  )
})
afterAll(() => database.db.execute(sql`drop table test_kept_secrets`))
beforeEach(async () => {
  await database.db.delete(kept)
})

test('every secret of every page is sealed anew, whatever holds it, and the rest stays', async () => {
  const server = (name: string) => ({
    url: 'https://a.test',
    secret: before.seal(name, 'test.server'),
    headers: [{ value: before.seal(`${name} header`, 'test.server') }],
    timeoutSeconds: 20,
    credentialId: null,
  })
  await database.db
    .insert(kept)
    .values([
      ...Array.from({ length: 230 }, (_, at) => ({ secretText: before.seal(`text ${at}`, 'test.text') })),
      { server: server('one') },
      { secretText: 'never sealed', server: { url: 'https://b.test' } },
      {},
    ])
  expect(await rotateSecrets(database.db, during, columns)).toEqual({ resealed: 231, rows: 233 })

  const rows = await database.db.select().from(kept).orderBy(kept.id)
  rows.slice(0, 230).forEach((row, at) => {
    expect(after.open(row.secretText ?? '', 'test.text')).toBe(`text ${at}`)
  })
  const stored = rows[230]?.server as ReturnType<typeof server>
  expect(after.open(stored.secret, 'test.server')).toBe('one')
  expect(after.open(stored.headers[0]?.value ?? '', 'test.server')).toBe('one header')
  expect(stored).toMatchObject({ url: 'https://a.test', timeoutSeconds: 20, credentialId: null })
  expect(rows[231]).toMatchObject({ secretText: 'never sealed', server: { url: 'https://b.test' } })
  expect(rows[232]).toMatchObject({ secretText: null, server: null })

  expect(await rotateSecrets(database.db, during, columns)).toEqual({ resealed: 0, rows: 233 })
})

test('a secret that no key opens stops it, names no content, and leaves the row as it is', async () => {
  const foreign = createVault({ current: randomBytes(32) }).seal('hunter2', 'test.text')
  const [row] = await database.db.insert(kept).values({ secretText: foreign }).returning()
  const failed = rotateSecrets(database.db, during, columns)
  await expect(failed).rejects.toThrow(SealedSecretError)
  await expect(failed).rejects.not.toThrow('hunter2')
  const [unchanged] = await database.db
    .select()
    .from(kept)
    .where(eq(kept.id, row?.id ?? 0))
  expect(unchanged?.secretText).toBe(foreign)
})
