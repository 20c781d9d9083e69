import { limitWrongTokens } from '../api/auth/wrong-tokens.ts'
import { defaultBodyTimes } from '../api/http/body.ts'
import { inProcessLimiter } from '../api/rate-limit/in-process.ts'
import { createQueue, createSlots } from '../api/rate-limit/slots.ts'
import { createUnread } from '../api/rate-limit/unread.ts'
import { announceWork } from '../broadcast/activity.ts'
import { noBroadcast } from '../broadcast/broadcast.ts'
import { embeddedCarrier } from '../carrier/embedded/carrier.ts'
import { createReplica } from '../db/replica.ts'
import { createPoller, tracedWork } from '../db/work/poller.ts'
import { embeddedEmbedder } from '../knowledge/embedded-embedder.ts'
import { shareEmbedder } from '../knowledge/shared-embedder.ts'
import { meaningRanker } from '../language-model/local/meaning-ranker.ts'
import { localModel } from '../language-model/local/model.ts'
import { createModels } from '../language-model/models.ts'
import { defaultTurnSettings, defaultTurnsAtOnce } from '../language-model/settings.ts'
import { createMcpServers } from '../mcp/servers.ts'
import { createGuardedFetch } from '../outgoing/guarded-fetch.ts'
import { allowedPlaces } from '../outgoing/places.ts'
import { assistantAdopter } from '../resources/assistants/outside/adopter.ts'
import { createWrittenRecords } from '../resources/assistants/read/written.ts'
import { assistantRemote } from '../resources/assistants/remote.ts'
import { sweptAssistants } from '../resources/assistants/swept.ts'
import { recordDrift } from '../resources/audit/record-drift.ts'
import { holdsPart } from '../resources/billing/keep.ts'
import { toolAdopter } from '../resources/catalogue/outside.ts'
import { sweptTools } from '../resources/catalogue/swept.ts'
import { toolRemote } from '../resources/catalogue/tool-remote.ts'
import { connectorToolbox } from '../resources/connectors/toolbox.ts'
import { deletionsPart } from '../resources/deletions/deletions.ts'
import { createIndexer } from '../resources/files/indexer.ts'
import { createSearch, knowledgeOf } from '../resources/files/search.ts'
import { importsPart } from '../resources/imports/worker.ts'
import { createMemoryKeeper } from '../resources/memory/keeper.ts'
import { numberAdopter } from '../resources/phone-numbers/outside/adopt.ts'
import { phoneNumberRemote } from '../resources/phone-numbers/remote.ts'
import { sweptNumbers } from '../resources/phone-numbers/swept.ts'
import { createNumberReconciler } from '../resources/phone-numbers/sync/reconciler.ts'
import { squadAdopter } from '../resources/squads/outside/adopt.ts'
import { squadRemote } from '../resources/squads/remote.ts'
import { sweptSquads } from '../resources/squads/swept.ts'
import { createStatisticsCache } from '../resources/stats/cache.ts'
import { createSummaryKeeper } from '../resources/summaries/keeper.ts'
import { authenticator } from '../resources/tokens/authenticate.ts'
import { grantedCredentials } from '../resources/workspaces/credentials.ts'
import { stillEventLoop } from '../runtime/event-loop.ts'
import { createHistogram } from '../runtime/metrics.ts'
import { systemTimers } from '../runtime/timers.ts'
import { sealStored } from '../secrets/sealed-json.ts'
import { createFindings } from '../voice-platform/drift/findings.ts'
import { createInspect } from '../voice-platform/drift/inspect.ts'
import { createScan } from '../voice-platform/drift/scan.ts'
import { createSweep } from '../voice-platform/drift/sweep.ts'
import { createBases } from '../voice-platform/mirror/agreement/bases.ts'
import { createMirror } from '../voice-platform/mirror/mirror.ts'
import type { RemoteKind } from '../voice-platform/mirror/remote-kind.ts'
import { createWebhookQueue } from '../webhooks/queue.ts'
import type { Dependencies, RateLimits } from './dependencies.ts'
import type { Externals } from './externals.ts'
import { outsideAtOnce } from './outside.ts'
import { createHealth } from './readiness.ts'

const searchesAtOnce = 16
/** Each holds the thread, and the connection of an embedded database. */
const extractionsAtOnce = 2

const noLimits: RateLimits = { perMinute: 0, turnsPerMinute: 0, widgetPerMinute: 0, wrongTokensPerMinute: 0 }

