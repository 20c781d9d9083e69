import { drizzle } from 'drizzle-orm/postgres-js'
import { atOnce } from '../../src/db/at-once.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import { driverOf } from '../../src/db/driver.ts'

interface Asked {
  statement: string
  params: unknown[]
}

const lost = () => Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })

/** A database over a connection that can be lost right after something was sent at once. */
export interface CutConnection {
  handle: DatabaseHandle
  /**
   * What is sent at once from now on is under way, until `restore`; the sender hears that the connection is lost after
   * `heard`.
   */
  cut(heard?: Promise<void>): void
  restore(): void
  underWay(): number
  /** What is under way arrives and is run. */
  arrive(): Promise<unknown>
}

export function cutConnection(real: DatabaseHandle): CutConnection {
  const underWay: Asked[] = []
  let heard: Promise<void> | undefined
  const swallow = (after: Promise<void>) => ({
    options: { parsers: {}, serializers: {} },
    unsafe(statement: string, params: unknown[]) {
      underWay.push({ statement, params })
      const failed = after.then(() => Promise.reject(lost()))
      return Object.assign(failed, { values: () => failed })
    },
    expect() {},
    fail() {},
  })
  const { gather } = real.sql as unknown as { gather(): unknown }
  const sql = new Proxy(real.sql, {
    get: (target, name, receiver) =>
      name === 'gather' ? () => (heard ? swallow(heard) : gather()) : Reflect.get(target, name, receiver),
  })
  return {
    handle: { ...real, sql, db: drizzle(sql) },
    cut(after = Promise.resolve()) {
      underWay.length = 0
      heard = after
    },
    restore() {
      heard = undefined
    },
    underWay: () => underWay.length,
    arrive() {
      const arriving = underWay.splice(0)
      return atOnce(real.db, (executor) =>
        arriving.map(async ({ statement, params }) => [
          ...(await driverOf(executor)
            .unsafe(statement, params as never[])
            .execute()),
        ]),
      )
    },
  }
}
