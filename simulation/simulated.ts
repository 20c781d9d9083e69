import type { Account } from '../src/accounts/account.ts'
import type { Book } from './book.ts'
import type { Instance } from './instance.ts'
import type { CarrierModel } from './outside/carrier.ts'
import type { Weather } from './outside/faults.ts'
import type { LiveObjects } from './outside/live-objects.ts'
import type { Profile } from './profiles.ts'
import type { World } from './world/world.ts'

/** What operations act on. */
export interface Simulated {
  world: World
  book: Book
  objects: LiveObjects
  carrier: CarrierModel
  account: Account
  profile: Profile
  weather: Weather
  /** The instances that live, which may be none. */
  instances(): Instance[]
  /** Kills one and starts another later. */
  kill(instance: Instance): void
  /** Starts one more. */
  join(): void
}

/** A request to one of the instances; undefined while none lives. */
export function request({ world, account, ...simulated }: Simulated): ReturnType<Instance['context']> | undefined {
  return world.random().pick(simulated.instances())?.context(account)
}
