import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { unlessLate } from '../runtime/deadline.ts'
import { instance } from '../runtime/instance.ts'
import { arrayTypes } from './array-types.ts'
import type { EmbeddedDatabase } from './embedded.ts'

/** Drizzle on postgres.js, without a relational schema. */
export type Database = PostgresJsDatabase
/** What `db.transaction` hands to its callback. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]
/** Where a query can run. */
export type Executor = Database | Transaction

export type DatabaseOptions = {
  /** A PostgreSQL server; without it the database is embedded. */
  url?: string
  /** Folder of the embedded database; without it that lives in memory. */
  dataDir?: string
  /** Start of a new embedded database: a dump of PGlite's `dumpDataDir`. */
  template?: Blob
  /** An embedded database that is open already, without another handle on it; it stays open. */
  embedded?: EmbeddedDatabase
  /** Connections to the server, default 10. The embedded database has one. */
  max?: number
  /** How long things may take; without a limit unless given. The embedded database has that of statements alone. */
  deadlines?: DatabaseDeadlines
  /** What stands between: `transaction` gives a connection away after every transaction. */
  pooler?: 'session' | 'transaction'
  /** False: no statement is prepared by name, for poolers that cannot keep them. */
  prepare?: boolean
  /** Called with each statement just before it is sent. */
  onQuery?: (statement: string, parameters: readonly unknown[]) => void
}

/** The connections of a pool, and the statements that wait for one. */
export type PoolState = { idle: number; busy: number; waiting: number }

/** Milliseconds; 0 is no limit. */
export type DatabaseDeadlines = {
  /** Of one statement: the server ends it, and we stop waiting a little later when not even that arrives. */
  statementMs: number
  /** Of waiting for a lock. */
  lockMs: number
  /** Of waiting for a connection, made or free. */
  connectionMs: number
}

export type DatabaseHandle = {
  db: Database
  /** The driver below `db`; dates come as text, `bigint` as number. */
  sql: postgres.Sql<{ bigint: number }>
  embedded: boolean
  /**
   * One connection of its own on the same server, without a limit of statements, waiting `lockMs` for locks: for work
   * that may take long. The caller closes it. The embedded database is its own.
   */
  apart(lockMs: number): DatabaseHandle
  /** Copies the files of an embedded database that has some, which waits meanwhile: see `EmbeddedDatabase.copyTo`. */
  copyTo?: (folder: string) => Promise<void>
  /** Hears when an embedded database breaks and is started again. */
  listen?: EmbeddedDatabase['listen']
  /** Milliseconds since the last response of an embedded database. */
  quietFor?: EmbeddedDatabase['quietFor']
  /** How the pool is doing. */
  pool(): PoolState
  /** Resolves when the database responds; rejects after two seconds at most, or as many milliseconds as are given. */
  ping(ms?: number): Promise<void>
  /** Waits for running queries (five seconds at most), then closes; the data folder is free afterwards. */
  close(): Promise<void>
}

const PING_TIMEOUT_MS = 2_000
const CLOSE_TIMEOUT_S = 5
const CONNECT_TIMEOUT_S = 10
/**
 * Of all connections alike: the driver's own pause grows to 20 seconds, and a statement waits for it past every
 * deadline.
 */
const reconnectSeconds = 0.1

/**
 * Opens the database: the PostgreSQL server at `url` (connected on first use), or the embedded one.
 * @throws DataFolderInUseError when another process has `dataDir` open.
 */
