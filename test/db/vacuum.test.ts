import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { vacuumPart } from '../../src/db/vacuum.ts'
import { newDatabase, onServer } from '../support/database.ts'

let database: DatabaseHandle
beforeAll(async () => {
  database = await newDatabase()
})
afterAll(() => database.close())

/** A part whose clock strikes when it is told to; it resolves once what that began has ended. */
function vacuumsOf(handle: Parameters<typeof vacuumPart>[0]) {
  let strike: (() => void) | undefined
  let now = 0
  const every = (_ms: number, run: () => void) => {
    strike = run
    return () => {}
  }
  const part = vacuumPart(handle, pino({ level: 'silent' }), { every, now: () => now })
  part.start?.()
  return {
    isStarted: strike !== undefined,
    async strike(afterMs = 10_000) {
      now += afterMs
      strike?.()
      await part.stop()
    },
  }
}

/** Rows of a new table, some of which were changed, and how many of them an index-only count looks at. */
async function filled(name: string, rows: number) {
  const { sql } = database
  await sql.unsafe(`create table ${name} (id int primary key, text text)`)
  await sql.unsafe(`insert into ${name} select n, repeat('x', 100) from generate_series(1, ${rows}) n`)
  await sql.unsafe(`update ${name} set text = 'changed' where id % 10 = 0`)
  // What was counted is told about a second later.
  await sql`select pg_stat_force_next_flush()`
  return async () => {
    await sql.unsafe('set enable_seqscan = off; set enable_bitmapscan = off')
    const plan = await sql.unsafe(`explain (analyze, costs off) select count(id) from ${name}`)
    return Number(/Heap Fetches: (\d+)/.exec(JSON.stringify(plan))?.[1])
  }
}

const nobody = { idle: 1, busy: 0, waiting: 0 }

test.each([
  ['in which enough has changed is vacuumed', 2_000, 2_000, nobody, true],
  ['in which little has changed is left', 100, 2_000, nobody, false],
  ['is left while statements come', 2_000, 1_999, nobody, false],
  ['is left while a transaction waits', 2_000, 2_000, { ...nobody, busy: 1 }, false],
])('a table of a quiet embedded database %s', async (what, rows, quiet, pool, vacuumed) => {
  if (onServer()) return
  const name = `vacuum_${what.replaceAll(' ', '_')}`
  const looked = await filled(name, rows)
  expect(await looked()).toBeGreaterThanOrEqual(rows)
  await vacuumsOf({ ...database, pool: () => pool, quietFor: () => quiet }).strike()
  expect((await looked()) === 0).toBe(vacuumed)
  await database.sql.unsafe(`drop table ${name}`)
})

test('what has grown before this start is vacuumed, and is not again', async () => {
  if (onServer()) return
  const looked = await filled('vacuum_before', 20_000)
  await database.sql`select pg_stat_reset()`
  const part = vacuumsOf({ ...database, pool: () => nobody, quietFor: () => 2_000 })
  await part.strike()
  expect(await looked()).toBe(0)
  const vacuums = () => database.sql`select sum(vacuum_count) from pg_stat_all_tables where schemaname = 'public'`
  const [before] = await vacuums()
  await part.strike()
  expect((await vacuums())[0]).toEqual(before)
})

test('a table that cannot be vacuumed is left for an hour, and the others have their turn', async () => {
  if (onServer()) return
  const worst = await filled('vacuum_worst', 3_000)
  const other = await filled('vacuum_other', 2_000)
  const { db } = database
  let isBroken = true
  const broken = new Proxy(db, {
    get: (target, name, receiver) =>
      name === 'execute'
        ? async (query: SQL) => {
            const { sql } = new PgDialect().sqlToQuery(query)
            if (isBroken && sql === 'vacuum vacuum_worst') throw new Error('No space left on device')
            return target.execute(query)
          }
        : Reflect.get(target, name, receiver),
  })
  const part = vacuumsOf({ ...database, db: broken, pool: () => nobody, quietFor: () => 2_000 })
  await part.strike()
  await part.strike(9_000)
  expect(await other()).toBeGreaterThan(0)
  await part.strike()
  expect(await other()).toBe(0)
  isBroken = false
  await part.strike()
  expect(await worst()).toBeGreaterThan(0)
  await part.strike(3_600_000)
  expect(await worst()).toBe(0)
})

test('an embedded database says since when it is quiet, and a server vacuums by itself', async () => {
  expect(vacuumsOf(database).isStarted).toBe(!onServer())
  if (onServer()) return
  await database.sql`select 1`
  const first = Number(database.quietFor?.())
  expect(first).toBeLessThan(1_000)
  await Bun.sleep(20)
  expect(database.quietFor?.()).toBeGreaterThan(first)
})

test('an embedded database takes an index that has rows in order', async () => {
  if (onServer()) return
  expect(await database.sql`show random_page_cost`).toEqual([{ random_page_cost: '1' }])
})
