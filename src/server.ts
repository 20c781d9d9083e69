import type { Logger } from 'pino'
import { redisLimiter } from './api/rate-limit/redis.ts'
import { createApp } from './app.ts'
import { ensureAdmin } from './bootstrap/admin.ts'
import { adminKeyIn, platformKeysIn } from './bootstrap/data-folder.ts'
import { filesFor } from './bootstrap/files.ts'
import { vaultFor } from './bootstrap/vault.ts'
import { carrierFor } from './carrier/select.ts'
import { systemClock } from './clock.ts'
import { type DatabaseHandle, openDatabase } from './db/client.ts'
import { clearLeases } from './db/lease.ts'
import { migrate } from './db/migrate.ts'
import type { Dependencies } from './dependencies.ts'
import type { Env } from './env.ts'
import { startHousekeeping } from './housekeeping.ts'
import { converseThrough } from './language-model/converse.ts'
import { localModel } from './language-model/local/model.ts'
import { createModels } from './language-model/models.ts'
import { openAiCompatibleModels } from './language-model/openai-compatible.ts'
import { createLog } from './log.ts'
import type { NumberUpkeep } from './resources/phone-numbers/upkeep.ts'
import { newToken } from './resources/tokens/secret.ts'
import { createServices, type Outside } from './services.ts'
import { createPlatformClient, type PlatformClient } from './voice-platform/client.ts'
import { createCallStore } from './voice-platform/embedded/calls-store.ts'
import { createEmbeddedPlatform, type EmbeddedPlatform, embeddedFetch } from './voice-platform/embedded/platform.ts'
import { createDatabaseStore } from './voice-platform/embedded/store.ts'
import type { Mirror } from './voice-platform/mirror.ts'
import { webhookOutbox } from './webhooks/outbox.ts'
import type { WebhookQueue } from './webhooks/queue.ts'

/** A running server. */
export interface RunningServer {
  url: string
  /** What requests are served with. */
  services: Dependencies
  /** Shown once at start with the embedded database: its first admin's key. */
  adminKey: string | undefined
  embedded: { database: boolean; platform: boolean }
  /** Lets running requests end (ten seconds at most), then closes the database. */
  stop(): Promise<void>
}

const drainMs = 10_000

/** The live platform, and the embedded one behind it unless it is a real one. */
interface Platform {
  client: PlatformClient
  embedded?: EmbeddedPlatform
}

async function platformFor(
  env: Env,
  { db }: DatabaseHandle,
  { clock, vault, models }: Pick<Outside, 'clock' | 'vault' | 'models'>,
): Promise<Platform> {
  if (env.voicePlatform) {
    const { url, apiKey } = env.voicePlatform
    return { client: createPlatformClient({ baseUrl: url, apiKey, fetch: (input, init) => fetch(input, init), clock }) }
  }
  const keys = await platformKeysIn(env.dataDir)
  const embedded = createEmbeddedPlatform({
    ...keys,
    store: createDatabaseStore(db),
    calls: createCallStore(db, webhookOutbox(vault)),
    converse: converseThrough(createModels(localModel(), models)),
    clock,
    newId: () => crypto.randomUUID(),
  })
  const client = createPlatformClient({
    baseUrl: 'http://embedded-platform',
    apiKey: keys.apiKey,
    fetch: embeddedFetch(embedded),
    clock,
    simulated: true,
  })
  return { client, embedded }
}

/** A simulated call that is older than this has lost its process, whichever instance that was. */
const longestCallMs = 10 * 60_000

async function adminKey(env: Env, database: DatabaseHandle, now: Date): Promise<string | undefined> {
  const key = env.adminApiKey ?? (database.embedded ? (await adminKeyIn(env.dataDir, newToken)).value : undefined)
  if (key !== undefined) await ensureAdmin(database.db, key, now)
  return database.embedded ? key : undefined
}

/** Changes of what the environment says, for the tests that break things. */
export type Overrides = Partial<Pick<Outside, 'mirrorTimes' | 'clock' | 'platform'>> & {
  onQuery?: (statement: string) => void
  log?: Logger
}

/** Starts the server that an environment describes; resolves once it answers requests. */
export async function startServer(env: Env, overrides: Overrides = {}): Promise<RunningServer> {
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLog(env.logLevel)
  let mirror: Mirror | undefined
  let numbers: NumberUpkeep | undefined
  let webhooks: WebhookQueue | undefined
  const database = await openDatabase({ url: env.databaseUrl, dataDir: env.dataDir, onQuery: overrides.onQuery })
  try {
    await migrate(database)
    if (database.embedded) await clearLeases(database.db)
    const key = await adminKey(env, database, clock.now())
    const limiter = env.redisUrl === undefined ? undefined : redisLimiter(env.redisUrl, clock, log)
    const settings = {
      publicUrl: env.publicUrl ?? '',
      backgroundSoundBaseUrl: env.backgroundSoundBaseUrl,
      versionHistoryLimit: env.versionHistoryLimit,
    }
    const vault = await vaultFor(env)
    const models = env.languageModel && openAiCompatibleModels(env.languageModel, fetch)
    const { client, embedded } = await platformFor(env, database, { clock, vault, models })
    const services = createServices({
      database,
      clock,
      log,
      platform: overrides.platform ?? client,
      vault,
      files: filesFor(env),
      allowPrivateNetwork: env.allowPrivateNetwork,
      embeddedPlatform: env.voicePlatform === undefined,
      carrier: carrierFor(env, database.db),
      settings,
      rateLimits: env.rateLimits,
      models,
      limiter,
      mirrorTimes: overrides.mirrorTimes,
    })
    mirror = services.mirror
    numbers = services.phoneNumbers
    await mirror.start(database.embedded)
    await numbers.start(database.embedded)
    const lostBefore = clock.now().getTime() - (database.embedded ? 0 : longestCallMs)
    await embedded?.endAbandonedCalls(new Date(lostBefore))
    webhooks = services.webhooks
    await webhooks.start(database.embedded)
    const app = createApp(services)
    app.listen({ hostname: env.host, port: env.port, idleTimeout: 255, maxRequestBodySize: 26 * 1024 * 1024 })
    const { server } = app
    if (!server) throw new Error('The server did not start')
    const url = `http://${env.host.includes(':') ? `[${env.host}]` : env.host}:${server.port}`
    if (env.publicUrl === undefined) settings.publicUrl = url
    const endHousekeeping = startHousekeeping(services)
    return {
      url,
      services,
      adminKey: key,
      embedded: { database: database.embedded, platform: env.voicePlatform === undefined },
      async stop() {
        const drained = server.stop()
        await Promise.race([drained, Bun.sleep(drainMs)])
        await server.stop(true)
        endHousekeeping()
        await Promise.race([embedded?.idle(), Bun.sleep(drainMs)])
        await Promise.all([services.mirror.stop(), services.phoneNumbers.stop(), services.webhooks.stop()])
        await services.memory.close()
        limiter?.close?.()
        await database.close()
      },
    }
  } catch (error) {
    await Promise.all([mirror?.stop(), numbers?.stop(), webhooks?.stop()])
    await database.close()
    throw error
  }
}
