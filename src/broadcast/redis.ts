import type { Logger } from 'pino'
import type { Broadcast } from './broadcast.ts'
import { broadcastOver } from './over-transport.ts'

const channel = 'switchboard'
const timeoutMs = 1_000

/** The broadcast over Redis: one connection to publish, one to listen. */
export function redisBroadcast({ url, log }: { url: string; log: Logger }): Broadcast {
  const open = () =>
    new Bun.RedisClient(url, { connectionTimeout: timeoutMs, enableOfflineQueue: false, autoReconnect: false })
  let publisher: Bun.RedisClient | undefined
  let listener: Bun.RedisClient | undefined

  const connected = async (): Promise<Bun.RedisClient> => {
    if (publisher?.connected) return publisher
    publisher?.close()
    const opened = open()
    publisher = opened
    await opened.connect()
    return opened
  }

  return broadcastOver(
    {
      async listen(message, lost) {
        listener?.close()
        const opened = open()
        listener = opened
        opened.onclose = lost
        await opened.connect()
        await opened.subscribe(channel, message)
      },
      async send(text) {
        await (await connected()).publish(channel, text)
      },
      async close() {
        listener?.close()
        publisher?.close()
      },
    },
    log,
  )
}
