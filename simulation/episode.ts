import { type Account, features } from '../src/accounts/account.ts'
import { resellers } from '../src/resources/resellers/table.ts'
import { users } from '../src/resources/users/table.ts'
import { workspaces } from '../src/resources/workspaces/table.ts'
import { createRandom } from '../torture/random.ts'
import { createBook } from './book.ts'
import { fund } from './clients/money.ts'
import type { Engine } from './database/engine.ts'
import { createServer } from './database/server.ts'
import { profileOf } from './directed-profiles.ts'
import { type Instance, startInstance } from './instance.ts'
import { judge } from './judge/judge.ts'
import { createLookout } from './judge/lookout.ts'
import type { Violation } from './judge/violation.ts'
import type { Operation } from './operations.ts'
import { createCarrierModel } from './outside/carrier.ts'
import { databaseFaults, weatherOf } from './outside/faults.ts'
import { createLiveObjects } from './outside/live-objects.ts'
import { createNetwork } from './outside/network.ts'
import { createSightings } from './outside/sightings.ts'
import { perform } from './perform.ts'
import type { Simulated } from './simulated.ts'
import { createProcess } from './world/process.ts'
import { createWorld } from './world/world.ts'

export interface EpisodeOptions {
  seed: number
  operations: readonly Operation[]
  /** How many instances serve at once. */
  instances?: number
  /** The directed profile that the operations are of. */
  profile?: string
  /** Keeps the whole trace. */
  keep?: boolean
}

export interface Report {
  seed: number
  violations: Violation[]
  /** Of all that happened, in order: two runs of one seed have the same. */
  digest: string
  trace: readonly string[]
  steps: number
  statements: number
  /** Simulated milliseconds. */
  lastedMs: number
}

async function newAccount({ handle: { db } }: Engine): Promise<Account> {
  const [reseller] = await db.insert(resellers).values({ name: 'Reseller' }).returning({ id: resellers.id })
  const resellerId = reseller?.id ?? 0
  const uuid = '00000000-0000-4000-8000-000000000001'
  const [workspace] = await db
    .insert(workspaces)
    .values({ uuid, resellerId, name: 'Workspace', billing: 'usd' })
    .returning({ id: workspaces.id })
  const workspaceId = workspace?.id ?? 0
  const person = { name: 'Somebody', email: 'somebody@example.com', role: 'user', workspaceRole: 'owner' } as const
  const values = { ...person, workspaceId, resellerId, features: [...features] }
  const [user] = await db.insert(users).values(values).returning({ id: users.id })
  await fund(db, workspaceId, user?.id ?? 0)
  return {
    ...person,
    tokenId: 1,
    tokenExpiresAt: null,
    scopes: null,
    userId: user?.id ?? 0,
    workspaceId,
    workspaceUuid: uuid,
    resellerId,
    features,
    emailVerified: true,
    assistantQuota: null,
  }
}

/** How long a killed process stays away, in milliseconds. */
const awayMs = [200, 9_000] as const

/**
 * Does the operations in a world of its own, made of the engine and of the seed alone; then the faults stop, and the
 * judge compares everything.
 */
export async function runEpisode(engine: Engine, options: EpisodeOptions): Promise<Report> {
  const { seed, operations, instances: count = 2 } = options
  await engine.reset()
  const account = await newAccount(engine)
  const world = createWorld(seed, options.keep)
  const profile = profileOf(seed, options.profile)
  const weather = weatherOf(profile)
  const server = createServer(world, engine, databaseFaults(world, weather))
  const objects = createLiveObjects(world)
  const carrier = createCarrierModel(world, weather)
  const sightings = createSightings(world)
  const network = createNetwork(world, weather, objects, sightings)
  const look = createLookout({ engine, server })
  const book = createBook(world, (write) => look(simulated, write))
  const instances = new Set<Instance>()
  let started = 0

  const start = () => {
    const name = `p${++started}`
    const process = createProcess(world, name)
    const actor = { name: `${name} background`, random: world.random().fork() }
    world.as(actor, () => {
      const database = server.connect(process)
      const fetch = network.fetchOf(process)
      instances.add(startInstance({ world, process, database, fetch, carrier: carrier.carrierOf(process) }))
    })
  }

  const simulated: Simulated = {
    world,
    book,
    objects,
    carrier,
    account,
    profile,
    weather,
    join: start,
    instances: () => [...instances],
    kill(instance) {
      world.note(`${instance.process.name} is killed`)
      instance.process.kill()
      instances.delete(instance)
      world.schedule('a process starts', world.random().between(...awayMs), start)
    },
  }

  for (let index = 0; index < count; index += 1) start()
  for (const [index, { at, kind, seed: own }] of operations.entries()) {
    const actor = { name: `op${index}`, random: createRandom(own) }
    world.as(actor, () =>
      world.schedule(`op${index} ${kind}`, at, () => {
        void perform[kind](simulated)
      }),
    )
  }
  const endsAt = (operations.at(-1)?.at ?? 0) + 1
  await world.run(() => world.now() >= endsAt, endsAt + 1)
  weather.bad = false
  // What was still to happen to an instance does not any more.
  for (const { process } of instances) process.atStep(0, () => {})
  const violations = await judge({
    ...simulated,
    engine,
    sightings,
    isBusy: server.isBusy,
    arriving: () => network.late() + carrier.late(),
  })
  for (const { process } of instances) process.kill()
  return {
    seed,
    violations,
    digest: world.digest(),
    trace: world.lines,
    steps: world.steps,
    statements: server.statements,
    lastedMs: world.now(),
  }
}
