import type { Account } from '../accounts/account.ts'
import type { ApiDependencies } from '../api/dependencies.ts'
import type { BroadcastListener } from '../broadcast/broadcast.ts'
import type { PoolState } from '../db/client.ts'
import type { BackgroundPart } from '../db/work/background.ts'
import type { Poller } from '../db/work/poller.ts'
import type { EventLoopDelay } from '../runtime/event-loop.ts'

/** What only the running process uses: its background work, its connections, and what its operators read. */
export interface ProcessDependencies {
  /** Looks for all background work of this process. */
  readonly work: Poller
  /** Deletes objects that nothing refers to any more. */
  readonly deletions: BackgroundPart
  readonly paidHolds: BackgroundPart
  /** Adopts live objects that have no record. */
  readonly adoptions: Required<Omit<BackgroundPart, 'start'>>
  /** Seconds that a connection may be silent. */
  readonly idleSeconds: number
  /** Takes the messages of the other instances. */
  readonly onBroadcast: BroadcastListener
  /** The caller behind a token that was right within the last hour, as it was then. */
  lastKnownAccount(token: string): Account | undefined
  readonly eventLoop: EventLoopDelay
  /** Connections of the database's pool. */
  databasePool(): PoolState
  /** How many entries each cache has. */
  cacheSizes(): Record<string, number>
}

/** All that a server is put together of; everything from outside comes in here. */
export type Dependencies = ApiDependencies & ProcessDependencies
