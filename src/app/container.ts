import { limitWrongTokens } from '../api/auth/wrong-tokens.ts'
import { defaultBodyTimes, defaultIdleSeconds } from '../api/http/body.ts'
import { inProcessLimiter } from '../api/rate-limit/in-process.ts'
import type { RateLimits } from '../api/rate-limit/limiter.ts'
import { createQueue } from '../api/rate-limit/slots.ts'
import { createUnread } from '../api/rate-limit/unread.ts'
import { announceWork } from '../broadcast/activity.ts'
import { noBroadcast } from '../broadcast/broadcast.ts'
import { createReplica } from '../db/replica.ts'
import { createPoller, tracedWork } from '../db/work/poller.ts'
import { createGuardedFetch } from '../outgoing/guarded-fetch.ts'
import { allowedPlaces } from '../outgoing/places.ts'
import { createWrittenRecords } from '../resources/assistants/read/written.ts'
import { holdsPart } from '../resources/billing/keep.ts'
import { deletionsPart } from '../resources/deletions/deletions.ts'
import { createStatisticsCache } from '../resources/stats/cache.ts'
import { authenticator } from '../resources/tokens/authenticate.ts'
import { grantedCredentials } from '../resources/workspaces/credentials.ts'
import { stillEventLoop } from '../runtime/event-loop.ts'
import { createHistogram } from '../runtime/metrics.ts'
import { systemTimers } from '../runtime/timers.ts'
import { sealStored } from '../secrets/sealed-json.ts'
import { createWebhookQueue } from '../webhooks/queue.ts'
import { createAgentParts } from './agent-parts.ts'
import { maxConcurrent } from './concurrency.ts'
import type { Dependencies } from './dependencies.ts'
import type { Externals } from './externals.ts'
import { createMirroring } from './mirroring.ts'
import { createHealth } from './readiness.ts'

/** Each holds the thread, and the connection of an embedded database. */
const extractionsAtOnce = 2

const noLimits: RateLimits = { perMinute: 0, turnsPerMinute: 0, widgetPerMinute: 0, wrongTokensPerMinute: 0 }

/** Puts the application's dependencies together from what the outside gives. */
export function createContainer(externals: Externals): Dependencies {
  const { database, clock, log, platform, vault, files, timers = systemTimers } = externals
  const { db } = database
  for (const one of [database, externals.standby]) if (one) sealStored(one, vault)
  const wake = () => work.wake()
  const allowed = allowedPlaces(externals.allowPrivateNetwork ?? [])
  const outgoing = externals.outgoing ?? createGuardedFetch({ allowed })
  const { mcpServers, ...agentParts } = createAgentParts(externals, outgoing)
  const mirroring = createMirroring(externals, wake)
  const webhooks = createWebhookQueue({
    db,
    log,
    clock,
    vault,
    outgoing,
    credentials: externals.webhookCredentials ?? new Map(),
    isGranted: grantedCredentials(db),
    chance: timers.chance,
    maxAtOnce: maxConcurrent.webhooks,
    wake,
  })
  const deletions = deletionsPart({ db, files, log })
  const paidHolds = holdsPart(db)

  const { mirror, phoneNumbers, drift, adoptions } = mirroring
  const parts = [mirror, phoneNumbers, agentParts.indexer, webhooks, deletions, paidHolds, drift, adoptions]
  const broadcast = externals.broadcast ?? noBroadcast
  const kinds = [...parts.map((part) => part.work), ...(externals.work ?? [])].map(tracedWork(externals.tracing))
  const onWork = () => activity.note()
  const work = createPoller({ db, log, kinds, timer: timers, isNotified: broadcast.isListening, onWork })
  const activity = announceWork(work, broadcast, timers.now)

  const accounts = authenticator(db, clock)
  const limiter = externals.limiter ?? inProcessLimiter(clock)
  const rateLimits = { ...noLimits, ...externals.rateLimits }
  const statistics = createStatisticsCache()
  const writtenRecords = createWrittenRecords()
  return {
    ...agentParts,
    ...mirroring,
    mcpServers: {
      ...mcpServers,
      async invalidate(uid) {
        mcpServers.invalidate(uid)
        await broadcast.publish('connector', uid)
      },
    },
    db,
    replica: externals.standby && createReplica(db, externals.standby, timers, log),
    clock,
    tracing: externals.tracing,
    log,
    platform,
    vault,
    files,
    webhooks,
    work,
    allowedPlaces: allowed,
    extractions: createQueue({ total: extractionsAtOnce, perKey: 1 }),
    unread: externals.unread ?? createUnread(timers),
    deletions,
    paidHolds,
    ending: externals.ending ?? new AbortController().signal,
    settings: externals.settings,
    limiter,
    rateLimits,
    wrongTokens: limitWrongTokens({ limiter, clock, perMinute: rateLimits.wrongTokensPerMinute }),
    trustedProxies: allowedPlaces(externals.trustedProxies ?? []),
    bodyTimes: externals.bodyTimes ?? defaultBodyTimes,
    idleSeconds: externals.idleSeconds ?? defaultIdleSeconds,
    requestMs: externals.requestMs ?? 0,
    authenticate: accounts.authenticate,
    lastKnownAccount: accounts.lastKnown,
    async invalidateAccounts() {
      accounts.invalidate()
      await broadcast.publish('accounts', 'all')
    },
    async invalidateStatistics(liveId) {
      statistics.invalidate(liveId)
      await broadcast.publish('statistics', liveId)
    },
    statistics,
    writtenRecords,
    requestTimes: createHistogram('switchboard_request_seconds', 'How long requests took, by operation and status.'),
    eventLoop: externals.eventLoop ?? stillEventLoop,
    databasePool: database.pool,
    cacheSizes: () => ({ accounts: accounts.size(), statistics: statistics.size(), records: writtenRecords.size }),
    noteWork: activity.note,
    onBroadcast: (topic, subject) => {
      if (topic === 'accounts' && subject === undefined) accounts.recheck()
      else if (topic === 'accounts') accounts.invalidate()
      else if (topic === 'statistics') statistics.invalidate(subject ?? '')
      else if (topic === 'connector') mcpServers.invalidate(subject)
      else work.noteActivity()
    },
    health: createHealth(externals),
    isWorking: externals.isWorking ?? (() => true),
  }
}
