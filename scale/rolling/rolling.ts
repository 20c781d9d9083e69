import { startCluster } from '../../torture/outside/postgres.ts'
import { ending } from '../endings.ts'
import { adminKey, type Instance, startInstance } from '../instance.ts'
import { markdown } from '../table.ts'
import { startBalancer } from './haproxy.ts'

/** What became of the requests of clients that never retry. */
export interface Rolled {
  sent: number
  /** Those that were not answered with success, by what came instead. */
  lost: Map<string, number>
  exitCodes: number[]
}

interface RollingOptions {
  /** Requests at the least; clients go on until every instance was restarted. */
  requests: number
  /** Clients that send one request after the other on kept connections. */
  clients: number
  drainSeconds: number
  say(text: string): void
}

/** A client that sends reads and writes in turn until it is told to end. */
async function client(url: string, rolled: Rolled, isOver: () => boolean): Promise<void> {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' }
  while (!isOver()) {
    const number = rolled.sent++
    const write = number % 10 === 0 && { method: 'POST', body: JSON.stringify({ name: `Rolled ${number}` }) }
    const outcome = await fetch(`${url}/assistants${write ? '' : '?per_page=5'}`, { headers, ...write }).then(
      async (response) => {
        const text = await response.text()
        return response.ok ? undefined : `${response.status} ${text.slice(0, 60).replace(/\s+/g, ' ')}`
      },
      (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'no response'),
    )
    if (outcome !== undefined) rolled.lost.set(outcome, (rolled.lost.get(outcome) ?? 0) + 1)
  }
}

/** Waits until the balancer sends requests to every instance. */
async function untilAllUp({ allUp }: { allUp(): Promise<boolean> }): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    if (await allUp()) return
    await Bun.sleep(100)
  }
  throw new Error('The balancer never had every instance')
}

/** Restarts three instances one after the other behind a balancer, while clients send requests. */
export async function roll({ requests, clients, drainSeconds, say }: RollingOptions): Promise<Rolled> {
  const cluster = await startCluster()
  const stopCluster = ending(cluster.stop)
  const rolled: Rolled = { sent: 0, lost: new Map(), exitCodes: [] }
  const instances: Instance[] = []
  try {
    await cluster.createDatabase('rolling')
    const settings = { DRAIN_SECONDS: String(drainSeconds) }
    const start = (port = '0') => startInstance(cluster.url('rolling'), { ...settings, PORT: port })
    for (let count = 0; count < 3; count++) instances.push(await start())
    const ports = instances.map(({ port }) => port)
    const balancer = await startBalancer(ports)
    const stopBalancer = ending(balancer.stop)
    try {
      await untilAllUp(balancer)
      let restarted = false
      const isOver = () => restarted && rolled.sent >= requests
      const load = Array.from({ length: clients }, () => client(balancer.url, rolled, isOver))
      for (const [index, port] of ports.entries()) {
        say(`Restarting instance ${index + 1}`)
        rolled.exitCodes.push((await instances[index]?.stop()) ?? -1)
        const again = await start(String(port))
        instances[index] = again
        await untilAllUp(balancer)
      }
      restarted = true
      await Promise.all(load)
    } finally {
      await stopBalancer()
    }
  } finally {
    for (const instance of instances) await instance.stop()
    await stopCluster()
  }
  return rolled
}

/** The same, as a table. */
export async function rolling(say: (text: string) => void): Promise<string> {
  const { sent, lost, exitCodes } = await roll({ requests: 5_000, clients: 8, drainSeconds: 3, say })
  const losses = [...lost].map(([what, count]) => `${count} × ${what}`).join(', ') || 'none'
  const rows = [[String(sent), losses, exitCodes.join(', ')]]
  return `## A rolling restart of three instances\n\n${markdown(['Requests', 'Lost', 'Exit codes'], rows)}`
}
