import { join } from 'node:path'
import type { Cluster } from '../cluster.ts'
import { onServer, residentMib, startMain } from '../start.ts'
import { type Mix, mixedLoad } from './load.ts'

const minuteMs = 60_000

/** The slope of the line through what was measured each minute, in MiB a minute. */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
  const together = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0)
  return spread === 0 ? 0 : together / spread
}

async function measured(dataDir: string, extra: readonly string[], minutes: number): Promise<string> {
  const key = `bench-${crypto.randomUUID()}`
  const limits = ['RATE_LIMIT_PER_MINUTE=0', 'TURN_RATE_LIMIT_PER_MINUTE=0']
  return startMain(dataDir, [`ADMIN_API_KEY=${key}`, ...limits, ...extra], async (url, pid) => {
    const mix: Mix = { url, key, done: 0 }
    const values = [await residentMib(pid)]
    const until = Date.now() + minutes * minuteMs
    const load = mixedLoad(mix, () => Date.now() < until)
    const sampled = async () => {
      for (let minute = 1; minute <= minutes; minute += 1) {
        await Bun.sleep(minuteMs)
        values.push(await residentMib(pid))
      }
    }
    await Promise.all([load, sampled()])
    const last = values.slice(Math.floor(values.length / 2))
    const slope = slopeOf(last)
    return [
      `start ${values[0]?.toFixed(0)} MiB; each minute ${values
        .slice(1)
        .map((value) => value.toFixed(0))
        .join(', ')} MiB;`,
      `in the second half **${slope.toFixed(1)} MiB a minute**; ${mix.done} requests`,
    ].join(' ')
  })
}

/** What a server takes under mixed load, minute by minute, with the embedded database and on a PostgreSQL server. */
export async function memoryUnderLoad(scratch: string, cluster: Cluster, minutes: number): Promise<string> {
  const [embedded, server] = [
    await measured(join(scratch, 'memory-embedded'), [], minutes),
    await measured(join(scratch, 'memory-server'), await onServer(cluster, 'memory'), minutes),
  ]
  return `Resident memory under mixed load\n\n- Embedded database: ${embedded}\n- PostgreSQL: ${server}`
}
