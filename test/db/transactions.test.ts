import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { together } from '../../src/db/together.ts'
import { newDatabase } from '../support/database.ts'

/** Statements that a connection takes before it has answered the first. */
const pipelined = 100

let handle: DatabaseHandle
let sent: string[] = []
beforeEach(async () => {
  handle = await newDatabase({ max: 1, onQuery: (statement) => void sent.push(statement.trim()) })
  await handle.sql`create table notes (text text)`
  sent = []
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

  const large = 'x'.repeat(100_000)
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20))

  test('whose statements are large, none of the others gets into it, and each of them ends', async () => {
    const transactions = Array.from({ length: 3 }, () =>
      handle.db.transaction(async (tx) => {
        await tx.execute(sql`select 1`)
        await tx.execute(sql`insert into notes values (${large})`)
        await pause()
        await tx.execute(sql`select 1`)
      }),
    )
    const others = Array.from({ length: 5 }, (_, n) => handle.sql`insert into notes values (${`other ${n}`})`)
    await Promise.all([...transactions, ...others])
    expect(await insideTransaction()).toBe(false)
    expect(await handle.sql`select text from notes`).toHaveLength(8)
  })

  test('that is taken back after a large statement, takes nothing of others with it', async () => {
    const refused = handle.db.transaction(async (tx) => {
      await tx.execute(sql`insert into notes values (${large})`)
      await pause()
      throw new Error('refused')
    })
    const others = (async () => {
      await pause()
      await handle.sql`insert into notes values ('kept')`
    })()
    await expect(refused).rejects.toThrow('refused')
    await others
    expect(await handle.sql`select text from notes`).toEqual([{ text: 'kept' }])
  })
})

describe('statements of a transaction that are given together', () => {
  test('are sent before the first has ended, and run in their order', async () => {
    const [heard, , last] = await handle.db.transaction((tx) =>
      together(
        tx.execute(sql`insert into notes values ('first')`).then(() => [...sent]),
        tx.execute(sql`update notes set text = 'second'`),
        tx.execute(sql`select text from notes`),
      ),
    )
    expect(heard).toEqual([
      'begin',
      "insert into notes values ('first')",
      "update notes set text = 'second'",
      'select text from notes',
    ])
    expect([...last]).toEqual([{ text: 'second' }])
  })

  test('fail with the error of the first that failed, and leave nothing', async () => {
    const failed = handle.db.transaction((tx) =>
      together(
        tx.execute(sql`insert into notes values ('earlier')`),
        tx.execute(sql`insert into nowhere values ('failing')`),
        tx.execute(sql`insert into notes values ('later')`),
      ),
    )
    await expect(failed).rejects.toMatchObject({ cause: { code: '42P01' } })
    expect(await handle.sql`select text from notes`).toEqual([])
  })

  test('have all ended before the rollback, also where one is refused without the database', async () => {
    const refused = handle.db.transaction((tx) =>
      together(
        Promise.reject(new Error('refused')),
        tx.execute(sql`select 1`).then(() => tx.execute(sql`insert into notes values ('kept')`)),
      ),
    )
    await expect(refused).rejects.toThrow('refused')
    expect(sent.slice(-2)).toEqual(["insert into notes values ('kept')", 'rollback'])
    expect(await handle.sql`select text from notes`).toEqual([])
  })
})
