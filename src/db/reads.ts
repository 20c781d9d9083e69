import { drizzle } from 'drizzle-orm/postgres-js'
import postgres, { type Sql } from 'postgres'
import { gatherOn } from './at-once.ts'
import type { Database, Executor } from './client.ts'
import { driverOf } from './driver.ts'

type Parameters = Sql['unsafe'] extends (statement: string, parameters: infer P, ...rest: never[]) => unknown
  ? P
  : never

/** Statements of one message; more of them make a second one. */
const maxStatements = 8

/** Gathers what is asked for until the turn of the event loop ends. */
function gathering(driver: Sql) {
  let open: { on: ReturnType<typeof gatherOn>; count: number } | undefined
  const begin = () => {
    const begun = { on: gatherOn(driver), count: 0 }
    process.nextTick(() => {
      if (open === begun) open = undefined
      begun.on.expect(begun.count)
    })
    return begun
  }
  const ask = async (statement: string, parameters: Parameters, isArrays: boolean) => {
    const run = (on: Sql) => {
      const query = on.unsafe(statement, parameters, { prepare: true })
      return isArrays ? query.values() : query
    }
    if (!open || open.count === maxStatements) open = begin()
    const message = open
    message.count += 1
    try {
      return await run(message.on)
    } catch (error) {
      // One that is refused, or takes too long, ends the others with it.
      if (message.count > 1 && error instanceof postgres.PostgresError) return run(driver)
      throw error
    }
  }
  return {
    options: { parsers: {}, serializers: {} },
    unsafe: (statement: string, parameters: Parameters) => ({
      values: () => ask(statement, parameters, true),
      // biome-ignore lint/suspicious/noThenProperty: a query of the driver starts when it is awaited
      then: (...handlers: globalThis.Parameters<Promise<unknown>['then']>) =>
        ask(statement, parameters, false).then(...handlers),
    }),
  }
}

const known = new WeakMap<Database, Executor>()

/**
 * Where to run small prepared reads that need no transaction: those that are asked for in one turn of the event loop go
 * to the database in one message, in place of one for each. They see what was committed when each of them runs.
 */
export function readsOf(db: Database): Executor {
  const driver = driverOf(db)
  if (!driver.options.prepare) return db
  let reads = known.get(db)
  if (!reads) {
    // Of the driver, drizzle uses these two alone here.
    reads = drizzle(gathering(driver) as unknown as Sql)
    known.set(db, reads)
  }
  return reads
}
