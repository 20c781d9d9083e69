import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { atOnce, isRefusal } from '../../src/db/at-once.ts'
import type { DatabaseHandle, Executor } from '../../src/db/client.ts'
import { isNoneFound, oneFound } from '../../src/db/one-found.ts'
import { newDatabase } from '../support/database.ts'

let handle: DatabaseHandle
let sent: string[] = []
beforeEach(async () => {
  handle = await newDatabase({ max: 1, onQuery: (statement) => void sent.push(statement.trim()) })
  await handle.sql`create table notes (text text primary key, more jsonb, at timestamptz)`
  await handle.sql`create table replies (note text references notes deferrable initially deferred)`
  sent = []
})
afterEach(() => handle.close())

const insert = (executor: Executor, text: unknown) => executor.execute(sql`insert into notes (text) values (${text})`)
const texts = async () => (await handle.sql`select text from notes order by text`).map(({ text }) => text)
const failureOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)

describe('statements that are sent at once', () => {
  test('are one transaction without a begin, and see what those before them did', async () => {
    const run = () =>
      atOnce(handle.db, (executor) => [
        executor.execute(sql`insert into notes (text) select 'note ' || count(*) from notes`),
        executor.execute(sql`select text from notes order by text`),
        executor.execute(sql`select pg_current_xact_id()::text as id union all select pg_current_xact_id()::text`),
      ])
    const [, first] = await run()
    const statements = [...sent]
    const [, second, ids] = await run()
    expect(statements.filter((statement) => /^(begin|commit)/.test(statement))).toEqual([])
    expect(statements).toHaveLength(3)
    expect([...first]).toEqual([{ text: 'note 0' }])
    expect([...second]).toEqual([{ text: 'note 0' }, { text: 'note 1' }])
    expect(new Set([...ids].map(({ id }) => id)).size).toBe(1)
  })

  test('give values as a transaction does, also of rows in the form of arrays, and leave alone how others are written', async () => {
    const read = (executor: Executor) =>
      executor.execute(
        sql`select 1::bigint as one, now() as at, ${JSON.stringify({ a: [null] })}::jsonb as json, null as none`,
      )
    const [rows] = await atOnce(handle.db, (executor) => [read(executor)])
    const [{ at: _, ...once } = {}] = [...rows]
    const [{ at: __, ...alone } = {}] = [...(await handle.db.transaction(read))]
    expect(once).toEqual(alone)
    await handle.db.execute(sql`insert into notes (text, more) values ('json', ${JSON.stringify({ a: 1 })}::jsonb)`)
    expect(await handle.sql`select more from notes`).toEqual([{ more: { a: 1 } }])
  })

  test.each<[string, (executor: Executor) => Promise<unknown>[], unknown]>([
    ['the database refuses one', (e) => [insert(e, 'a'), insert(e, 'a'), insert(e, 'b')], { code: '23505' }],
    ['one cannot be read', (e) => [insert(e, 'a'), e.execute(sql`selekt`), insert(e, 'b')], { code: '42601' }],
    [
      'a constraint is broken at the end',
      (e) => [insert(e, 'a'), e.execute(sql`insert into replies values ('other')`)],
      { code: '23503' },
    ],
    ['a value cannot be written', (e) => [insert(e, 'a'), insert(e, Symbol('no'))], /symbol/i],
    ['one fails before it is asked for', (e) => [insert(e, 'a'), Promise.reject(new Error('not asked'))], /not asked/],
    ['one asks for nothing', (e) => [insert(e, 'a'), Promise.resolve()], /asked for no statement/],
    ['one asks for two', (e) => [Promise.all([insert(e, 'a'), insert(e, 'b')])], /sent already/],
    ['one asks for another after the first', (e) => [insert(e, 'a').then(() => insert(e, 'b'))], /sent already/],
  ])('keep nothing where %s, and the connection is as good as before', async (name, ask, expected) => {
    const later = name.includes('after the first')
    for (let times = 0; times < 2; times += 1) {
      const failure = await failureOf(atOnce(handle.db, ask))
      const cause = failure instanceof Error && failure.cause ? failure.cause : failure
      if (expected instanceof RegExp) expect(String(cause)).toMatch(expected)
      else expect(cause).toMatchObject(expected as object)
      // What is asked for too late is refused, and what was sent stays.
      expect(await texts()).toEqual(later ? ['a'] : [])
      if (later) return
    }
    await atOnce(handle.db, (executor) => [insert(executor, 'kept')])
    expect(await texts()).toEqual(['kept'])
  })

  test('are prepared anew, all of them, when the tables have changed since', async () => {
    const run = (text: string) =>
      atOnce(handle.db, (executor) => [
        executor.execute(sql`insert into notes (text) values (${text}) returning *`),
        executor.execute(sql`select * from replies`),
        executor.execute(sql`select * from notes`),
      ])
    await run('before')
    await handle.sql`alter table notes add column extra text`
    await handle.sql`alter table replies add column extra text`
    const [, , notes] = await run('after')
    expect([...notes]).toHaveLength(2)
    expect([...notes][0]).toHaveProperty('extra')
  })

  test('stay apart from others on the same connection, also large ones', async () => {
    const large = 'x'.repeat(200_000)
    const works = Array.from({ length: 20 }, (_, n) => [
      failureOf(
        atOnce(handle.db, (executor) => [
          executor.execute(
            sql`insert into notes (text, more) values (${`at once ${n}`}, ${JSON.stringify(large)}::jsonb)`,
          ),
          ...(n % 2 === 0 ? [insert(executor, `at once ${n}`)] : []),
        ]),
      ),
      handle.sql`insert into notes (text) values (${`alone ${n}`})`.execute(),
      handle.db.transaction((tx) => insert(tx, `transaction ${n}`)),
    ])
    await Promise.all(works.flat())
    const kept = await texts()
    expect(kept.filter((text) => text.startsWith('at once'))).toHaveLength(10)
    expect(kept).toHaveLength(50)
  })

  test('fail as a whole where a statement did not find its one row', async () => {
    const guarded = (text: string) =>
      atOnce(handle.db, (executor) => [
        insert(executor, 'first'),
        executor.execute(sql`with gone as (delete from notes where text = ${text} returning text)
          select ${oneFound} from gone`),
      ])
    const failure = await failureOf(guarded('none'))
    const cause = failure instanceof Error ? (failure.cause ?? failure) : failure
    expect([isNoneFound(cause), isRefusal(cause)]).toEqual([true, true])
    expect(await texts()).toEqual([])
    await handle.sql`insert into notes (text) values ('there')`
    await guarded('there')
    expect(await texts()).toEqual(['first'])
  })
})
