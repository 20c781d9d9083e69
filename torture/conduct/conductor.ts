import { type Faults, type Target, targets } from '../faults.ts'
import type { Random } from '../random.ts'
import { mirrored, type Places } from '../server/fleet.ts'
import type { ServerProcess } from '../server/server-process.ts'

/** What breaks for everybody, and how often in comparison. */
const processWeights = { kill: 4, terminate: 2, stop: 5, 'long stop': 0 }
const databaseWeights = { cut: 6, refuse: 3, stall: 3, 'end backends': 6, crash: 2, restart: 1 }

/** What breaks one request, and how often in comparison: these are cheap, and many. */
const requestWeights: Record<Target, number> = { platform: 10, wire: 4, client: 4, store: 3, model: 2 }

const stopMs: [number, number] = [100, 3_000]
/** Longer than a lease, so that another instance takes over what the stopped one holds. */
const longStopMs = 17_000
/** A server that is always starting meets no request: it works for a while between two breaks. */
const uptimeMs: [number, number] = [1_000, 6_000]
const heavyGapMs: [number, number] = [200, 1_200]
const requestGapMs: [number, number] = [20, 90]

interface Conducted {
  faults: Faults
  random: Random
  servers: readonly ServerProcess[]
  places: Places
  /** A server did not end when it was asked to. */
  onStuck(name: string): void
}

/** Breaks things until `count` faults were counted or `mostMs` are over; then all is whole again. */
export async function conduct(conducted: Conducted, count: number, maxMs: number): Promise<void> {
  const { faults, random, places } = conducted
  const until = Date.now() + maxMs
  const goal = faults.total + count
  const goesOn = () => faults.total < goal && Date.now() < until
  // An embedded database has no wire, and its one server keeps files in a folder.
  const weights = { ...requestWeights, ...(!places.database && { wire: 0, store: 0 }) }
  const breakRequests = async () => {
    while (goesOn()) {
      const target = targets.find((name) => name === random.weighted(weights))
      if (target) faults.arm(target)
      await Bun.sleep(random.between(...requestGapMs))
    }
    faults.disarm()
  }
  await Promise.all([breakRequests(), breakForAll(conducted, goesOn)])
}

type ProcessFault = (server: ServerProcess) => Promise<void>
/** How much it hit: nothing is no fault. */
type DatabaseFault = (database: NonNullable<Places['database']>, hit: () => void) => Promise<void>

async function breakForAll({ faults, random, servers, places, onStuck }: Conducted, goesOn: () => boolean) {
  const { database } = places
  const busy = new Set<Promise<void>>()
  const idle = new Set(servers)
  let databaseIdle = true
  const weights: Record<string, number> = {
    ...processWeights,
    ...(servers.length > 2 && { 'long stop': 0.3 }),
    ...(database && databaseWeights),
  }
  const inBackground = (work: Promise<void>, done: () => void) => {
    const ended = work
      .then(() => faults.touch())
      .finally(() => {
        done()
        busy.delete(ended)
      })
    busy.add(ended)
  }
  const onProcess = processFaults(random, onStuck)
  const onDatabase = databaseFaults(random)
  while (goesOn()) {
    const kind = random.weighted(weights) ?? ''
    const processFault = onProcess[kind]
    const databaseFault = onDatabase[kind]
    const server = random.pick([...idle])
    if (processFault && server?.running) {
      idle.delete(server)
      faults.count(`process: ${kind}`)
      inBackground(processFault(server), () => {
        setTimeout(() => idle.add(server), random.between(...uptimeMs))
      })
    } else if (databaseFault && database && databaseIdle) {
      databaseIdle = false
      inBackground(
        databaseFault(database, () => faults.count(`database: ${kind}`)),
        () => {
          databaseIdle = true
        },
      )
    }
    await Bun.sleep(random.between(...heavyGapMs))
  }
  await Promise.all(busy)
}

function processFaults(random: Random, onStuck: (name: string) => void): Record<string, ProcessFault> {
  const stopFor = async (server: ServerProcess, ms: number) => {
    server.signal('SIGSTOP')
    await Bun.sleep(ms)
    server.signal('SIGCONT')
  }
  return {
    async kill(server) {
      await server.kill()
      await Bun.sleep(random.between(0, 500))
      await server.start()
    },
    async terminate(server) {
      if (!(await server.stop())) onStuck(server.name)
      await server.start()
    },
    stop: (server) => stopFor(server, random.between(...stopMs)),
    'long stop': (server) => stopFor(server, longStopMs),
  }
}

function databaseFaults(random: Random): Record<string, DatabaseFault> {
  return {
    async cut({ proxy }, hit) {
      if (proxy.cut() > 0) hit()
    },
    async refuse({ proxy }, hit) {
      proxy.refuse(true)
      if (proxy.cut() > 0) hit()
      await Bun.sleep(random.between(300, 3_000))
      proxy.refuse(false)
    },
    async stall({ proxy }, hit) {
      if (proxy.stall(true) > 0) hit()
      await Bun.sleep(random.between(300, 3_000))
      proxy.stall(false)
    },
    async 'end backends'({ cluster }, hit) {
      const mine = 'datname is not null and pid <> pg_backend_pid() and random() < 0.5'
      const ended = `select pg_terminate_backend(pid) from pg_stat_activity where ${mine}`
      if ((await cluster.query(mirrored, ended)).length > 0) hit()
    },
    async crash({ cluster }, hit) {
      hit()
      await cluster.restart('immediate', random.between(0, 2_000))
    },
    async restart({ cluster }, hit) {
      hit()
      await cluster.restart('fast', random.between(0, 1_000))
    },
  }
}
