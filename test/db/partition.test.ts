import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planOf, timed } from '../../scripts/partition/plan.ts'
import { type Operation, operationsOf } from '../../src/api/operations.ts'
import { dump } from '../../src/backup/dump.ts'
import { verify } from '../../src/backup/verify.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { restRouter } from '../../src/router.ts'
import { noProgress } from '../../src/runtime/progress.ts'
import { folderFiles } from '../../src/storage/folder.ts'
import { facesOf, freshRequest, type Request } from '../matrix/request.ts'
import { callOn, createWorld, type World } from '../matrix/world.ts'
import { testClock } from '../support/app.ts'
import { newDatabase } from '../support/database.ts'

let database: DatabaseHandle
let world: World
const now = new Date()
/** The middle of a later month. */
const inMonths = (count: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 15)).toISOString()

beforeAll(async () => {
  database = await newDatabase()
  // Statistics say when they were computed.
  world = await createWorld({ database, clock: testClock(now) })
})
afterAll(() => database.close())

const operations = operationsOf(restRouter).filter(({ meta }) => !meta.download)
/** What tells how the installation is doing may change from one moment to the next. */
const reads = operations.filter(({ name, type }) => type === 'query' && name !== 'admin.installation.get')

function send(operation: Operation, { params, input }: Request) {
  const { token } = operation.meta.access === 'operator' ? world.operator : world.owner
  return callOn(facesOf(operation)[0] ?? 'rest')(world, operation, params, input, token)
}

/** Runs statements one after the other on one connection, as a terminal does. */
async function run(statements: readonly string[]): Promise<void> {
  const connection = await database.sql.reserve()
  try {
    for (const statement of statements) await connection.unsafe(statement)
  } finally {
    connection.release()
  }
}

const partitionsOf = async (table: string) =>
  (
    await database.sql<{ name: string }[]>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`
  ).map(({ name }) => name)

/** Does each procedure once, with objects of its own. */
async function everything(): Promise<void> {
  for (const operation of operations) {
    const { status, body } = await send(operation, await freshRequest(world, operation))
    expect({ name: operation.name, status, ...(status >= 300 && { body }) }).toEqual({
      name: operation.name,
      status: facesOf(operation)[0] === 'trpc' ? 200 : (operation.meta.status ?? 200),
    })
  }
}

test('a partitioned database holds what it held, and every procedure works on it', async () => {
  await everything()
  const asked: { operation: Operation; request: Request }[] = []
  for (const operation of reads) asked.push({ operation, request: await freshRequest(world, operation) })
  const readAll = async () => {
    const read: Record<string, unknown> = {}
    for (const { operation, request } of asked) read[operation.name] = await send(operation, request)
    return read
  }
  await readAll()
  const before = await readAll()
  for (const name of timed) {
    expect((await database.sql`select 1 from ${database.sql(name)} limit 1`).length, name).toBe(1)
  }
  await run(await planOf(database.sql, now, 3))
  for (const name of timed) expect(await partitionsOf(name), name).toHaveLength(5)
  expect(await readAll()).toEqual(before)
  await everything()
})

test('nothing is to be done twice; a later run makes the partitions that are missing, and moves their rows into them', async () => {
  expect(await planOf(database.sql, now, 3)).toEqual([])
  const count = async () => (await database.sql`select 1 from messages`).length
  const total = await count()
  const late = inMonths(5)
  const [moved] = await database.sql<{ id: number }[]>`
    update messages set created_at = ${late} where id = (select max(id) from messages where model is null) returning id`
  await run(await planOf(database.sql, new Date(late), 1))
  const name = `messages_${late.slice(0, 7).replace('-', '_')}`
  expect(await database.sql`select id from ${database.sql(name)}`).toEqual([moved])
  expect(await count()).toBe(total)
  expect(await partitionsOf('messages')).toHaveLength(8)
})

test('a turn has one reply in each partition, as it has without', async () => {
  const [reply] = await database.sql`select * from messages where model is not null limit 1`
  const { id: _, ...columns } = reply ?? {}
  const again = (createdAt: string) =>
    database.sql`insert into messages ${database.sql({ ...columns, generation: null, created_at: createdAt })} returning id`
  await expect(again(now.toISOString())).rejects.toMatchObject({ code: '23505' })
  const [other] = await again(inMonths(2))
  await expect(again(inMonths(2))).rejects.toMatchObject({ code: '23505' })
  await database.sql`delete from messages where id = ${other?.id}`
})

test('an archive of it is whole, and restored it is not partitioned', async () => {
  const files = folderFiles(mkdtempSync(join(tmpdir(), 'switchboard-partition-')))
  const parts = { database, files, fileColumns: [], version: '1.2.3', now, progress: noProgress }
  const { tables } = await verify(dump(parts), noProgress)
  for (const name of timed) {
    const rows = await database.sql`select 1 from ${database.sql(name)}`
    expect([name, tables[name]?.count]).toEqual([name, rows.length])
  }
  expect(Object.keys(tables).filter((name) => /_\d{4}_\d\d$/.test(name))).toEqual([])
})
