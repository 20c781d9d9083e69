import { startCluster } from '../../torture/outside/postgres.ts'
import { ending } from '../endings.ts'
import { startInstance } from '../instance.ts'
import { markdown } from '../table.ts'
import { fillOthers } from './fill.ts'
import { type Measured, makeTenant, requestsOf } from './requests.ts'

/** So often that connections have planned their statements for good. */
const warmUps = 80

async function send(url: string, { path, token, method, body }: Measured): Promise<number> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body()) }),
  })
  await response.arrayBuffer()
  return response.status
}

/** The median milliseconds of a request. Throws when it is refused. */
async function measure(url: string, request: Measured): Promise<string> {
  const status = await send(url, request)
  if (status >= 400) throw new Error(`${request.name} gave ${status}`)
  const [warm, times] = request.method === 'POST' ? [2, 9] : [warmUps, 25]
  await Promise.all(Array.from({ length: warm }, () => send(url, request)))
  const taken: number[] = []
  for (let count = 0; count < times; count++) {
    const started = performance.now()
    await send(url, request)
    taken.push(performance.now() - started)
  }
  taken.sort((a, b) => a - b)
  return (taken[Math.floor(times / 2)] ?? 0).toFixed(1)
}

/** Measures every request beside a database of one size and of a hundred times that. */
export async function growth(thousands: number, say: (text: string) => void): Promise<string> {
  const cluster = await startCluster()
  const stopCluster = ending(cluster.stop)
  try {
    await cluster.createDatabase('growth')
    const url = cluster.url('growth')
    const instance = await startInstance(url)
    try {
      say('Making the tenant that is measured')
      const tenant = await makeTenant(instance.url)
      const figures = new Map<string, string[]>()
      for (const factor of [1, 100]) {
        say(`Filling: ${(thousands * factor).toLocaleString('en')} thousand assistants`)
        await fillOthers(url, thousands * factor)
        for (const request of requestsOf(tenant, thousands * factor * 1_000)) {
          say(`Measuring: ${request.name}`)
          figures.set(request.name, [...(figures.get(request.name) ?? []), await measure(instance.url, request)])
        }
      }
      const rows = [...figures].map(([name, values]) => [name, ...values])
      return `## What requests cost as the data grows (median, ms)\n\n${markdown(['Request', 'once', '100 times'], rows)}`
    } finally {
      await instance.stop()
    }
  } finally {
    await stopCluster()
  }
}
