import { create, createAgain, createWithNumber, reconcile, remove, update } from './clients/assistants.ts'
import { pay, takeTurn } from './clients/money.ts'
import { buy, release, route } from './clients/numbers.ts'
import * as squads from './clients/squads.ts'
import type { Instance } from './instance.ts'
import * as person from './outside/person.ts'
import type { OperationKind } from './profiles.ts'
import type { Simulated } from './simulated.ts'
import { maxSendMs } from './times.ts'
import type { Step } from './world/process.ts'

const pick = ({ world, ...simulated }: Simulated) => world.random().pick(simulated.instances())

/** Within so many steps an instance that is to be killed or to stand still does: at any await of a write. */
const maxSteps = 14
const maxInstances = 4

type Client = (simulated: Simulated) => Promise<void>

const writes = {
  'create assistant': create,
  'create with number': createWithNumber,
  'create again': createAgain,
  'update assistant': update,
  'delete assistant': remove,
  'reconcile assistant': reconcile,
  'buy number': buy,
  'route number': route,
  'release number': release,
  'create squad': squads.create,
  'update squad': squads.update,
  'delete squad': squads.remove,
  'reconcile squad': squads.reconcile,
  'take turn': takeTurn,
  pay,
} satisfies Partial<Record<OperationKind, Client>>

/** Has something happen to an instance in the middle of a write, or of whatever it does in the background. */
function during(simulated: Simulated, happen: (instance: Instance) => void, steps?: readonly Step[]): void {
  const { world, profile } = simulated
  const instance = pick(simulated)
  if (!instance) return
  instance.process.atStep(world.random().between(1, maxSteps), () => happen(instance), steps)
  if (world.random().chance(0.3)) return
  const weights = Object.fromEntries(
    Object.keys(writes).map((kind) => [kind, profile.operations[kind as OperationKind] ?? 0]),
  )
  const kind = world.random().weighted<keyof typeof writes>(weights)
  if (kind) void writes[kind]({ ...simulated, instances: () => [instance] })
}

const pause = ({ world, profile }: Simulated, { process }: Instance) =>
  process.pause(world.random().between(...profile.pauseMs))

/** Has an instance stand still just before it hears of something; sometimes just before it sends something. */
function standStill(simulated: Simulated): void {
  const { world } = simulated
  if (world.random().chance(0.75)) during(simulated, (instance) => pause(simulated, instance), ['hears'])
  else during(simulated, ({ process }) => process.pause(world.random().between(500, maxSendMs)), ['sends'])
}

/** Has one stand still in the middle of a write, and be killed soon after it went on. */
function standStillAndEnd(simulated: Simulated): void {
  const { world, kill } = simulated
  const happen = (instance: Instance) => {
    pause(simulated, instance)
    instance.process.atStep(world.random().between(1, maxSteps / 2), () => kill(instance))
  }
  during(simulated, happen, ['hears'])
}

/** What each operation does; it resolves when its client heard of it, which may be never. */
export const perform: Record<OperationKind, (simulated: Simulated) => unknown> = {
  ...writes,
  'edit outside': person.edit,
  'delete outside': person.remove,
  'create outside': person.create,
  kill: (simulated) => during(simulated, simulated.kill),
  pause: standStill,
  'pause and kill': standStillAndEnd,
  outage({ world, weather }) {
    weather.outUntil = Math.max(weather.outUntil, world.now() + world.random().between(500, 20_000))
  },
  join(simulated) {
    if (simulated.instances().length < maxInstances) simulated.join()
  },
  async sweep(simulated) {
    await pick(simulated)
      ?.services.drift.request()
      .catch(() => {})
  },
}
