import { join } from 'node:path'
import { type Cluster, createDatabase, databaseName } from '../cluster.ts'
import { handbook } from '../indexing/text.ts'
import { type Mix, mixedLoad } from '../memory/load.ts'
import { startMain } from '../start.ts'

const streams = 30
const largeBytes = 20 * 1024 * 1024
const indexedCharacters = 200_000
const lookMs = 1_000

/** Calls the server; throws for anything but success. Resolves once the whole response is there. */
async function call({ url, key }: Mix, path: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(`${url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...init.headers },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`)
  return text
}

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

async function idOf(mix: Mix, path: string, body: object): Promise<string> {
  const { data }: { data: { id: string } } = JSON.parse(await call(mix, path, json(body)))
  return data.id
}

/** Sends a large file, and a text that is indexed, again and again. */
async function upload(mix: Mix, goesOn: () => boolean): Promise<void> {
  const agent = await idOf(mix, '/agents', { name: 'Reader' })
  const files = [
    new File([new Uint8Array(largeBytes)], 'large.pdf', { type: 'application/pdf' }),
    new File([handbook(indexedCharacters)], 'handbook.txt', { type: 'text/plain' }),
  ]
  while (goesOn()) {
    for (const file of files) {
      const body = new FormData()
      body.set('file', file)
      const { data }: { data: { id: number } } = JSON.parse(
        await call(mix, `/agents/${agent}/files`, { method: 'POST', body }),
      )
      await Bun.sleep(lookMs)
      await call(mix, `/agents/${agent}/files/${data.id}`, { method: 'DELETE' })
    }
  }
}

/** Reads one reply after the other of a chat as it is written. */
async function stream(mix: Mix, agent: string, goesOn: () => boolean): Promise<void> {
  const chat = await idOf(mix, `/agents/${agent}/chats`, {})
  while (goesOn()) {
    const { headers, ...asked } = json({ content: 'What do you know of the cellar?' })
    await call(mix, `/agents/${agent}/chats/${chat}/messages`, {
      ...asked,
      headers: { ...headers, accept: 'text/event-stream' },
    })
    await Bun.sleep(lookMs / 4)
  }
}

const gauge = /^switchboard_event_loop_delay_seconds (\S+)$/m

async function longestDelays(dataDir: string, extra: readonly string[], seconds: number): Promise<string> {
  const key = `bench-${crypto.randomUUID()}`
  // One workspace's share of the turns at once is a part of all of them.
  const limits = ['RATE_LIMIT_PER_MINUTE=0', 'TURN_RATE_LIMIT_PER_MINUTE=0', `TURN_CONCURRENCY=${streams * 8}`]
  return startMain(dataDir, [`ADMIN_API_KEY=${key}`, ...limits, ...extra], async (url) => {
    const mix: Mix = { url, key, done: 0 }
    const until = Date.now() + seconds * 1000
    const goesOn = () => Date.now() < until
    const agent = await idOf(mix, '/agents', { name: 'Guide' })
    const delays: number[] = []
    const watch = async () => {
      while (goesOn()) {
        await Bun.sleep(lookMs)
        delays.push(Number(gauge.exec(await call(mix, '/metrics'))?.[1] ?? Number.NaN) * 1000)
      }
    }
    const reading = Array.from({ length: streams }, () => stream(mix, agent, goesOn))
    await Promise.all([mixedLoad(mix, goesOn), upload(mix, goesOn), watch(), ...reading])
    const sorted = delays.toSorted((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0
    return `longest delay of the thread in a second: median ${median.toFixed(0)} ms, most **${sorted.at(-1)?.toFixed(0)} ms**`
  })
}

/** How long the thread is held at most under mixed load, with the embedded database and on a PostgreSQL server. */
export async function stallsUnderLoad(scratch: string, cluster: Cluster, seconds: number): Promise<string> {
  const url = await createDatabase(cluster, databaseName('stalls'))
  const secrets = `SECRETS_KEY=${Buffer.alloc(32, 1).toString('base64')}`
  const embedded = await longestDelays(join(scratch, 'stalls-embedded'), [], seconds)
  const server = await longestDelays(join(scratch, 'stalls-server'), [`DATABASE_URL=${url}`, secrets], seconds)
  return [
    `Stalls under mixed load, uploads of ${largeBytes / 1024 / 1024} MB and ${indexedCharacters.toLocaleString('en-US')} characters, and ${streams} streams, ${seconds} s`,
    `- Embedded database: ${embedded}`,
    `- PostgreSQL: ${server}`,
  ].join('\n')
}
