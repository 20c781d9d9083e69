import { drizzle } from 'drizzle-orm/postgres-js'
import type { Sql } from 'postgres'
import type { DatabaseHandle } from '../../src/db/client.ts'
import type { Process } from '../world/process.ts'
import type { World } from '../world/world.ts'
import type { Engine } from './engine.ts'

/** How often the way to the database breaks. */
export interface DatabaseFaults {
  /** What becomes of a statement; undefined for nothing bad. */
  next(isCommit: boolean): 'refused' | 'lost' | undefined
  /** Milliseconds that a statement takes to arrive, or its response. */
  delay(): number
}

interface Transaction {
  process: Process
  open: boolean
  /** Statements that were sent and have not arrived, in their order. */
  underWay: (() => Promise<void>)[]
}

interface Statement {
  statement: string
  params: unknown[]
  values: boolean
  prepare: boolean
}

interface Job extends Statement {
  tx: Transaction | undefined
}

const connectionLost = () => Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })

/**
 * The database as several processes reach it: the world decides which statement is next. One transaction runs at a
 * time, so that each is as if it were alone; statements outside of transactions come between them in any order.
 */
export function createServer(world: World, engine: Engine, faults: DatabaseFaults) {
  const waiting: (() => void)[] = []
  let current: Transaction | undefined
  let statements = 0

  /** Whoever waits asks again, in any order; all but the first may have to wait once more. */
  const free = () => {
    current = undefined
    for (const again of waiting.splice(0)) world.schedule('db goes on', world.random().next(), again)
  }

  const end = async (tx: Transaction, statement: 'commit' | 'rollback') => {
    tx.open = false
    try {
      await engine.run(statement, [], { values: false, prepare: false })
    } finally {
      free()
    }
  }

  const rollback = (tx: Transaction) => (tx.open ? end(tx, 'rollback') : undefined)

  /** How long a message is under way whose sender lost the connection behind it. */
  const lateMs = () => faults.delay() + world.random().next() * 100

  /**
   * Runs `work` once no other transaction does, and hands its result back after a while. What is `whole` may arrive
   * although its sender hears that the connection is lost.
   */
  const reach = <T>(
    process: Process,
    what: string,
    tx: Transaction | undefined,
    work: () => Promise<T>,
    whole = false,
  ): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const actor = world.actor()
      const { name } = process
      const back = (run: () => void) => world.schedule(`${name} hears`, faults.delay(), run, process)
      const arrive = async () => {
        if (!process.alive) return
        if (current && current !== tx) {
          waiting.push(() => world.as(actor, arrive))
          return
        }
        if (tx && !tx.open) return void back(() => reject(connectionLost()))
        const fault = faults.next(whole || what === 'commit')
        if (fault === 'refused') {
          if (tx) await rollback(tx)
          if (whole && world.random().next() < 0.5) {
            const late = () => (current ? void waiting.push(() => world.as(actor, late)) : work().catch(() => {}))
            world.schedule(`${name} sent`, lateMs(), late)
          }
          return void back(() => reject(connectionLost()))
        }
        statements += 1
        world.note(`${name} ${what}`)
        try {
          const result = await work()
          if (fault === 'lost') {
            if (tx) await rollback(tx)
            back(() => reject(connectionLost()))
          } else back(() => resolve(result))
        } catch (error) {
          back(() => reject(error))
        }
      }
      // A connection keeps the order of what is sent on it, however long each is under way.
      tx?.underWay.push(arrive)
      world.schedule(`${name} asks`, faults.delay(), () => (tx?.underWay.shift() ?? arrive)(), process)
    })

  const send = (process: Process, { statement, params, values, prepare, tx }: Job) =>
    reach(process, statement.slice(0, 60), tx, () =>
      engine.run(statement, params, { values, prepare, ...(!tx && { at: world.date() }) }),
    )

  /** Statements as one transaction, all of which arrive before the first is run. */
  const sendAtOnce = (process: Process, asked: readonly Statement[]) =>
    reach(
      process,
      `at once ${asked[0]?.statement.slice(0, 52)}`,
      undefined,
      async () => {
        const plain = { values: false, prepare: false }
        await engine.run('begin', [], { ...plain, at: world.date() })
        try {
          const results: unknown[] = []
          for (const { statement, params, values } of asked)
            results.push(await engine.run(statement, params, { values, prepare: true }))
          await engine.run('commit', [], plain)
          return results
        } catch (error) {
          await engine.run('rollback', [], plain)
          throw error
        }
      },
      true,
    )

  /** A query of the driver, which starts when it is awaited. */
  const queryOf = (start: (values: boolean) => Promise<unknown>) => ({
    values: () => start(true),
    // biome-ignore lint/suspicious/noThenProperty: that is how it starts
    then: (...handlers: Parameters<Promise<unknown>['then']>) => start(false).then(...handlers),
  })

  const gather = (process: Process) => {
    const asked: Statement[] = []
    const sent = Promise.withResolvers<unknown[]>()
    let expected = Number.POSITIVE_INFINITY
    return {
      options: { parsers: {}, serializers: {} },
      unsafe(statement: string, params: unknown[] = []) {
        return queryOf(async (values) => {
          const at = asked.push({ statement, params, values, prepare: true }) - 1
          if (asked.length === expected) sent.resolve(sendAtOnce(process, asked))
          return (await sent.promise)[at]
        })
      },
      expect(count: number) {
        expected = count
      },
      fail: sent.reject,
    }
  }

  const clientOf = (process: Process, tx?: Transaction) => ({
    options: { parsers: {}, serializers: {}, prepare: true },
    gather: () => gather(process),
    unsafe(statement: string, params: unknown[] = [], { prepare = false } = {}) {
      return queryOf((values) => send(process, { statement, params, values, prepare, tx }))
    },
    async begin<T>(work: (client: unknown) => Promise<T>): Promise<T> {
      const mine: Transaction = { process, open: false, underWay: [] }
      try {
        await reach(process, 'begin', undefined, async () => {
          await engine.run('begin', [], { values: false, prepare: false, at: world.date() })
          mine.open = true
          current = mine
        })
        const result = await work(clientOf(process, mine))
        await reach(process, 'commit', mine, () => end(mine, 'commit'))
        return result
      } catch (error) {
        if (mine.open) await reach(process, 'rollback', mine, async () => rollback(mine)).catch(() => {})
        throw error
      }
    },
    async savepoint<T>(work: (client: unknown) => Promise<T>): Promise<T> {
      const client = clientOf(process, tx)
      await client.unsafe('savepoint inner')
      try {
        return await work(client)
      } catch (error) {
        await client.unsafe('rollback to savepoint inner')
        throw error
      }
    },
  })

  return {
    get statements() {
      return statements
    },
    /** Whether a transaction is open. */
    isBusy: () => current !== undefined,
    /** Has `run` happen once no transaction is open, which another may then be again. */
    whenFree(run: () => unknown) {
      const actor = world.actor()
      if (current) waiting.push(() => world.as(actor, run))
      else world.schedule('db is free', 0, run)
    },
    /** The database as one process has it. */
    connect(process: Process): DatabaseHandle {
      process.onKill(() => {
        const tx = current
        if (tx?.process === process) world.schedule('db rolls back', 0, () => rollback(tx))
      })
      // The driver is used by these functions alone.
      const sql = clientOf(process) as unknown as Sql<{ bigint: number }>
      return { ...engine.handle, db: drizzle(sql), sql }
    },
  }
}

export type Server = ReturnType<typeof createServer>
