import type { Logger } from 'pino'
import type { Carrier } from '../carrier/carrier.ts'
import type { Database } from '../db/client.ts'
import type { MigrationState } from '../db/migrate.ts'
import type { Poller } from '../db/work/poller.ts'
import type { Embedder } from '../knowledge/embedder.ts'
import type { Knowledge } from '../language-model/knowledge.ts'
import type { Models } from '../language-model/models.ts'
import type { TurnSettings } from '../language-model/settings.ts'
import type { Toolbox } from '../language-model/toolbox.ts'
import type { McpServers } from '../mcp/servers.ts'
import type { Peers } from '../outgoing/observe.ts'
import type { AllowedPlaces } from '../outgoing/places.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Queue, Slots } from '../runtime/slots.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Files } from '../storage/files.ts'
import type { PlatformClient } from '../voice-platform/client.ts'
import type { DriftScan } from '../voice-platform/drift/scan.ts'
import type { Mirror } from '../voice-platform/mirror/mirror.ts'
import type { WebhookQueue } from '../webhooks/queue.ts'
import type { WrittenRecords } from './assistants/read/written.ts'
import type { Indexer } from './files/indexer.ts'
import type { Search } from './files/search.ts'
import type { MemoryKeeper } from './memory/keeper.ts'
import type { NumberWork } from './phone-numbers/sync/number-work.ts'
import type { StatisticsCache } from './stats/cache.ts'
import type { SummaryKeeper } from './summaries/keeper.ts'

/** What services work with, whichever way a request came in. */
export interface ServiceDependencies {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly platform: PlatformClient
  readonly mirror: Mirror
  /** Looks for what was changed on the live platform outside. */
  readonly drift: DriftScan
  readonly carrier: Carrier
  /** Work at the carrier that may go on at once, keyed by the workspace it is done for. */
  readonly carrierSlots: Slots
  readonly phoneNumbers: NumberWork
  /** Sends the webhooks that the embedded platform queues. */
  readonly webhooks: WebhookQueue
  /** Looks for background work that has become due, and says how all of it is doing. */
  readonly work: Pick<Poller, 'wake' | 'overview'>
  readonly vault: Vault
  readonly files: Files
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
  readonly indexer: Indexer
  /** Whose vectors searches compare. */
  readonly embedder: Pick<Embedder, 'id'>
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
  /** Makes changes of accounts and tokens visible at once, in every process. */
  invalidateAccounts(): Promise<void>
  readonly statistics: StatisticsCache
  /** Makes a new call of an assistant, by its platform id, count at once, in every process. */
  invalidateStatistics(liveId: string): Promise<void>
  readonly writtenRecords: WrittenRecords
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

/** What runs here, and whether it can serve requests. */
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
