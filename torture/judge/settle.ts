import type { World } from '../clients/world.ts'
import type { Faults } from '../faults.ts'
import type { VoicePlatform } from '../outside/voice-platform.ts'
import type { Receiver } from '../outside/webhook-receiver.ts'
import type { Fleet } from '../server/fleet.ts'
import { withDatabase } from '../server/inspect.ts'
import { quietMs } from '../times.ts'
import { openCalls } from './calls.ts'
import { divergences } from './mirror.ts'
import { unfinished } from './money.ts'
import { readState } from './state.ts'

const pollMs = 500
const mostMs = 150_000

interface Settling {
  fleet: Fleet
  platform: VoicePlatform
  receiver: Receiver
  faults: Faults
  world: World
  known: ReadonlySet<unknown>
}

/** How long after the last fault both sides became equal for good, in milliseconds; undefined when they did not. */
export async function settle({
  fleet,
  platform,
  receiver,
  faults,
  world,
  known,
}: Settling): Promise<number | undefined> {
  const started = Date.now()
  let equalSince: number | undefined
  while (Date.now() - started < mostMs) {
    const state = await readState(world)
    const apart = divergences(state, platform.objects, known)
    const open = await openCalls(world, receiver)
    const now = Date.now()
    if (apart.length > 0 || open.length > 0 || platform.late() > 0) equalSince = undefined
    else equalSince ??= now
    const left = fleet.database && equalSince !== undefined ? await withDatabase(fleet, unfinished) : []
    const quiet = fleet.database ? left.length === 0 : now - (equalSince ?? now) >= quietMs
    if (equalSince !== undefined && quiet) return Math.max(0, equalSince - faults.lastAt)
    await Bun.sleep(pollMs)
  }
  return undefined
}
