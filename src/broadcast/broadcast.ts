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
