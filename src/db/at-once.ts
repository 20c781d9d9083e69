import { drizzle } from 'drizzle-orm/postgres-js'
import postgres, { type Sql } from 'postgres'
import type { Database, Executor } from './client.ts'
import { driverOf } from './driver.ts'
import { type Results, together } from './together.ts'
import { isUnreachable } from './unreachable.ts'

/** What our patch of the driver adds: it keeps the statements that are asked of it until all are there. */
interface Gathered extends Sql {
  /** How many there will be: with the last of them, all are sent. */
  expect(count: number): void
  /** Nothing is sent any more, unless it was; the error is made only then, as its stack takes time. */
  fail(makeError: () => unknown): void
}

/** Begins a message. */
export const gatherOn = (driver: Sql): Gathered => (driver as unknown as { gather(): Gathered }).gather()

/**
 * Runs statements as one transaction in one message to the database: it runs them in this order, and keeps all or
 * none. Each promise of `ask` is that of one statement, and none needs the result of another. Where a pooler keeps
 * no prepared statements, it is a transaction like others.
 * @throws what the database says of the first that failed; of `isRefusal`, nothing was kept then.
 */
export async function atOnce<const Statements extends readonly Promise<unknown>[]>(
  db: Database,
  ask: (executor: Executor) => Statements,
): Promise<Results<Statements>> {
  const driver = driverOf(db)
  if (!driver.options.prepare) return db.transaction((tx) => together(...ask(tx)))
  const gathered = gatherOn(driver)
  const statements = ask(drizzle(gathered))
  gathered.expect(statements.length)
  const asked = statements.map((statement) => {
    // Drizzle's queries run each time that they are waited for.
    const once = Promise.resolve(statement)
    once.then(
      () => gathered.fail(() => new Error('This asked for no statement')),
      (error) => gathered.fail(() => error),
    )
    return once
  })
  return (await together(...asked)) as Results<Statements>
}

/** Whether the database itself refused what was sent, and so kept nothing; other errors leave that open. */
export const isRefusal = (error: unknown): boolean => error instanceof postgres.PostgresError && !isUnreachable(error)
