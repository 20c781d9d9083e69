import type { Logger } from 'pino'
import { z } from 'zod'
import { createReminder } from '../runtime/reminder.ts'
import { type Broadcast, type BroadcastListener, type Topic, topics } from './broadcast.ts'

/** What carries the messages between the instances. */
export interface Transport {
  /**
   * Opens a connection in place of the one before and resolves once it receives; `lost` is called when it no longer
   * does.
   */
  listen(message: (text: string) => void, lost: () => void): Promise<void>
  send(text: string): Promise<void>
  close(): Promise<void>
}

const retryMs = 1_000
/** Our own messages come back as well: when they do not within so long, the connection is dead. */
const echoMs = 10_000

const Message = z.object({ from: z.string(), topic: z.enum(topics), about: z.string().optional() })

/** A message as it is sent. Its subject is cut to 200 characters. */
const encode = (from: string, topic: Topic, subject?: string): string =>
  JSON.stringify({ from, topic, about: subject?.slice(0, 200) })

/** A message that was received; undefined for what is none, as from another version. */
function decode(text: string): z.output<typeof Message> | undefined {
  try {
    return Message.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/**
 * A broadcast over a transport, whose connection is opened again whenever it is lost. One without `listen` only
 * publishes. The log says that messages do not arrive, or cannot be sent, at once, then at growing intervals.
 * @param now milliseconds from some point on
 */
export function broadcastOver(
  transport: Omit<Transport, 'listen'> & Partial<Transport>,
  log: Logger,
  now: () => number = () => performance.now(),
): Broadcast {
  const away = createReminder(now)
  const unsent = createReminder(now)
  const self = crypto.randomUUID()
  let listener: BroadcastListener = () => {}
  let attempt = 0
  let listening = false
  let closed = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let echo: ReturnType<typeof setTimeout> | undefined

  const receive = (text: string) => {
    const message = decode(text)
    if (message?.from === self) {
      clearTimeout(echo)
      echo = undefined
    } else if (message) listener(message.topic, message.about)
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
      await transport.listen?.(receive, lost)
      if (closed) return await transport.close()
      if (mine !== attempt || !transport.listen) return
      listening = true
      if (away.end()) log.info({ event: 'broadcast_back' }, 'messages of the other instances arrive again')
      // Anything may have been missed.
      for (const topic of topics) listener(topic, undefined)
    } catch (error) {
      if (!closed && away.isDue())
        log.warn({ err: error, event: 'broadcast_away' }, 'messages of the other instances do not arrive')
      lost()
    }
  }

  return {
    async publish(topic, subject) {
      if (closed) return
      if (listening && !echo) {
        echo = setTimeout(() => {
          echo = undefined
          listenAgain()
        }, echoMs)
        echo.unref()
      }
      try {
        await transport.send(encode(self, topic, subject))
        unsent.end()
      } catch (error) {
        if (unsent.isDue())
          log.warn({ err: error, event: 'broadcast_failed' }, 'a message to the other instances could not be sent')
      }
    },
    async subscribe(given) {
      listener = given
      await listen()
    },
    isListening: () => listening,
    async close() {
      closed = true
      listening = false
      clearTimeout(retry)
      clearTimeout(echo)
      await transport.close()
    },
  }
}
