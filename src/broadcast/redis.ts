import type { Logger } from 'pino'
import type { Broadcast } from './broadcast.ts'
import { broadcastOver } from './over-wire.ts'

const channel = 'switchboard'
const timeoutMs = 1_000

/** The broadcast over Redis: one connection to tell, one to listen. */
export function redisBroadcast({ url, log }: { url: string; log: Logger }): Broadcast {
  const open = () =>
    new Bun.RedisClient(url, { connectionTimeout: timeoutMs, enableOfflineQueue: false, autoReconnect: false })
  let teller: Bun.RedisClient | undefined
  let listener: Bun.RedisClient | undefined

  const connected = async (): Promise<Bun.RedisClient> => {
    if (teller?.connected) return teller
    teller?.close()
    const opened = open()
    teller = opened
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
        teller?.close()
      },
    },
    log,
  )
}
