import { startCluster } from '../../torture/outside/postgres.ts'
import { ending } from '../endings.ts'
import { startInstance } from '../instance.ts'
import { markdown } from '../table.ts'
import { fillOthers, fillTenant } from './fill.ts'
import { type Cost, meter } from './measure.ts'
import { type Measured, makeTenant, operatorRequests, requestsOf } from './requests.ts'

/** Nothing waits for a disk, and the server counts the pages of each statement. */
const settings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'shared_buffers=1GB',
  'max_wal_size=4GB',
  'shared_preload_libraries=pg_stat_statements',
]

/** Two connections: each comes to use the plans that it keeps. */
const instanceSettings = { DATABASE_POOL_SIZE: '2', DRIFT_SWEEP_MINUTES: '0' }

const cell = ({ pages, milliseconds }: Cost) => `${Math.round(pages).toLocaleString('en')} · ${milliseconds.toFixed(1)}`

const statementLength = 300
/** Growth that is worth a word. */
const grows = (before: Cost | undefined, { pages }: Cost) => before !== undefined && pages > before.pages * 2 + 20

/**
 * Measures every request of the same tenant beside a database of one size and of a hundred times that, then the
 * requests of a tenant that has much itself.
 */
export async function growth(thousands: number, say: (text: string) => void): Promise<string> {
  const cluster = await startCluster(settings)
  const stopCluster = ending(cluster.stop)
  try {
    await cluster.createDatabase('growth')
    const url = cluster.url('growth')
    await cluster.query('growth', 'create extension pg_stat_statements')
    const instance = await startInstance(url, instanceSettings)
    const { measure, close } = meter(instance, url)
    try {
      const rows = new Map<string, Cost[]>()
      const measureAll = async (requests: Measured[]) => {
        for (const request of requests) {
          say(`Measuring: ${request.name}`)
          const cost = await measure(request)
          const known = rows.get(request.name) ?? []
          if (grows(known[0], cost))
            say(
              `  ${cell(cost)} after ${cell(known[0] ?? cost)}, above all by: ${cost.statement.slice(0, statementLength)}`,
            )
          rows.set(request.name, [...known, cost])
        }
      }
      say('Making the tenants that are measured')
      const same = await makeTenant(instance.url, 'same')
      await fillTenant(url, same, 0)
      for (const factor of [1, 100]) {
        say(`Filling: ${(thousands * factor).toLocaleString('en')} thousand assistants`)
        await fillOthers(url, factor === 1 ? thousands : thousands * (factor - 1))
        await measureAll([...requestsOf(same, 200), ...operatorRequests(thousands * factor * 1_000)])
      }
      say('Filling: a tenant that has much')
      const large = await makeTenant(instance.url, 'large')
      await fillTenant(url, large, thousands)
      await measureAll(requestsOf(large, thousands * 20_000))
      const lines = [...rows].map(([name, costs]) => [
        name,
        ...[0, 1, 2].map((at) => (costs[at] ? cell(costs[at]) : '')),
      ])
      const head = ['Request', 'once', '100 times', 'a tenant that has much, 100 times']
      return `## What requests cost as the data grows (pages of the database · ms of processor time)\n\n${markdown(head, lines)}`
    } finally {
      await close()
      await instance.stop()
    }
  } finally {
    await stopCluster()
  }
}
