import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { preparedSelect } from '../../src/db/prepared/statement.ts'
import { readsOf } from '../../src/db/reads.ts'
import { users } from '../../src/resources/users/table.ts'
import { newDatabase } from '../support/database.ts'

let handle: DatabaseHandle
let sent: string[] = []
beforeEach(async () => {
  handle = await newDatabase({ onQuery: (statement) => void sent.push(statement.trim()) })
  await handle.sql`create table notes (text text)`
  await handle.sql`insert into notes values ('one'), ('two')`
  sent = []
})
afterEach(() => handle.close())

const columns = {
  number: sql<number>`10 / ${sql.placeholder('by')}::int`,
  transaction: sql<string>`pg_current_xact_id()::text`,
}
const divide = preparedSelect<{ number: number; transaction: string }>(columns, (executor) =>
  executor.select(columns).from(sql`(values (1)) as one`),
)
const countUsers = preparedSelect<{ total: number }>({ total: sql<number>`count(*)::int` }, (executor) =>
  executor.select({ total: sql<number>`count(*)::int` }).from(users),
)

test('reads of one turn of the event loop go out in one message, in their order', async () => {
  const reads = readsOf(handle.db)
  const [[fifth], [counted], [half]] = await Promise.all([
    divide(reads, { by: 5 }),
    countUsers(reads, {}),
    divide(reads, { by: 2 }),
  ])
  expect([fifth, counted, half]).toMatchObject([{ number: 2 }, { total: 0 }, { number: 5 }])
  expect(half?.transaction).toBe(fifth?.transaction)
  expect(sent).toHaveLength(3)
  const [later] = await divide(reads, { by: 1 })
  expect(later?.number).toBe(10)
  expect(later?.transaction).not.toBe(half?.transaction)
})

test('one that the database refuses fails alone, and the others are read again', async () => {
  const reads = readsOf(handle.db)
  const [half, refused, fifth] = await Promise.allSettled([
    divide(reads, { by: 2 }),
    divide(reads, { by: 0 }),
    divide(reads, { by: 5 }),
  ])
  expect([half, fifth]).toMatchObject([{ value: [{ number: 5 }] }, { value: [{ number: 2 }] }])
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
})

test('many go out in several messages of a few', async () => {
  const reads = readsOf(handle.db)
  const rows = await Promise.all(Array.from({ length: 30 }, (_, at) => divide(reads, { by: at + 1 })))
  expect(rows.map(([row]) => row?.number)).toEqual(Array.from({ length: 30 }, (_, at) => Math.trunc(10 / (at + 1))))
  const transactions = Map.groupBy(rows, ([row]) => row?.transaction)
  expect(Math.max(...[...transactions.values()].map((group) => group.length))).toBe(8)
})
