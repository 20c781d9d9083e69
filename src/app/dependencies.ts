import type { Logger } from 'pino'
import type { Account } from '../accounts/account.ts'
import type { WrongTokens } from '../api/auth/wrong-tokens.ts'
import type { BodyTimes } from '../api/http/body.ts'
import type { RateLimiter } from '../api/rate-limit/limiter.ts'
import type { Unread } from '../api/rate-limit/unread.ts'
import type { BroadcastListener } from '../broadcast/broadcast.ts'
import type { Carrier } from '../carrier/carrier.ts'
import type { Database, PoolState } from '../db/client.ts'
import type { MigrationState } from '../db/migrate.ts'
import type { Replica } from '../db/replica.ts'
import type { BackgroundPart } from '../db/work/background.ts'
import type { Poller } from '../db/work/poller.ts'
import type { Embedder } from '../knowledge/embedder.ts'
import type { Knowledge } from '../language-model/knowledge.ts'
import type { Models } from '../language-model/models.ts'
import type { TurnSettings } from '../language-model/settings.ts'
import type { Toolbox } from '../language-model/toolbox.ts'
import type { McpServers } from '../mcp/servers.ts'
import type { GuardedFetch } from '../outgoing/guarded-fetch.ts'
import type { Peers } from '../outgoing/observe.ts'
import type { AllowedPlaces } from '../outgoing/places.ts'
import type { WrittenRecords } from '../resources/assistants/read/written.ts'
import type { Indexer } from '../resources/files/indexer.ts'
import type { Search } from '../resources/files/search.ts'
import type { MemoryKeeper } from '../resources/memory/keeper.ts'
import type { NumberReconciler } from '../resources/phone-numbers/sync/reconciler.ts'
import type { StatisticsCache } from '../resources/stats/cache.ts'
import type { SummaryKeeper } from '../resources/summaries/keeper.ts'
import type { Clock } from '../runtime/clock.ts'
import type { EventLoopDelay } from '../runtime/event-loop.ts'
import type { Histogram } from '../runtime/metrics.ts'
import type { Queue, Slots } from '../runtime/slots.ts'
import type { Tracing } from '../runtime/tracing.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Files } from '../storage/files.ts'
import type { PlatformClient } from '../voice-platform/client.ts'
import type { DriftScan } from '../voice-platform/drift/scan.ts'
import type { Mirror } from '../voice-platform/mirror/mirror.ts'
import type { WebhookQueue } from '../webhooks/queue.ts'

