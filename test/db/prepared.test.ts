import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { preparedQuery } from '../../src/db/prepared/query.ts'
import { freshDatabase, testDatabase } from '../support/database.ts'

test('a query is built once per database', async () => {
  let built = 0
  const plusOne = preparedQuery('test.plus-one', (db, name) => {
    built++
    return db
      .select({ n: sql<number>`${sql.placeholder('n')}::int + 1` })
      .from(sql`(select 1) one`)
      .prepare(name)
  })
  const first = await testDatabase()
  const second = await freshDatabase()
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => plusOne(n % 2 ? second.db : first.db).execute({ n })),
  )
  expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
  expect(built).toBe(2)
  await second.close()
})
