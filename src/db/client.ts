import { hostname } from 'node:os'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { openEmbedded } from './embedded.ts'

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
  /** Connections to the server, default 10. The embedded database has one. */
  max?: number
  /** Called with each statement just before it is sent. */
  onQuery?: (statement: string) => void
}

export type DatabaseHandle = {
  db: Database
  /** The driver below `db`; dates come as text, `bigint` as number. */
  sql: postgres.Sql<{ bigint: number }>
  embedded: boolean
  /** Resolves when the database answers; rejects after two seconds at most. */
  ping(): Promise<void>
  /** Waits for running queries (five seconds at most), then closes; the data folder is free afterwards. */
  close(): Promise<void>
}

const PING_TIMEOUT_MS = 2_000
const CLOSE_TIMEOUT_S = 5
const CONNECT_TIMEOUT_S = 10

/**
 * Opens the database: the PostgreSQL server at `url` (connected on first use), or the embedded one.
 * @throws DataFolderInUseError when another process has `dataDir` open.
 */
export async function openDatabase(options: DatabaseOptions = {}): Promise<DatabaseHandle> {
  const { url, onQuery } = options
  const common = {
    types: { bigint: safeBigint },
    onnotice: () => {},
    // postgres.js makes the parameters of a failed query enumerable, and so loggable, while `debug` is set.
    debug: onQuery && ((_connection: number, statement: string) => onQuery(statement)),
    connect_timeout: CONNECT_TIMEOUT_S,
  }
  if (url !== undefined) {
    // What a database's operator sees of this instance; a URL may say another name.
    const connection = { application_name: `switchboard ${hostname()} ${process.pid}` }
    return handle(postgres(url, { ...common, connection, max: options.max ?? 10 }), false)
  }

  const embedded = await openEmbedded(options)
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
  return handle(sql, true, () => embedded.close())
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

function handle(
  sql: postgres.Sql<{ bigint: number }>,
  embedded: boolean,
  closeEngine: () => Promise<void> = async () => {},
): DatabaseHandle {
  let closed: Promise<void> | undefined
  return {
    db: drizzle(sql),
    sql,
    embedded,
    async ping() {
      let timer: ReturnType<typeof setTimeout> | undefined
      const timeout = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('The database did not answer in time')), PING_TIMEOUT_MS)
      })
      try {
        await Promise.race([sql`select 1`, timeout])
      } finally {
        clearTimeout(timer)
      }
    },
    close() {
      closed ??= sql.end({ timeout: CLOSE_TIMEOUT_S }).then(closeEngine)
      return closed
    },
  }
}
