import type { Logger } from 'pino'
import type { BodyTimes } from '../api/http/body.ts'
import type { RateLimiter, RateLimits } from '../api/rate-limit/limiter.ts'
import type { Unread } from '../api/rate-limit/unread.ts'
import type { Broadcast } from '../broadcast/broadcast.ts'
import type { Carrier } from '../carrier/carrier.ts'
import type { DatabaseHandle } from '../db/client.ts'
import type { WorkKind } from '../db/work/poller.ts'
import type { Embedder } from '../knowledge/embedder.ts'
import type { Knowledge } from '../language-model/knowledge.ts'
import type { UsableModel } from '../language-model/models.ts'
import type { TurnSettings } from '../language-model/settings.ts'
import type { Toolbox } from '../language-model/toolbox.ts'
import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'
import type { Peers } from '../outgoing/observe.ts'
import type { Settings } from '../resources/dependencies.ts'
import type { Clock } from '../runtime/clock.ts'
import type { EventLoopDelay } from '../runtime/event-loop.ts'
import type { Slots } from '../runtime/slots.ts'
import type { Timers } from '../runtime/timers.ts'
import type { Tracing } from '../runtime/tracing.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Files } from '../storage/files.ts'
import type { PlatformClient } from '../voice-platform/client.ts'
import type { Credentials } from '../webhooks/credentials.ts'

/** What the outside gives: everything else is made from it. */
export interface Externals {
  database: DatabaseHandle
  /** A standby of the database, which lists are read from; none unless given. */
  standby?: DatabaseHandle
  clock: Clock
  /** Traces requests and jobs; off unless given. */
  tracing?: Tracing
  /** Waiting, for the mirror and for what looks for background work; this process's unless given. */
  timers?: Timers
  log: Logger
  platform: PlatformClient
  embeddedPlatform: boolean
  /** Where phone numbers are bought; the embedded carrier unless given. */
  carrier?: Carrier
  vault: Vault
  files: Files
  /** Hosts, addresses and CIDR blocks that users may name although private; none unless given. */
  allowPrivateNetwork?: readonly string[]
  outgoing?: GuardedFetch
  /** What server blocks may name to authenticate webhooks with; none unless given. */
  webhookCredentials?: Credentials
  settings: Settings
  /** What is left out is not limited. */
  rateLimits: Partial<RateLimits>
  /** Addresses and CIDR blocks of proxies whose `X-Forwarded-For` is believed; none unless given. */
  trustedProxies?: readonly string[]
  limiter?: RateLimiter
  /** Whether the server is stopping and only ends what runs; never unless given. */
  isStopping?: () => boolean
  /** Aborts when turns that still run are to end; never unless given. */
  ending?: AbortSignal
  /** Messages to and from the other instances; none unless given. */
  broadcast?: Broadcast
  /** Watches the thread; not watched unless given. */
  eventLoop?: EventLoopDelay
  /** Whether the last call of a server that runs elsewhere went well; all do unless given. */
  isWorking?: Peers['isWorking']
  /** Further background work. */
  work?: readonly WorkKind[]
  /** How long request bodies may take to arrive. */
  bodyTimes?: BodyTimes
  /** Seconds that a connection may be silent. */
  idleSeconds?: number
  /** How long an operation may take that is no turn, in milliseconds; without a limit unless given. */
  requestMs?: number
  /** Language models beside the local one; the first is the default. */
  models?: readonly UsableModel[]
  /** Turns passages and questions into vectors; the embedded one unless given. */
  embedder?: Embedder
  knowledge?: Knowledge
  toolbox?: Toolbox
  turns?: Partial<TurnSettings>
  /** Turns that may run at once; a hundred unless given. */
  turnSlots?: Slots
  /** Work at the carrier that may go on at once. */
  carrierSlots?: Slots
  /** Searches that may run at once; sixteen unless given. */
  searchSlots?: Slots
  /** Long responses that wait for their readers. */
  unread?: Unread
  /** False: agents remember nothing. */
  remember?: boolean
  /** False: long chats are not summarised. */
  summarise?: boolean
  /** Minutes between two sweeps for drift; 0, which holds unless given: only when asked for. */
  driftSweepMinutes?: number
  /** From a look at everything among many objects to one that is asked for. */
  driftRequestsMs?: number
  /** Waiting times of the mirror and of what looks after phone numbers, in milliseconds; see `createMirror`. */
  mirrorTimes?: { leaseMs?: number; waitMs?: number; graceMs?: number; pauseMs?: number }
}
