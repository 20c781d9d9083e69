import type { Logger } from 'pino'
import { redisLimiter } from '../api/rate-limit/redis.ts'
import { createSlots } from '../api/rate-limit/slots.ts'
import { type DatabaseHandle, openDatabase } from '../db/client.ts'
import { requireAccess } from '../db/refused.ts'
import { isUnreachable } from '../db/unreachable.ts'
import { vacuumPart } from '../db/vacuum.ts'
import { DatabaseAwayError, whenReachable, whenServing } from '../db/wait.ts'
import { startBackground } from '../db/work/background.ts'
import { createGuardedFetch } from '../outgoing/guarded-fetch.ts'
import { watchPeers } from '../outgoing/observe.ts'
import { allowedPlaces } from '../outgoing/places.ts'
import { systemClock } from '../runtime/clock.ts'
import { ifInTime } from '../runtime/deadline.ts'
import { watchEventLoop } from '../runtime/event-loop.ts'
import { idleMemoryPart } from '../runtime/idle-memory.ts'
import { createLog } from '../runtime/log.ts'
import { sleep } from '../runtime/sleep.ts'
import { systemTimers } from '../runtime/timers.ts'
import { version } from '../runtime/version.ts'
import { requireSameKey } from '../secrets/mark/mark.ts'
import { sealingPart } from '../secrets/seal-old-rows.ts'
import { createApp } from './app.ts'
import { controlPart } from './backup/control.ts'
import { scheduledBackups } from './backup/scheduled.ts'
import { broadcastFor } from './bootstrap/broadcast.ts'
import { carrierFor } from './bootstrap/carrier.ts'
import { prepareDatabase } from './bootstrap/database.ts'
import { embedderFor } from './bootstrap/embedder.ts'
import { filesFor } from './bootstrap/files.ts'
import { hintsFor } from './bootstrap/hints.ts'
import { modelsFor } from './bootstrap/models.ts'
import { abandonedCalls, platformFor, platformPart } from './bootstrap/platform.ts'
import { logRedisRefusal } from './bootstrap/redis.ts'
import { vaultFor } from './bootstrap/vault.ts'
import { createContainer } from './container.ts'
import type { Dependencies } from './dependencies.ts'
import type { Env } from './env.ts'
import type { Externals } from './externals.ts'
import { housekeeping } from './housekeeping.ts'
import { listen } from './listen.ts'
import { loggedSettings } from './logged-settings.ts'
import { processMetrics } from './metrics/routes.ts'
import { secretColumns } from './sealed-columns.ts'

/** A running server. */
export interface RunningServer {
  url: string
  /** What requests are served with. */
  services: Dependencies
  /** The first admin's key, when the server made it: with the embedded database and no ADMIN_API_KEY. */
  adminKey: string | undefined
  embedded: { database: boolean; platform: boolean }
  /** What an operator still has to do. */
  hints: readonly string[]
  /**
   * Is not ready from now on, goes on serving for `drainMs` or until `hurry` aborts, lets running requests end (ten
   * seconds at most; turns that still run are told of it), then closes the database.
   */
  stop(drainMs?: number, hurry?: AbortSignal): Promise<void>
}

const lastRequestsMs = 10_000
/** How long the turns that were ended then have to say so. */
const lastWordsMs = 1_000

/** The standby that lists are read from, which is connected to on its first use. */
const standbyOf = ({ databaseReplicaUrl: url, databaseConnections, databasePoolSize: max }: Env) =>
  url === undefined ? undefined : openDatabase({ ...databaseConnections, url, max })

/**
 * Whether the servers of the addresses beside DATABASE_URL take them.
 * @throws AddressRefusedError
 */
async function requireAddresses({ databaseDirectUrl: url, redisUrl }: Env, standby: DatabaseHandle | undefined) {
  if (standby) await requireAccess('DATABASE_REPLICA_URL', standby)
  if (url === undefined || redisUrl !== undefined) return
  const direct = await openDatabase({ url, max: 1 })
  await requireAccess('DATABASE_DIRECT_URL', direct).finally(() => direct.close())
}

