import pino from 'pino'
import type { Account } from '../src/accounts/account.ts'
import type { AccountContext } from '../src/api/context.ts'
import { createContainer } from '../src/app/container.ts'
import { noBroadcast } from '../src/broadcast/broadcast.ts'
import type { Carrier } from '../src/carrier/carrier.ts'
import type { DatabaseHandle } from '../src/db/client.ts'
import { startBackground } from '../src/db/work/background.ts'
import type { Embedder } from '../src/knowledge/embedder.ts'
import { createVault } from '../src/secrets/vault.ts'
import type { Files } from '../src/storage/files.ts'
import { createPlatformClient } from '../src/voice-platform/client.ts'
import type { PlatformFetch } from '../src/voice-platform/transport.ts'
import { newId } from './outside/live-objects.ts'
import { mirrorTimes, sweepMinutes } from './times.ts'
import type { Process } from './world/process.ts'
import type { World } from './world/world.ts'

export const vault = createVault({ current: new Uint8Array(32).fill(7) })

interface Surroundings {
  world: World
  process: Process
  database: DatabaseHandle
  fetch: PlatformFetch
  carrier: Carrier
}

/** What no simulated operation asks for. */
const unused = <T>(what: string) =>
  new Proxy(
    {},
    {
      get(_target, name) {
        throw new Error(`A simulation has no ${what} (${String(name)})`)
      },
    },
  ) as T

const embedder: Embedder = {
  id: 'none',
  embed: async () => {
    throw new Error('A simulation has no embedder')
  },
  close() {},
}

/** Our services in one simulated process, with what they do in the background. */
export function startInstance({ world, process, database, fetch, carrier }: Surroundings) {
  const clock = { now: world.date }
  const platform = createPlatformClient({
    baseUrl: 'http://platform.simulated',
    apiKey: 'sk_simulated',
    fetch,
    clock,
    sleep: process.timers.sleep,
    timeoutMs: 10_000,
  })
  const services = createContainer({
    database,
    clock,
    timers: process.timers,
    log: pino({ level: 'silent' }),
    platform,
    embeddedPlatform: false,
    carrier,
    vault,
    files: unused<Files>('files'),
    embedder,
    settings: {
      publicUrl: 'http://localhost',
      backgroundSoundBaseUrl: undefined,
      versionHistoryLimit: 500,
      conversationDays: 0,
    },
    rateLimits: {},
    // Nobody hears of the others: what one leaves is found by looking alone.
    broadcast: { ...noBroadcast, isListening: () => false },
    driftSweepMinutes: sweepMinutes,
    mirrorTimes,
  })
  const parts = [services.mirror, services.phoneNumbers, services.paidHolds, services.drift]
  const whenUp = async (part: { prepare?(alone: boolean): unknown }) => {
    for (;;) {
      try {
        return await part.prepare?.(false)
      } catch {
        await process.timers.sleep(250)
      }
    }
  }
  const started = startBackground(parts, services.work, whenUp)

  return {
    process,
    services,
    started,
    /** The context of a request by `account`, which may carry an id that the same request sent again has, too. */
    context(account: Account): AccountContext & Pick<Process, 'timers'> {
      return {
        ...services,
        timers: process.timers,
        requestId: newId(world),
        address: '127.0.0.1',
        origin: null,
        signal: new AbortController().signal,
        idempotencyId: newId(world),
        outcome: {},
        account,
        scope: { kind: 'workspace', id: account.workspaceId },
        meta: {},
      }
    },
  }
}

export type Instance = ReturnType<typeof startInstance>
