/**
 * What an instance has changed, for the others: accounts and tokens (`all`); the calls of an assistant (its live id); a
 * connector (its uid); that work may be left if this instance dies.
 */
export const topics = ['accounts', 'statistics', 'connector', 'work'] as const
export type Topic = (typeof topics)[number]

/** Takes a message; without a `subject` messages may have been missed, and it concerns all of its topic. */
export type BroadcastListener = (topic: Topic, subject: string | undefined) => void

/** Short messages between the instances on one database, so that what one changes is seen by the others at once. */
export interface Broadcast {
  /** Sends a message to the others. Never throws: whoever misses it is up to date when its caches expire. */
  publish(topic: Topic, subject?: string): Promise<void>
  /** Calls `listener` for each message that another instance publishes from now on. */
  subscribe(listener: BroadcastListener): Promise<void>
  /** Whether messages of others arrive right now. */
  isListening(): boolean
  close(): Promise<void>
}

/** For a database that no other process can use: there is nobody to publish to. */
export const noBroadcast: Broadcast = {
  publish: async () => {},
  subscribe: async () => {},
  isListening: () => true,
  close: async () => {},
}
