import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { freshDatabase } from '../support/database.ts'

/** Statements that a connection takes before it has answered the first. */
const pipelined = 100

let handle: DatabaseHandle
beforeEach(async () => {
  handle = await freshDatabase({ max: 1 })
  await handle.sql`create table notes (text text)`
})
afterEach(() => handle.close())

/** Two statements have one transaction only inside one that somebody left open. */
const insideTransaction = async () => {
  const transactionId = async () => (await handle.sql`select pg_current_xact_id()::text as id`)[0]?.id
  const first = await transactionId()
  return first === (await transactionId())
}

describe('a transaction among many statements at the same time', () => {
  test.each([pipelined - 2, pipelined - 1, pipelined, pipelined + 1, pipelined * 2])(
    'after %i others it keeps its connection to itself, and ends',
    async (others) => {
      const before = Array.from({ length: others }, () => handle.sql`select 1`.execute())
      const insert = handle.db.transaction((tx) => tx.execute(sql`insert into notes values ('kept')`))
      await Promise.all([...before, insert])
      expect(await insideTransaction()).toBe(false)
      expect(await handle.sql`select text from notes`).toEqual([{ text: 'kept' }])
    },
  )
})
