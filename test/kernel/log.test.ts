import postgres from 'postgres'
import { expect, test } from 'vitest'
import { describeError } from '../../src/runtime/log.ts'
import { testDatabase } from '../support/database.ts'

/** What the driver throws for a statement. */
async function failureOf(statement: string): Promise<Error> {
  const { sql } = await testDatabase()
  const error = await sql.unsafe(statement).catch((thrown: unknown) => thrown)
  if (!(error instanceof postgres.PostgresError)) throw new Error('It was not refused')
  return error
}

test.each([
  ["select 'my secret'::int", '22P02'],
  ['insert into users default values', '23502'],
  ['select secret from nowhere_at_all', '42P01'],
])('what the database says of %s is not logged, its code is', async (statement, code) => {
  const error = await failureOf(statement)
  const logged = describeError(new Error(`Failed query: ${statement}`, { cause: error }))
  expect(logged).toMatchObject({ type: 'PostgresError', code, message: 'a statement was refused' })
  expect(JSON.stringify(logged)).not.toContain(error.message)
})

test('the state of the database is', () => {
  const error = Object.assign(new Error('the database system is shutting down'), {
    name: 'PostgresError',
    code: '57P03',
  })
  expect(describeError(error)).toMatchObject({ code: '57P03', message: 'the database system is shutting down' })
})
