import { create, reconcile, remove, update } from './clients/assistants.ts'
import { buy, release, route } from './clients/numbers.ts'
import type { OperationKind } from './operations.ts'
import * as person from './outside/person.ts'
import type { Simulated } from './simulated.ts'

const pick = ({ world, ...simulated }: Simulated) => world.random().pick(simulated.instances())

/** Within so many responses an instance that is to be killed or to stand still does. */
const maxResponses = 30

/** What each operation does; it resolves when its client heard of it, which may be never. */
export const perform: Record<OperationKind, (simulated: Simulated) => unknown> = {
  'create assistant': create,
  'update assistant': update,
  'delete assistant': remove,
  'reconcile assistant': reconcile,
  'buy number': buy,
  'route number': route,
  'release number': release,
  'edit outside': person.edit,
  'delete outside': person.remove,
  'create outside': person.create,
  kill(simulated) {
    const instance = pick(simulated)
    instance?.process.atResponse(simulated.world.random().between(1, maxResponses), () => simulated.kill(instance))
  },
  pause(simulated) {
    const process = pick(simulated)?.process
    const random = simulated.world.random()
    const ms = random.between(1_000, 14_000)
    process?.atResponse(random.between(1, maxResponses), () => process.pause(ms))
  },
  async sweep(simulated) {
    await pick(simulated)
      ?.services.drift.request()
      .catch(() => {})
  },
}
