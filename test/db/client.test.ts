import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseHandle, openDatabase } from '../../src/db/client.ts'
import { DataFolderInUseError } from '../../src/db/lock.ts'
import { embeddedTemplate, newDatabase } from '../support/database.ts'

const rows = pgTable('rows', {
  id: integer('id').primaryKey(),
  n: integer('n').notNull(),
  big: bigint('big', { mode: 'number' }),
  label: text('label'),
  at: timestamp('at', { withTimezone: true }),
})

const sent: string[] = []
let handle: DatabaseHandle

beforeAll(async () => {
  handle = await newDatabase({ onQuery: (statement) => sent.push(statement) })
  await handle.sql`create table rows (id int primary key, n int not null, big bigint, label text, at timestamptz)`
})
afterAll(() => handle.close())

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

describe('queries at the same time', () => {
  test('each gets its own answer: one-off, prepared by the driver, prepared by drizzle', async () => {
    const prepared = handle.db
      .select({ n: sql<number>`${sql.placeholder('n')}::int * 10` })
      .from(sql`(select 1) one`)
      .prepare('ten_times')
    const answers = await Promise.all(
      numbers(120).map(async (i) => [
        (await handle.sql.unsafe(`select $1::int as n, ${i} as m`, [i]))[0],
        (await handle.sql`select ${i}::int + 1 as n`)[0],
        (await prepared.execute({ n: i }))[0],
        (await handle.db.execute(sql`select ${i}::int * ${i % 7}::int as n`))[0],
      ]),
    )
    expect(answers).toEqual(numbers(120).map((i) => [{ n: i, m: i }, { n: i + 1 }, { n: i * 10 }, { n: i * (i % 7) }]))
  })

  test('two prepared queries of one name do not collide', async () => {
    const first = handle.db.select({ n: sql<number>`1` }).from(sql`(select 1) one`).prepare('same')
    const second = handle.db.select({ n: sql<number>`2` }).from(sql`(select 1) one`).prepare('same')
    const answers = await Promise.all(numbers(40).map((i) => (i % 2 ? second : first).execute()))
    expect(answers.map(([row]) => row?.n)).toEqual(numbers(40).map((i) => 1 + (i % 2)))
  })

  test('transactions do not see each other half done', async () => {
    await handle.db.insert(rows).values({ id: 1, n: 0 })
    await Promise.all(
      numbers(20).map((i) =>
        handle.db.transaction(async (tx) => {
          const [row] = await tx.select().from(rows).where(eq(rows.id, 1)).for('update')
          await Bun.sleep(1)
          await tx
            .update(rows)
            .set({ n: (row?.n ?? 0) + 1 })
            .where(eq(rows.id, 1))
          await tx.insert(rows).values({ id: 100 + i, n: i })
        }),
      ),
    )
    expect(await handle.db.select({ n: rows.n }).from(rows).where(eq(rows.id, 1))).toEqual([{ n: 20 }])
    expect(await handle.db.$count(rows)).toBe(21)
  })

  test('a failing transaction takes nothing and nobody with it', async () => {
    const failing = handle.db.transaction(async (tx) => {
      await tx.insert(rows).values({ id: 200, n: 0 })
      await tx.execute(sql`select 1 / ${0}::int`)
    })
    const others = Promise.all(numbers(10).map((i) => handle.db.insert(rows).values({ id: 210 + i, n: i })))
    await expect(failing).rejects.toThrow()
    await others
    expect(await handle.db.select().from(rows).where(eq(rows.id, 200))).toEqual([])
    expect(await handle.db.$count(rows, sql`id >= 210`)).toBe(10)
  })

  test('a statement that cannot be parsed fails alone', async () => {
    const answers = await Promise.allSettled([
      handle.sql`select ${1}::int as n`,
      handle.sql.unsafe('selekt $1', [1]),
      handle.sql.unsafe('select $1::nosuch', ['x'], { prepare: true }),
      handle.sql`select ${2}::int as n`,
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  })
})

describe('values', () => {
  test('bigint is a number, and an error beyond what a number holds exactly', async () => {
    await handle.db.insert(rows).values({ id: 300, n: 0, big: Number.MAX_SAFE_INTEGER })
    expect(await handle.db.select({ big: rows.big }).from(rows).where(eq(rows.id, 300))).toEqual([
      { big: Number.MAX_SAFE_INTEGER },
    ])
    expect(await handle.sql`select count(*) from rows where id = ${300}`).toEqual([{ count: 1 }])
    await expect(handle.sql`select 9007199254740993::bigint`).rejects.toThrow('9007199254740993 is not a safe integer')
    await handle.ping()
  })

  test('dates and megabytes of text come back as they went', async () => {
    const at = new Date('2026-02-03T04:05:06.789Z')
    const label = 'é😀'.repeat(500_000)
    await handle.db.insert(rows).values({ id: 301, n: 0, label, at })
    const [row] = await handle.db.select().from(rows).where(eq(rows.id, 301))
    expect(row?.at).toEqual(at)
    expect(row?.label === label).toBe(true)
  })
})

test('trigram indexes are at hand on either engine', async () => {
  expect(await handle.sql`select name from pg_available_extensions where name = 'pg_trgm'`).toEqual([
    { name: 'pg_trgm' },
  ])
})

test('arrays are sent and read', async () => {
  const texts = ['plain', 'with "quotes", commas and \\', '']
  const ids = [crypto.randomUUID(), crypto.randomUUID()]
  const [row] = await handle.db.execute(
    sql`select ${sql.param(texts)}::text[] as texts, ${sql.param(ids)}::uuid[] as ids, ${sql.param([1, -2])}::int[] as numbers,
      '{}'::text[] as none, 'plain' = any(${sql.param(texts)}::text[]) as found`,
  )
  expect(row).toEqual({ texts, ids, numbers: [1, -2], none: [], found: true })
})

test('the first statement of a connection is the one that was asked for', async () => {
  const first: string[] = []
  const fresh = await newDatabase({ onQuery: (statement) => first.push(statement) })
  await fresh.sql`select 1 as asked`
  await fresh.close()
  expect(first.filter((statement) => !statement.startsWith('set '))).toEqual(['select 1 as asked'])
})

test('onQuery hears of a statement before it takes effect', async () => {
  sent.length = 0
  const insert = handle.db.insert(rows).values({ id: 400, n: 0 }).execute()
  while (sent.length === 0) await Promise.resolve()
  expect(sent[0]).toMatch(/^insert into "rows"/)
  await insert
})

test('ping answers, and gives up on a server that does not', async () => {
  await expect(handle.ping()).resolves.toBeUndefined()
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const dead = await openDatabase({ url: `postgres://u:p@127.0.0.1:${port}/x` })
  await expect(dead.ping()).rejects.toThrow('The database did not answer in time')
  silent.close()
  void dead.close()
})

test('an embedded database on files keeps its rows, and has one owner at a time', async ({ skip }) => {
  const template = embeddedTemplate()
  if (!template) return skip('needs the template of the embedded database')
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-data-'))
  try {
    const first = await openDatabase({ dataDir, template })
    await first.sql`create table kept (id int)`
    await first.sql`insert into kept values (7)`
    await expect(openDatabase({ dataDir })).rejects.toThrow(DataFolderInUseError)
    await first.close()
    await first.close()
    const second = await openDatabase({ dataDir })
    expect(await second.sql`select id from kept`).toEqual([{ id: 7 }])
    await second.close()
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})
