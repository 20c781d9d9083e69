import type { Logger } from 'pino'
import postgres from 'postgres'
import type { DatabaseHandle } from '../db/client.ts'
import { type Broadcast, type Hear, hearEverything, read, retrying, written } from './broadcast.ts'

const channel = 'switchboard'
const retryMs = 1_000
/** Our own words come back as well: when they do not within so long, the connection is dead. */
const echoMs = 10_000

interface Options {
  /** Where to listen: nobody else may get the connection in between. Undefined: nothing is heard. */
  url: string | undefined
  /** Where to tell. */
  database: DatabaseHandle
  log: Logger
}

/** The broadcast over the database: NOTIFY through the pool, LISTEN on a connection of its own. */
export function postgresBroadcast({ url, database, log }: Options): Broadcast {
  const self = crypto.randomUUID()
  let listening = false
  let closed = false
  let echo: ReturnType<typeof setTimeout> | undefined
  let hear: Hear = () => {}
  let connection: postgres.Sql | undefined

  const heard = (text: string) => {
    const message = read(text)
    if (message?.from === self) {
      clearTimeout(echo)
      echo = undefined
    } else if (message) hear(message.topic, message.about)
  }

  const retry = retrying(() => void listen(), retryMs)
  const again = () => {
    listening = false
    retry.later()
  }

  /** `onnotify` and `onclose` of the driver: its own `listen` does not say when it has lost its connection. */
  const listener = (): postgres.Options<Record<string, never>> & object => ({
    max: 1,
    idle_timeout: undefined,
    max_lifetime: null,
    fetch_types: false,
    prepare: false,
    onnotice: () => {},
    connection: { application_name: 'switchboard listener' },
    ...{ onnotify: (_channel: string, text: string) => heard(text) },
    onclose: again,
  })

  async function listen(): Promise<void> {
    if (closed || url === undefined) return
    const before = connection
    void before?.end({ timeout: 0 }).catch(() => {})
    const opened = postgres(url, listener())
    connection = opened
    try {
      await opened.unsafe(`listen ${channel}`)
      if (closed || connection !== opened) return
      listening = true
      hearEverything(hear)
    } catch (error) {
      if (!closed) log.warn({ err: error, event: 'broadcast_away' }, 'the other instances are not heard')
      again()
    }
  }

  return {
    async tell(topic, about) {
      if (closed) return
      if (listening && !echo) {
        echo = setTimeout(() => {
          echo = undefined
          again()
        }, echoMs)
        echo.unref()
      }
      try {
        await database.sql`select pg_notify(${channel}, ${written(self, topic, about)})`
      } catch (error) {
        log.warn({ err: error, event: 'broadcast_failed' }, 'the other instances could not be told')
      }
    },
    async start(listenWith) {
      hear = listenWith
      await listen()
    },
    hears: () => listening,
    async close() {
      closed = true
      listening = false
      retry.stop()
      clearTimeout(echo)
      await connection?.end({ timeout: 1 })
    },
  }
}