/** Changes of what the environment says, above all for the tests that break things. */
export type Overrides = Partial<Pick<Externals, 'mirrorTimes' | 'clock' | 'platform' | 'models'>> & {
  /** Opened already; closed with the server. */
  database?: DatabaseHandle
  onQuery?: (statement: string, parameters: readonly unknown[]) => void
  log?: Logger
  /** Ends the start, as soon as that is safe, while it does not listen yet. */
  signal?: AbortSignal
}

/**
 * Starts the server that an environment describes; resolves once it serves requests. One that cannot start closes what
 * it opened.
 * @throws AddressRefusedError, DatabaseAwayError, DatabaseFolderError, DatabaseUnwritableError, PortInUseError,
 *   PlaceError, WrongSecretsKeyError and DataFolderInUseError, which an operator can mend; the reason of `signal`
 */
export async function startServer(env: Env, overrides: Overrides = {}): Promise<RunningServer> {
  const opened = new AsyncDisposableStack()
  try {
    return await start(env, overrides, opened)
  } catch (error) {
    // What cannot be closed says less than why it is closed.
    await opened.disposeAsync().catch(() => {})
    throw isUnreachable(error) ? new DatabaseAwayError(env.databaseStartSeconds, error) : error
  }
}

/** Everything opened is closed in the reverse order, whether the start fails or the server is stopped. */
async function start(env: Env, overrides: Overrides, opened: AsyncDisposableStack): Promise<RunningServer> {
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLog(env.logLevel)
  const { signal } = overrides
  const { databaseConnections, databaseUrl, dataDir, databasePoolSize: max } = env
  const options = { ...databaseConnections, url: databaseUrl, dataDir, max, onQuery: overrides.onQuery }
  const connected = overrides.database ?? (await openDatabase(options))
  opened.defer(() => connected.close())
  connected.listen?.(({ event, error }) => {
    if (error) log.error({ event, err: error }, 'the embedded database is started again when it is asked next')
    else log.warn({ event }, 'the embedded database was started again')
  })
  const standby = await standbyOf(env)
  opened.defer(async () => standby?.close())
  const telemetry = env.telemetry && (await import('./telemetry/start.ts')).startTelemetry(env.telemetry, { log })
  opened.defer(async () => telemetry?.close())
  const database = telemetry?.database(connected) ?? connected
  const { observe, isWorking } = watchPeers(telemetry?.observe)
  const broadcast = broadcastFor(env, database, log)
  opened.defer(() => broadcast.close())
  const eventLoop = watchEventLoop()
  opened.defer(() => eventLoop.stop())

  const timeout = { seconds: env.databaseStartSeconds, now: () => clock.now().getTime(), sleep }
  const untilStopped = { ...timeout, signal }
  const prepare = () => prepareDatabase(env, database, { now: clock.now(), log, signal })
  await whenServing(database, untilStopped)
  const adminKey = await whenReachable(prepare, untilStopped)
  if (!database.embedded) await requireAddresses(env, standby)
  if (env.redisUrl !== undefined) await logRedisRefusal(env.redisUrl, log)
  const vault = await whenReachable(() => vaultFor(env, database.db), untilStopped)
  await whenReachable(() => requireSameKey(database.db, vault, secretColumns), untilStopped)

  const limiter = env.redisUrl === undefined ? undefined : redisLimiter(env.redisUrl, clock, log)
  opened.defer(() => limiter?.close?.())
  const settings = {
    publicUrl: env.publicUrl ?? '',
    backgroundSoundBaseUrl: env.backgroundSoundBaseUrl,
    versionHistoryLimit: env.versionHistoryLimit,
    conversationDays: env.conversationDays,
  }
  const models = overrides.models ?? (await modelsFor(env, observe))
  const slots = createSlots({ total: env.turnsAtOnce })
  const turnSlots = telemetry?.turns(slots) ?? slots
  const outgoing = observe('server of a user', createGuardedFetch({ allowed: allowedPlaces(env.allowPrivateNetwork) }))
  const parts = { clock, log, vault, outgoing, models, slots: turnSlots, observe }
  const { client, embedded } = await platformFor(env, database, parts)
  const backups = scheduledBackups(env, database.db, log)
  let isStopping = false
  const ending = new AbortController()
  const services = createContainer({
    database,
    standby: standby && (telemetry?.database(standby) ?? standby),
    clock,
    log,
    platform: overrides.platform ?? client,
    vault,
    files: filesFor(env, observe),
    allowPrivateNetwork: env.allowPrivateNetwork,
    outgoing,
    webhookCredentials: env.webhookCredentials,
    embeddedPlatform: env.voicePlatform === undefined,
    carrier: carrierFor(env, database.db, observe),
    settings,
    rateLimits: env.rateLimits,
    turns: { timeZone: env.timeZone },
    isStopping: () => isStopping,
    ending: ending.signal,
    requestMs: env.requestMs,
    trustedProxies: env.trustedProxies,
    models,
    turnSlots,
    embedder: embedderFor(env, observe),
    limiter,
    driftSweepMinutes: env.driftSweepMinutes,
    broadcast,
    eventLoop,
    isWorking,
    tracing: telemetry?.tracing,
    work: [...abandonedCalls(embedded), ...(backups ? [backups.work] : [])],
    mirrorTimes: { graceMs: env.liveWriteGraceMs, ...overrides.mirrorTimes },
  })
  opened.defer(async () => {
    await Promise.all([services.memory.close(), services.summaries.close()])
  })
  telemetry?.addMetrics(() => processMetrics(services))
  const { mirror, phoneNumbers, indexer, webhooks, deletions, paidHolds, adoptions } = services
  const control = controlPart({ database, dataDir }, (error) =>
    log.warn({ event: 'control_socket_failed', err: error }, 'backups need this server to be stopped'),
  )
  const background = [
    mirror,
    phoneNumbers,
    platformPart(embedded, log),
    indexer,
    webhooks,
    deletions,
    paidHolds,
    adoptions,
    housekeeping(services, env.retention, systemTimers),
    vacuumPart(database, log, systemTimers),
    sealingPart({ db: database.db, vault, log, timers: systemTimers, columns: secretColumns }),
    ...(backups ? [backups] : []),
    control,
    idleMemoryPart(systemTimers),
  ]
  await broadcast.subscribe(services.onBroadcast)

  signal?.throwIfAborted()
  const server = listen(createApp(services), env, services.idleSeconds)
  opened.defer(() => server.stop(true))
  const url = `http://${env.host.includes(':') ? `[${env.host}]` : env.host}:${server.port}`
  if (env.publicUrl === undefined) settings.publicUrl = url
  // Not before it listens: a server whose port is taken does no work of the one that has it.
  const stopBackground = await startBackground(background, services.work, (part) =>
    whenReachable(async () => part.prepare?.(database.embedded), timeout),
  )
  opened.defer(stopBackground)
  const hints = database.embedded ? [] : await hintsFor(database.db)
  log.info({ event: 'server_started', version, url, settings: loggedSettings(env) }, 'the server is ready')
  return {
    url,
    services,
    adminKey,
    embedded: { database: database.embedded, platform: env.voicePlatform === undefined },
    hints,
    async stop(drainMs = 0, hurry?: AbortSignal) {
      isStopping = true
      log.info({ event: 'server_stopping', version, drainMs }, 'the server is stopping')
      await sleep(drainMs, hurry)
      const idle = server.stop()
      await ifInTime(idle, lastRequestsMs)
      ending.abort()
      await ifInTime(idle, lastWordsMs)
      await server.stop(true)
      await opened.disposeAsync()
      log.info({ event: 'server_stopped', version }, 'the server has stopped')
    },
  }
}