/** What requests are served with; everything from outside comes in here. */
export interface Dependencies {
  readonly db: Database
  /** Where lists are read, when the database has a standby. */
  readonly replica?: Replica
  readonly clock: Clock
  /** Traces requests and jobs; off unless given. */
  readonly tracing?: Tracing
  readonly log: Logger
  readonly limiter: RateLimiter
  readonly rateLimits: RateLimits
  readonly wrongTokens: WrongTokens
  /** The proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: AllowedPlaces
  /** How long request bodies may take to arrive. */
  readonly bodyTimes: BodyTimes
  /** Seconds that a connection may be silent. */
  readonly idleSeconds: number
  /** How long an operation may take that is no turn, in milliseconds; 0 is without a limit. */
  readonly requestMs: number
  readonly platform: PlatformClient
  readonly mirror: Mirror
  /** Looks for what was changed on the live platform outside. */
  readonly drift: DriftScan
  readonly carrier: Carrier
  /** Work at the carrier that may go on at once, keyed by the workspace it is done for. */
  readonly carrierSlots: Slots
  readonly phoneNumbers: NumberReconciler
  /** Sends the webhooks that the embedded platform queues. */
  readonly webhooks: WebhookQueue
  /** Looks for all background work of this process. */
  readonly work: Poller
  readonly vault: Vault
  readonly files: Files
  /** The one way to hosts that users name. */
  readonly outgoing: GuardedFetch
  /** What ALLOW_PRIVATE_NETWORK lists, for checks of URLs when they are saved. */
  readonly allowedPlaces: AllowedPlaces
  readonly languageModels: Models
  /** What agents' files say. */
  readonly knowledge: Knowledge
  /** Searches the passages of an agent's files. */
  readonly search: Search
  /** Searches that may run at once, keyed by the caller's workspace. */
  readonly searchSlots: Slots
  /** Files that may be taken apart at once, keyed by the caller's workspace. */
  readonly extractions: Queue
  /** Long responses that wait for their readers. */
  readonly unread: Unread
  readonly indexer: Indexer
  /** Whose vectors searches compare. */
  readonly embedder: Pick<Embedder, 'id'>
  /** Deletes objects that nothing refers to any more. */
  readonly deletions: BackgroundPart
  readonly paidHolds: BackgroundPart
  /** Adopts live objects that have no record. */
  readonly adoptions: Required<Omit<BackgroundPart, 'start'>>
  readonly mcpServers: Omit<McpServers, 'invalidate'> & {
    /** Drops what a server offered from the cache, in every process. */
    invalidate(uid: string): Promise<void>
  }
  /** The external tools of agents. */
  readonly toolbox: Toolbox
  readonly memory: MemoryKeeper
  readonly summaries: SummaryKeeper
  readonly turns: TurnSettings
  /** Turns that may run at once, keyed by the workspace that pays. */
  readonly turnSlots: Slots
  /** Aborts when turns of chats and completions that still run are to end, as the server stops. */
  readonly ending: AbortSignal
  readonly settings: Settings
  readonly health: Health
  /** Whether the last call of a server that runs elsewhere, such as `carrier`, went well. */
  readonly isWorking: Peers['isWorking']
  /**
   * The caller behind a bearer token, or undefined; `refuseUnknown` is called first for one that was never right here.
   */
  authenticate(token: string, refuseUnknown?: () => void): Promise<Account | undefined>
  /** The caller behind a token that was right within the last hour, as it was then. */
  lastKnownAccount(token: string): Account | undefined
  /** Makes changes of accounts and tokens visible at once, in every process. */
  invalidateAccounts(): Promise<void>
  readonly statistics: StatisticsCache
  readonly writtenRecords: WrittenRecords
  /** What operators see of this process. */
  readonly monitor: { readonly requests: Histogram; readonly eventLoop: EventLoopDelay }
  /** Connections of the database's pool. */
  databasePool(): PoolState
  /** How many entries each cache has. */
  cacheSizes(): Record<string, number>
  /** Makes a new call of an assistant, by its platform id, count at once, in every process. */
  invalidateStatistics(liveId: string): Promise<void>
  /** Something is being changed: should this process die, the others look for what it left. */
  noteWork(): void
  /** Takes the messages of the other instances. */
  readonly onBroadcast: BroadcastListener
}

/** Requests per minute; 0 is no limit. */
export interface RateLimits {
  /** Of a token; of an address, where visitors of websites are concerned. */
  readonly perMinute: number
  /** Generating ones: of a token, and of a visitor to one widget. */
  readonly turnsPerMinute: number
  /** Of all visitors to one widget together. */
  readonly widgetPerMinute: number
  /** Wrong tokens of an address. */
  readonly wrongTokensPerMinute: number
}

export interface Settings {
  /** Base of public URLs, without a slash at its end. */
  readonly publicUrl: string
  /** Where background sounds other than `office` are served from. */
  readonly backgroundSoundBaseUrl: string | undefined
  /** How many entries of an assistant's history are kept. */
  readonly versionHistoryLimit: number
  /** How many days after its last message a visitor's conversation is kept; 0: until it is deleted. */
  readonly conversationDays: number
}

/** What `GET /health` says. */
export interface Health {
  readonly database: 'embedded' | 'postgresql'
  readonly voicePlatform: 'embedded (simulated)' | 'live'
  /**
   * How many differences between records and the live platform are open; undefined when the database does not respond.
   */
  drift(): Promise<number | undefined>
  /** How far the upgrade of the database is. */
  migrations(): Promise<MigrationState>
  /** Why requests cannot be served right now, or undefined. */
  notReady(): Promise<string | undefined>
}
