import type { Logger } from 'pino'
import { z } from 'zod'
import { type Broadcast, type Hear, type Topic, topics } from './broadcast.ts'

/** What carries the messages between the instances. */
export interface Wire {
  /** Opens a connection in place of the one before and resolves once it hears; `lost` says that it hears no more. */
  listen(message: (text: string) => void, lost: () => void): Promise<void>
  send(text: string): Promise<void>
  close(): Promise<void>
}

const retryMs = 1_000
/** Our own messages come back as well: when they do not within so long, the connection is dead. */
const echoMs = 10_000

const Message = z.object({ from: z.string(), topic: z.enum(topics), about: z.string().optional() })

/** A message on the wire: short, whatever it is about. */
const written = (from: string, topic: Topic, about?: string): string =>
  JSON.stringify({ from, topic, about: about?.slice(0, 200) })

/** A message of the wire, or undefined for what is none, as from another version. */
function read(text: string): z.output<typeof Message> | undefined {
  try {
    return Message.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** A broadcast over a wire, which is opened again whenever it is lost; without one that listens nothing is heard. */
export function broadcastOver(wire: Omit<Wire, 'listen'> & Partial<Wire>, log: Logger): Broadcast {
  const self = crypto.randomUUID()
  let hear: Hear = () => {}
  let attempt = 0
  let listening = false
  let closed = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let echo: ReturnType<typeof setTimeout> | undefined

  const heard = (text: string) => {
    const message = read(text)
    if (message?.from === self) {
      clearTimeout(echo)
      echo = undefined
    } else if (message) hear(message.topic, message.about)
  }

  const listenAgain = () => {
    listening = false
    if (closed || retry) return
    retry = setTimeout(() => {
      retry = undefined
      void listen()
    }, retryMs)
    retry.unref()
  }

  async function listen(): Promise<void> {
    const mine = ++attempt
    const lost = () => {
      if (mine === attempt) listenAgain()
    }
    try {
      await wire.listen?.(heard, lost)
      if (closed) return await wire.close()
      if (mine !== attempt || !wire.listen) return
      listening = true
      // Anything may have been missed.
      for (const topic of topics) hear(topic, undefined)
    } catch (error) {
      if (!closed) log.warn({ err: error, event: 'broadcast_away' }, 'the other instances are not heard')
      lost()
    }
  }

  return {
    async tell(topic, about) {
      if (closed) return
      if (listening && !echo) {
        echo = setTimeout(() => {
          echo = undefined
          listenAgain()
        }, echoMs)
        echo.unref()
      }
      try {
        await wire.send(written(self, topic, about))
      } catch (error) {
        log.warn({ err: error, event: 'broadcast_failed' }, 'the other instances could not be told')
      }
    },
    async start(listener) {
      hear = listener
      await listen()
    },
    hears: () => listening,
    async close() {
      closed = true
      listening = false
      clearTimeout(retry)
      clearTimeout(echo)
      await wire.close()
    },
  }
}
