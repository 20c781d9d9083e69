import type { Logger } from 'pino'
import { type Broadcast, type Hear, hearEverything, read, retrying, written } from './broadcast.ts'

const channel = 'switchboard'
const retryMs = 1_000
const timeoutMs = 1_000

/** The broadcast over Redis: one connection to tell, one to listen. */
export function redisBroadcast({ url, log }: { url: string; log: Logger }): Broadcast {
  const self = crypto.randomUUID()
  const options = { connectionTimeout: timeoutMs, enableOfflineQueue: false, autoReconnect: false }
  let teller: Bun.RedisClient | undefined
  let listener: Bun.RedisClient | undefined
  let listening = false
  let closed = false
  let hear: Hear = () => {}

  const retry = retrying(() => void listen(), retryMs)
  const again = () => {
    listening = false
    retry.later()
  }

  async function listen(): Promise<void> {
    listener?.close()
    const opened = new Bun.RedisClient(url, options)
    listener = opened
    opened.onclose = () => {
      if (listener === opened) again()
    }
    try {
      await opened.connect()
      await opened.subscribe(channel, (text) => {
        const message = read(text)
        if (message && message.from !== self) hear(message.topic, message.about)
      })
      if (closed) return opened.close()
      listening = true
      hearEverything(hear)
    } catch (error) {
      if (!closed) log.warn({ err: error, event: 'broadcast_away' }, 'the other instances are not heard')
      again()
    }
  }

  const connected = async (): Promise<Bun.RedisClient> => {
    if (teller?.connected) return teller
    teller?.close()
    const opened = new Bun.RedisClient(url, options)
    teller = opened
    await opened.connect()
    return opened
  }

  return {
    async tell(topic, about) {
      if (closed) return
      try {
        const client = await connected()
        await client.publish(channel, written(self, topic, about))
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
      listener?.close()
      teller?.close()
    },
  }
}