/** Puts the application's dependencies together from what the outside gives. */
export function createContainer(externals: Externals): Dependencies {
  const { database, clock, log, platform } = externals
  const { db } = database
  const allowed = allowedPlaces(externals.allowPrivateNetwork ?? [])
  const accounts = authenticator(db, clock)
  const { carrier = embeddedCarrier(db), vault, mirrorTimes, timers = systemTimers } = externals
  for (const one of [database, externals.standby]) if (one) sealStored(one, vault)
  const remoteKinds: RemoteKind[] = [
    assistantRemote(platform),
    squadRemote(platform),
    toolRemote(platform, db),
    phoneNumberRemote({ platform, vault, carrier, clock }),
  ]
  const adopters = {
    assistant: assistantAdopter({ clock, settings: externals.settings }),
    squad: squadAdopter({ clock }),
    phone_number: numberAdopter({ clock, vault }),
    tool: toolAdopter({ clock }),
  }
  const announce = recordDrift(clock)
  const wake = () => work.wake()
  const mirror = createMirror({ db, log, vault, remoteKinds, adopters, announce, wake, timers, ...mirrorTimes })
  const bases = createBases(vault)
  const sweep = createSweep({
    db,
    bases,
    findings: createFindings({ db, vault, announce }),
    inspect: createInspect({ db, bases }),
    kinds: [sweptTools(platform), sweptAssistants(platform), sweptSquads(platform), sweptNumbers(platform, vault)],
  })
  const drift = createScan({
    db,
    clock,
    log,
    sweep,
    minutes: externals.driftSweepMinutes ?? 0,
    requestsMs: externals.driftRequestsMs,
    wake,
    timers,
  })
  const embedder = shareEmbedder(externals.embedder ?? embeddedEmbedder())
  const languageModels = createModels(localModel(meaningRanker(embedder, log)), externals.models)
  const turns = { ...defaultTurnSettings, ...externals.turns }
  const turnSlots = externals.turnSlots ?? createSlots({ total: defaultTurnsAtOnce })
  const limiter = externals.limiter ?? inProcessLimiter(clock)
  const rateLimits = { ...noLimits, ...externals.rateLimits }
  const enabled = externals.remember ?? true
  const outgoing = externals.outgoing ?? createGuardedFetch({ allowed })
  const mcpServers = createMcpServers({
    outgoing,
    clock,
    log,
    slots: createSlots({ total: outsideAtOnce.toolServers }),
  })
  const credentials = externals.webhookCredentials ?? new Map()
  const statistics = createStatisticsCache()
  const writtenRecords = createWrittenRecords()
  const requests = createHistogram('switchboard_request_seconds', 'How long requests took, by operation and status.')
  const search = createSearch({ db, embedder, log })
  const webhooks = createWebhookQueue({
    db,
    log,
    clock,
    vault,
    outgoing,
    credentials,
    isGranted: grantedCredentials(db),
    maxAtOnce: outsideAtOnce.webhooks,
    wake,
  })
  const indexer = createIndexer({ db, clock, embedder, files: externals.files, log })
  const { carrierSlots = createSlots({ total: outsideAtOnce.carrier }) } = externals
  const sides = { db, clock, timers, log, platform, vault, carrier, carrierSlots, mirror }
  const phoneNumbers = createNumberReconciler({ ...sides, ...mirrorTimes })
  const deletions = deletionsPart({ db, files: externals.files, log })
  const paidHolds = holdsPart(db)
  const adoptions = importsPart({ db, clock, log, platform, vault, settings: externals.settings })
  const parts = [mirror, phoneNumbers, indexer, webhooks, deletions, paidHolds, drift, adoptions]
  const broadcast = externals.broadcast ?? noBroadcast
  const kinds = [...parts.map((part) => part.work), ...(externals.work ?? [])].map(tracedWork(externals.tracing))
  const onWork = () => activity.note()
  const work = createPoller({ db, log, kinds, timer: timers, isNotified: broadcast.isListening, onWork })
  const activity = announceWork(work, broadcast, timers.now)
  const connectorServers = {
    ...mcpServers,
    async invalidate(uid?: string) {
      mcpServers.invalidate(uid)
      await broadcast.publish('connector', uid)
    },
  }
  return {
    db,
    replica: externals.standby && createReplica(db, externals.standby, timers),
    clock,
    tracing: externals.tracing,
    log,
    platform,
    vault,
    files: externals.files,
    outgoing,
    webhooks,
    work,
    allowedPlaces: allowed,
    languageModels,
    search,
    searchSlots: externals.searchSlots ?? createSlots({ total: searchesAtOnce }),
    extractions: createQueue({ total: extractionsAtOnce, perKey: 1 }),
    unread: externals.unread ?? createUnread(timers),
    indexer,
    embedder,
    deletions,
    paidHolds,
    adoptions,
    knowledge: externals.knowledge ?? knowledgeOf(search),
    mcpServers: connectorServers,
    toolbox: externals.toolbox ?? connectorToolbox({ db, vault, log, mcpServers }),
    memory: createMemoryKeeper({
      db,
      clock,
      log,
      models: languageModels,
      slots: turnSlots,
      times: turns.times,
      enabled,
    }),
    summaries: createSummaryKeeper({
      db,
      clock,
      log,
      slots: turnSlots,
      times: turns.times,
      enabled: externals.summarise ?? true,
    }),
    turns,
    turnSlots,
    settings: externals.settings,
    limiter,
    rateLimits,
    wrongTokens: limitWrongTokens({ limiter, clock, perMinute: rateLimits.wrongTokensPerMinute }),
    trustedProxies: allowedPlaces(externals.trustedProxies ?? []),
    bodyTimes: externals.bodyTimes ?? defaultBodyTimes,
    requestMs: externals.requestMs ?? 0,
    mirror,
    drift,
    carrier,
    carrierSlots,
    phoneNumbers,
    authenticate: accounts.authenticate,
    async invalidateAccounts() {
      accounts.invalidate()
      await broadcast.publish('accounts')
    },
    async invalidateStatistics(liveId) {
      statistics.invalidate(liveId)
      await broadcast.publish('statistics', liveId)
    },
    statistics,
    writtenRecords,
    monitor: { requests, eventLoop: externals.eventLoop ?? stillEventLoop },
    databasePool: database.pool,
    cacheSizes: () => ({ accounts: accounts.size(), statistics: statistics.size(), records: writtenRecords.size }),
    noteWork: activity.note,
    onBroadcast: (topic, subject) => {
      if (topic === 'accounts') accounts.invalidate()
      else if (topic === 'statistics') statistics.invalidate(subject ?? '')
      else if (topic === 'connector') mcpServers.invalidate(subject)
      else work.noteActivity()
    },
    health: createHealth(externals),
    isWorking: externals.isWorking ?? (() => true),
  }
}
