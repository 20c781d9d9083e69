import { startCluster } from '../../torture/outside/postgres.ts'
import { ending } from '../endings.ts'
import { markdown } from '../table.ts'
import { acrossInstances } from './across.ts'
import { startRedis } from './redis.ts'
import { takeovers } from './takeover.ts'

const kills = 3
const rounds = 5

const range = (times: readonly number[], unit: number, digits: number) => {
  const sorted = times.toSorted((a, b) => a - b).map((time) => (time / unit).toFixed(digits))
  return `${sorted[Math.floor(sorted.length / 2)]} · ${sorted.at(-1)}`
}

/** What several instances know of each other, and take over from each other, as tables. */
export async function instances(say: (text: string) => void): Promise<string> {
  const cluster = await startCluster()
  const stopCluster = ending(cluster.stop)
  try {
    const head = ['Messages between instances go over', 'features taken away, ms', 'a token revoked, ms']
    const rows: string[][] = []
    const measure = async (name: string, settings: Record<string, string>) => {
      say(`Measuring: what instances know of each other over ${name}`)
      const { revoked, narrowed } = await acrossInstances(cluster, settings, rounds)
      rows.push([name, range(narrowed, 1, 0), range(revoked, 1, 0)])
    }
    await measure('the database', {})
    const redis = await startRedis()
    if (redis) {
      const stopRedis = ending(redis.stop)
      await measure('Redis', { REDIS_URL: redis.url }).finally(stopRedis)
    }
    const taken = await takeovers(cluster, kills, say)
    return [
      `## How soon another instance knows (half · longest of ${rounds})`,
      markdown(head, rows),
      `## What a killed instance was at, and when another has finished it (half · longest of ${kills}, s)`,
      markdown(
        ['Killed in the middle of', 'seconds'],
        [...taken].map(([what, times]) => [what, range(times, 1000, 1)]),
      ),
    ].join('\n\n')
  } finally {
    await stopCluster()
  }
}
