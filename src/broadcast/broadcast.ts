import { z } from 'zod'

/**
 * What an instance has changed, for the others: accounts and tokens; the calls of an assistant (its live id); a connector
 * (its uid); that work may be left if this instance dies.
 */
export const topics = ['accounts', 'statistics', 'connector', 'work'] as const
export type Topic = (typeof topics)[number]

/** What is heard of others; `about` is missing when something may have been missed: then it is about everything. */
export type Hear = (topic: Topic, about: string | undefined) => void

/** A few words between the instances on one database, so that what one changes is seen by the others at once. */
export interface Broadcast {
  /** Tells the others. Never throws: who does not hear it finds out when what it remembers runs out. */
  tell(topic: Topic, about?: string): Promise<void>
  /** Calls `hear` for what others tell from now on. */
  start(hear: Hear): Promise<void>
  /** Whether what others tell is heard right now. */
  hears(): boolean
  close(): Promise<void>
}

/** For a database that no other process can use. */
export const aloneBroadcast: Broadcast = {
  tell: async () => {},
  start: async () => {},
  hears: () => true,
  close: async () => {},
}

const Message = z.object({ from: z.string(), topic: z.enum(topics), about: z.string().optional() })

/** A message on the wire: short, whatever it is about. */
export const written = (from: string, topic: Topic, about?: string): string =>
  JSON.stringify({ from, topic, about: about?.slice(0, 200) })

/** A message of the wire, or undefined for what is none, as from another version. */
export function read(text: string): z.output<typeof Message> | undefined {
  try {
    return Message.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Says that anything may have been missed. */
export function hearEverything(hear: Hear): void {
  for (const topic of topics) hear(topic, undefined)
}

/** Does something again after a while: once, however often it is asked for meanwhile, and never once it is stopped. */
export function retrying(work: () => void, afterMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  return {
    later() {
      if (stopped || timer) return
      timer = setTimeout(() => {
        timer = undefined
        work()
      }, afterMs)
      timer.unref()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
