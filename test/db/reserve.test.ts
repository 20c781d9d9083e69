import { expect, test } from 'vitest'
import { newDatabase } from '../support/database.ts'

test('a connection that is made to be reserved is handed out, and serves others afterwards', async () => {
  const { sql, close } = await newDatabase({ max: 1 })
  const reserved = await sql.reserve()
  expect(await reserved`select 1 as one`).toEqual([{ one: 1 }])
  reserved.release()
  expect(await sql`select 2 as two`).toEqual([{ two: 2 }])
  await close()
})
