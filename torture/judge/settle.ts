import { send } from '../clients/api.ts'
import type { World } from '../clients/world.ts'
import type { Faults } from '../faults.ts'
import type { VoicePlatform } from '../outside/voice-platform.ts'
import type { Receiver } from '../outside/webhook-receiver.ts'
import { adminKey, type Fleet } from '../server/fleet.ts'
import { withDatabase } from '../server/inspect.ts'
import type { ServerProcess } from '../server/server-process.ts'
import { quietMs } from '../times.ts'
import { openCalls } from './calls.ts'
import { divergences } from './mirror.ts'
import { readState } from './state.ts'
import { unfinished } from './unfinished.ts'

const pollMs = 200
const maxMs = 150_000

interface Settling {
  fleet: Fleet
  platform: VoicePlatform
  receiver: Receiver
  faults: Faults
  world: World
  known: ReadonlySet<unknown>
}

/**
 * How long after the last fault both sides became equal for good, in milliseconds; undefined when they did not. An
 * embedded database cannot be read beside its server: there both sides have to stay equal until late writes are over
 * and the server's own metrics show none that is unfinished.
 */
export async function settle(settling: Settling): Promise<number | undefined> {
  const { platform, receiver, faults, world, known } = settling
  const started = Date.now()
  let equalSince: number | undefined
  while (Date.now() - started < maxMs) {
    const state = await readState(world)
    const apart = divergences(state, platform.objects, known)
    const open = apart.length > 0 ? [] : await openCalls(world, receiver)
    const now = Date.now()
    if (apart.length > 0 || open.length > 0 || platform.late() > 0) equalSince = undefined
    else equalSince ??= now
    if (equalSince !== undefined && (await isQuiet(settling, now - Math.max(equalSince, faults.lastAt)))) {
      return Math.max(0, equalSince - faults.lastAt)
    }
    await Bun.sleep(pollMs)
  }
  return undefined
}

async function isQuiet({ fleet }: Settling, equalMs: number): Promise<boolean> {
  if (!fleet.database) return equalMs >= quietMs && (await isIdle(fleet.servers))
  const left = await withDatabase(fleet, (ask) => unfinished(ask, fleet))
  return left.length === 0
}

/** Whether no server has a live write or a turn that is not finished. */
async function isIdle(servers: readonly ServerProcess[]): Promise<boolean> {
  const metrics = await Promise.all(
    servers.map((server) => send(server, adminKey, { method: 'GET', path: '/metrics' })),
  )
  return metrics.every(
    (said) =>
      said.answered && /^switchboard_live_writes 0$/m.test(said.text) && /^switchboard_holds 0$/m.test(said.text),
  )
}
