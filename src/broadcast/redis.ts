import type { Logger } from 'pino'
import type { Broadcast } from './broadcast.ts'
import { broadcastOver } from './over-transport.ts'

const channel = 'switchboard'
const timeoutMs = 1_000

/** Waits for a response as long as one may take: without it the connection is dead, and whatever waits on it fails. */
async function inTime<T>(client: Bun.RedisClient, response: Promise<T>): Promise<T> {
  const timer = setTimeout(() => client.close(), timeoutMs)
  try {
    return await response
  } finally {
    clearTimeout(timer)
  }
}

/** The broadcast over Redis: one connection to publish, one to listen. */
export function redisBroadcast({ url, log }: { url: string; log: Logger }): Broadcast {
  const open = () =>
    new Bun.RedisClient(url, { connectionTimeout: timeoutMs, enableOfflineQueue: false, autoReconnect: false })
  let publisher: { client: Bun.RedisClient; opening: Promise<void> } | undefined
  let listener: Bun.RedisClient | undefined

  /** One connection for all who publish at once, opened again when it was lost. */
  const connected = async (): Promise<Bun.RedisClient> => {
    if (!publisher) {
      const client = open()
      const forget = () => {
        if (publisher?.client === client) publisher = undefined
      }
      client.onclose = forget
      publisher = { client, opening: client.connect() }
      publisher.opening.catch(forget)
    }
    const { client, opening } = publisher
    await opening
    return client
  }

  return broadcastOver(
    {
      async listen(message, lost) {
        listener?.close()
        const opened = open()
        listener = opened
        opened.onclose = lost
        await opened.connect()
        await inTime(opened, opened.subscribe(channel, message))
      },
      async send(text) {
        const client = await connected()
        await inTime(client, client.publish(channel, text))
      },
      async close() {
        listener?.close()
        publisher?.client.close()
      },
    },
    log,
  )
}
