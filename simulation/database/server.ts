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

interface Job {
  statement: string
  params: unknown[]
  values: boolean
  prepare: boolean
  tx: Transaction | undefined
}

const connectionLost = () => Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })

/**
 * The database as several processes reach it: the world decides which statement is next. One transaction runs at a time,
 * so that each is as if it were alone; statements outside of transactions come between them in any order.
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

  /** Runs `work` once no other transaction does, and hands its result back after a while. */
  const reach = <T>(process: Process, what: string, tx: Transaction | undefined, work: () => Promise<T>): Promise<T> =>
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
        const fault = faults.next(what === 'commit')
        if (fault === 'refused') {
          if (tx) await rollback(tx)
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

  const clientOf = (process: Process, tx?: Transaction) => ({
    options: { parsers: {}, serializers: {} },
    unsafe(statement: string, params: unknown[] = [], { prepare = false } = {}) {
      const start = (values: boolean) => send(process, { statement, params, values, prepare, tx })
      return {
        values: () => start(true),
        // biome-ignore lint/suspicious/noThenProperty: a query of the driver starts when it is awaited
        then: (...handlers: Parameters<Promise<unknown>['then']>) => start(false).then(...handlers),
      }
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
