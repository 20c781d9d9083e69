import type { Logger } from 'pino'
import { createSlots } from '../../api/rate-limit/slots.ts'
import type { DatabaseHandle } from '../../db/client.ts'
import type { BackgroundPart } from '../../db/work/background.ts'
import type { WorkKind } from '../../db/work/poller.ts'
import { localModel } from '../../language-model/local/model.ts'
import { createModels, type UsableModel } from '../../language-model/models.ts'
import type { GuardedFetch } from '../../outgoing/guarded-fetch.ts'
import { type Observe, unobserved } from '../../outgoing/observe.ts'
import { askThrough } from '../../resources/calls/ask.ts'
import { converseThrough } from '../../resources/calls/converse.ts'
import { ownersOfLive } from '../../resources/calls/owners.ts'
import { workspacesOfLive } from '../../resources/calls/workspaces.ts'
import { grantedCredentials } from '../../resources/workspaces/credentials.ts'
import type { Clock } from '../../runtime/clock.ts'
import { ifInTime } from '../../runtime/deadline.ts'
import { createFairShare } from '../../runtime/fair-share.ts'
import type { Slots } from '../../runtime/slots.ts'
import type { Vault } from '../../secrets/vault.ts'
import { createPlatformClient, type PlatformClient } from '../../voice-platform/client.ts'
import { createCallStore, nextAbandoned } from '../../voice-platform/embedded/calls/store.ts'
import { createEmbeddedPlatform, type EmbeddedPlatform, embeddedFetch } from '../../voice-platform/embedded/platform.ts'
import { createDatabaseStore } from '../../voice-platform/embedded/store/store.ts'
import { webhookOutbox } from '../../webhooks/outbox.ts'
import { maxConcurrent } from '../concurrency.ts'
import type { Env } from '../env.ts'
import { platformKeysIn } from './data-folder.ts'

/** The live platform, and the embedded one behind it unless it is a real one. */
interface Platform {
  client: PlatformClient
  embedded?: EmbeddedPlatform
}

interface Parts {
  clock: Clock
  log: Logger
  vault: Vault
  outgoing: GuardedFetch
  models: readonly UsableModel[] | undefined
  slots: Slots
  observe?: Observe
}

/** The platform of VOICE_PLATFORM_URL, or the embedded one in this process on the same database. */
export async function platformFor(
  env: Env,
  { db }: DatabaseHandle,
  { clock, log, vault, outgoing, models, slots, observe = unobserved }: Parts,
): Promise<Platform> {
  if (env.voicePlatform) {
    const { url, apiKey } = env.voicePlatform
    const queue = createFairShare({ total: maxConcurrent.voicePlatform })
    const request = observe('voice platform', (...call: Parameters<typeof fetch>) => fetch(...call))
    return { client: createPlatformClient({ baseUrl: url, apiKey, fetch: request, clock, queue }) }
  }
  const keys = await platformKeysIn(env.dataDir)
  const embedded = createEmbeddedPlatform({
    ...keys,
    store: createDatabaseStore(db),
    calls: createCallStore(db, webhookOutbox(vault, workspacesOfLive)),
    converse: converseThrough({ db, models: createModels(localModel(), models), slots }),
    plays: models !== undefined && models.length > 0,
    ask: askThrough({
      db,
      log,
      vault,
      clock,
      outgoing,
      credentials: env.webhookCredentials,
      isGranted: grantedCredentials(db),
      slots: createSlots({ total: maxConcurrent.questions }),
    }),
    ownerOf: ownersOfLive(db),
    callFailed: (err, callId) => log.warn({ event: 'call_failed', err, callId }, 'a simulated call ended early'),
    clock,
    newId: () => crypto.randomUUID(),
  })
  const client = createPlatformClient({
    baseUrl: 'http://embedded-platform',
    apiKey: keys.apiKey,
    fetch: observe('voice platform', embeddedFetch(embedded)),
    clock,
    simulated: true,
  })
  return { client, embedded }
}

/** A third of how long a call is held, so that one failure loses none. */
const everyMs = 5_000
const drainMs = 10_000

/** Calls of the embedded platform that a crash cut off: they are ended. */
export const abandonedCalls = (embedded: EmbeddedPlatform | undefined): WorkKind[] =>
  embedded
    ? [
        {
          name: 'abandoned calls',
          nextDue: nextAbandoned,
          async run() {
            while ((await embedded.endAbandonedCalls(false)) > 0);
          },
        },
      ]
    : []

/** What the embedded platform does beside requests: it keeps running calls its own, and lets them end. */
export function platformPart(embedded: EmbeddedPlatform | undefined, log: Logger): BackgroundPart {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const keep = async () => {
    try {
      // Without running calls this asks the database nothing.
      await embedded?.holdCalls()
    } catch (error) {
      log.warn({ event: 'simulated_calls_failed', err: error }, 'looking after simulated calls failed')
    }
    if (!stopped) timer = setTimeout(keep, everyMs)
  }
  return {
    async prepare(alone) {
      while (((await embedded?.endAbandonedCalls(alone)) ?? 0) > 0);
    },
    start() {
      if (embedded) timer = setTimeout(keep, everyMs)
    },
    async stop() {
      if (embedded) await ifInTime(embedded.idle(), drainMs)
      stopped = true
      clearTimeout(timer)
    },
  }
}