export async function openDatabase(options: DatabaseOptions = {}): Promise<DatabaseHandle> {
  const { url, onQuery } = options
  const common = {
    types: { bigint: safeBigint, ...arrayTypes },
    fetch_types: false,
    prepare: options.prepare ?? true,
    onnotice: () => {},
    // postgres.js makes the parameters of a failed query enumerable, and so loggable, while `debug` is set.
    debug:
      onQuery && ((_connection: number, statement: string, parameters: unknown[]) => onQuery(statement, parameters)),
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: () => reconnectSeconds,
  }
  if (url !== undefined) {
    const { deadlines = noDeadlines, pooler } = options
    const connect = (max: number, limits: DatabaseDeadlines) => {
      const { connectionMs, statementMs } = limits
      return postgres(url, {
        ...common,
        ...(connectionMs > 0 && { connect_timeout: connectionMs / 1000 }),
        // What a database's operator sees of this instance; a URL may say another name.
        connection: { application_name: `switchboard ${instance}` },
        max,
        // A statement never waits behind another one's lock on its connection.
        ...patched({
          max_pipeline: 0,
          query_timeout: statementMs > 0 ? statementMs + graceMs : 0,
          queue_timeout: connectionMs,
          setup: pooler === 'transaction' ? undefined : setupOf(limits),
        }),
      })
    }
    const open = (max: number, limits: DatabaseDeadlines): DatabaseHandle =>
      handle(connect(max, limits), false, (lockMs) => open(1, { statementMs: 0, lockMs, connectionMs: 0 }))
    return open(options.max ?? 10, deadlines)
  }

  const embedded = options.embedded ?? (await openEngine(options))
  const sql = postgres({
    ...common,
    ...embeddedSocket(() => embedded.connect()),
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
  })
  const alone: DatabaseHandle = {
    ...handle(
      sql,
      true,
      () => ({ ...alone, close: async () => {} }),
      async () => {
        if (!options.embedded) await embedded.close()
      },
    ),
    listen: (listener) => embedded.listen(listener),
    quietFor: embedded.quietFor,
    ...(options.dataDir !== undefined && { copyTo: (folder: string) => embedded.copyTo(folder) }),
  }
  return alone
}

/** The embedded engine, which a process that has a server to talk to never loads. */
async function openEngine(options: DatabaseOptions): Promise<EmbeddedDatabase> {
  const { openEmbedded } = await import('./embedded.ts')
  return openEmbedded({ ...options, statementMs: options.deadlines?.statementMs })
}

const noDeadlines: DatabaseDeadlines = { statementMs: 0, lockMs: 0, connectionMs: 0 }

/** How much later than the server we end a statement: by then it would have said so. */
const graceMs = 1_000

/**
 * What is sent first on each new connection. Poolers refuse these as parameters of the start, and hand back a session
 * as it was. No statement runs for as long as it would take to compile it.
 */
const setupOf = ({ statementMs, lockMs }: DatabaseDeadlines): string =>
  `set statement_timeout = ${Math.round(statementMs)}; set lock_timeout = ${Math.round(lockMs)}; set jit = off`

/** Options that our patch of the driver adds (record 0019), or that its types leave out. */
function patched(options: {
  max_pipeline: number
  query_timeout: number
  queue_timeout: number
  setup: string | undefined
}): object {
  return options
}

/** `socket` is postgres.js's documented option for an own stream; its types leave it out. */
function embeddedSocket(socket: () => unknown): object {
  return { socket }
}

/** Counts and sums fit a double; a value that does not is an error, never a rounded number. */
const safeBigint = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse(text: string): number {
    const value = Number(text)
    if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
    return value
  },
}

/** Our patch of the driver adds it. */
const poolOf = (sql: postgres.Sql<{ bigint: number }>): PoolState => (sql as unknown as { pool(): PoolState }).pool()

function handle(
  sql: postgres.Sql<{ bigint: number }>,
  embedded: boolean,
  apart: DatabaseHandle['apart'],
  closeEngine: () => Promise<void> = async () => {},
): DatabaseHandle {
  let closed: Promise<void> | undefined
  return {
    db: drizzle(sql),
    sql,
    embedded,
    apart,
    pool: () => poolOf(sql),
    async ping(ms = PING_TIMEOUT_MS) {
      await unlessLate(sql`select 1`, ms, () =>
        Object.assign(new Error('The database did not answer in time'), { code: 'CONNECT_TIMEOUT' }),
      )
    },
    close() {
      closed ??= sql.end({ timeout: CLOSE_TIMEOUT_S }).then(closeEngine)
      return closed
    },
  }
}
