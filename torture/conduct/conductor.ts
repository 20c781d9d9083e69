import type { Faults } from '../faults.ts'
import type { Random } from '../random.ts'
import { mirrored, type Places } from '../server/fleet.ts'
import type { ServerProcess } from '../server/server-process.ts'

/** What is broken, and how often in comparison: most faults are the platform's, which are cheap. */
const processWeights = { kill: 4, terminate: 2, stop: 5, 'long stop': 0 }
const databaseWeights = { cut: 6, refuse: 3, stall: 3, 'end backends': 6, crash: 2, restart: 1 }
const platformWeight = 40

/** Longer than a lease, so that another instance takes over what the stopped one holds. */
const longStopMs = 17_000
/** More armed faults than that mean that requests come too slowly for more. */
const mostArmed = 6
const gapMs: [number, number] = [100, 450]

interface Conducted {
  faults: Faults
  random: Random
  servers: readonly ServerProcess[]
  places: Places
  /** A server did not end when it was asked to. */
  onStuck(name: string): void
}

/** Breaks things until `count` faults were counted or `mostMs` are over; then all is whole again. */
export async function conduct({ faults, random, servers, places, onStuck }: Conducted, count: number, mostMs: number) {
  const busy = new Set<Promise<void>>()
  const idle = new Set(servers)
  let databaseIdle = true
  const until = Date.now() + mostMs
  const goal = faults.total + count
  const { database } = places
  const weights: Record<string, number> = {
    platform: platformWeight,
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

  const stopFor = async (server: ServerProcess, ms: number) => {
    server.signal('SIGSTOP')
    await Bun.sleep(ms)
    server.signal('SIGCONT')
  }

  const onProcess: Record<string, (server: ServerProcess) => Promise<void>> = {
    async kill(server) {
      await server.kill()
      await Bun.sleep(random.between(0, 500))
      await server.start()
    },
    async terminate(server) {
      if (!(await server.stop())) onStuck(server.name)
      await server.start()
    },
    stop: (server) => stopFor(server, random.between(300, 4_000)),
    'long stop': (server) => stopFor(server, longStopMs),
  }

  const onDatabase: Record<string, (database: NonNullable<Places['database']>) => Promise<void>> = {
    async cut({ proxy }) {
      proxy.cut()
    },
    async refuse({ proxy }) {
      proxy.refuse(true)
      proxy.cut()
      await Bun.sleep(random.between(300, 3_000))
      proxy.refuse(false)
    },
    async stall({ proxy }) {
      proxy.stall(true)
      await Bun.sleep(random.between(300, 3_000))
      proxy.stall(false)
    },
    async 'end backends'({ cluster }) {
      const mine = 'datname is not null and pid <> pg_backend_pid() and random() < 0.5'
      await cluster.query(mirrored, `select pg_terminate_backend(pid) from pg_stat_activity where ${mine}`)
    },
    crash: ({ cluster }) => cluster.restart('immediate', random.between(0, 2_000)),
    restart: ({ cluster }) => cluster.restart('fast', random.between(0, 1_000)),
  }

  while (faults.total < goal && Date.now() < until) {
    const kind = random.weighted(weights)
    const process = kind === undefined ? undefined : onProcess[kind]
    const databaseFault = kind === undefined ? undefined : onDatabase[kind]
    const server = random.pick([...idle])
    if (process && server?.running) {
      idle.delete(server)
      faults.count(`process: ${kind}`)
      inBackground(process(server), () => idle.add(server))
    } else if (databaseFault && database && databaseIdle) {
      databaseIdle = false
      faults.count(`database: ${kind}`)
      inBackground(databaseFault(database), () => {
        databaseIdle = true
      })
    } else if (faults.waiting < mostArmed) {
      faults.arm()
    }
    await Bun.sleep(random.between(...gapMs))
  }
  faults.disarm()
  await Promise.all(busy)
}
