import type { Logger } from 'pino'
import postgres from 'postgres'
import type { DatabaseHandle } from '../db/client.ts'
import type { Broadcast } from './broadcast.ts'
import { broadcastOver, type Transport } from './over-transport.ts'

const channel = 'switchboard'

interface Options {
  /** Where to listen, on one session: no pooler of transactions. Undefined: it only publishes. */
  url: string | undefined
  /** Where to publish. */
  database: DatabaseHandle
  log: Logger
}

/** `onnotify` and `onclose` of the driver: its own `listen` does not say when it has lost its connection. */
const listener = (message: (text: string) => void, lost: () => void): postgres.Options<Record<string, never>> => ({
  max: 1,
  idle_timeout: undefined,
  max_lifetime: null,
  fetch_types: false,
  prepare: false,
  onnotice: () => {},
  connection: { application_name: 'switchboard listener' },
  ...{ onnotify: (_channel: string, text: string) => message(text) },
  onclose: lost,
})

/** The broadcast over the database: NOTIFY through the pool, LISTEN on a connection of its own. */
export function postgresBroadcast({ url, database, log }: Options): Broadcast {
  let connection: postgres.Sql | undefined

  const listen: Transport['listen'] = async (message, lost) => {
    void connection?.end({ timeout: 0 }).catch(() => {})
    connection = postgres(url ?? '', listener(message, lost))
    await connection.unsafe(`listen ${channel}`)
  }

  return broadcastOver(
    {
      ...(url !== undefined && { listen }),
      async send(text) {
        await database.sql`select pg_notify(${channel}, ${text})`
      },
      async close() {
        await connection?.end({ timeout: 1 })
      },
    },
    log,
  )
}
