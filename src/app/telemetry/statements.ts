import { drizzle } from 'drizzle-orm/postgres-js'
import type { DatabaseHandle } from '../../db/client.ts'
import type { Tracing } from '../../runtime/tracing.ts'

type Driver = DatabaseHandle['sql']

/** A statement of the driver that was made and is not sent yet: asking it for `then` would send it. */
interface Statement {
  resolve(value: unknown): void
  reject(error: unknown): void
}

const isStatement = (value: unknown): value is Statement =>
  value instanceof Promise && 'resolve' in value && 'reject' in value

/** What a statement does and to which table, without anything that it holds. */
export function statementName(text: string): string {
  const verb = /^\W*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update|join)\s+"?(?:only\s+)?"?([a-z_]\w*)"?/i.exec(text)?.[1]
  return table === undefined ? verb : `${verb} ${table}`
}

const textOf = (first: unknown): string => (Array.isArray(first) ? String(first[0]) : String(first))

/** The driver with a span for each statement: from when it is made, so that waiting for a connection counts. */
function tracedDriver(driver: Driver, tracing: Tracing): Driver {
  const watch = (made: unknown, first: unknown): unknown => {
    if (!isStatement(made)) return made
    const attributes = { 'db.system.name': 'postgresql' }
    const span = tracing.begin(statementName(textOf(first)), { kind: 'client', attributes })
    const { resolve, reject } = made
    made.resolve = (value) => {
      span.end()
      resolve(value)
    }
    made.reject = (error) => {
      span.end(true)
      reject(error)
    }
    return made
  }
  /** `begin` and `savepoint` hand the driver of their transaction to their last argument. */
  const within = (args: unknown[]) =>
    args.map((given) => (typeof given === 'function' ? (inner: Driver) => given(tracedDriver(inner, tracing)) : given))
  return new Proxy(driver, {
    apply: (target, self, args) => watch(Reflect.apply(target, self, args), args[0]),
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (name === 'unsafe') return (...args: unknown[]) => watch(Reflect.apply(value, target, args), args[0])
      if (name === 'begin' || name === 'savepoint')
        return (...args: unknown[]) => Reflect.apply(value, target, within(args))
      return value
    },
  })
}

/** A database with a span for each statement. */
export function tracedDatabase(handle: DatabaseHandle, tracing: Tracing): DatabaseHandle {
  const sql = tracedDriver(handle.sql, tracing)
  return { ...handle, sql, db: drizzle(sql), apart: (lockMs) => tracedDatabase(handle.apart(lockMs), tracing) }
}
