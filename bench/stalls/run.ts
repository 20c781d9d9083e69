import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/client.ts'
import { type Cluster, databaseName } from '../cluster.ts'
import { handbook } from '../indexing/text.ts'
import { type Mix, mixedLoad } from '../memory/load.ts'
import { insertCalls } from '../operations/calls.ts'
import { onServer, startMain } from '../start.ts'
import type { Delays } from './watch.ts'

const streams = 30
const largeBytes = 20 * 1024 * 1024
const indexedCharacters = 200_000
const countedCalls = 100_000
/** Between two of these: all are in the days that statistics are of. */
const everySeconds = 20
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

/** Has the statistics of an assistant computed again and again: they are kept for a second. */
async function countCalls(mix: Mix, assistant: string, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    const { data }: { data: { calls: { total: number } } } = JSON.parse(
      await call(mix, `/assistants/${assistant}/stats`),
    )
    if (data.calls.total !== countedCalls) throw new Error(`The statistics are of ${data.calls.total} calls`)
    await Bun.sleep(lookMs)
  }
}

/**
 * Makes an assistant with many calls; returns its id. The server does not run meanwhile: an embedded database has one
 * owner.
 */
async function seedCalls(dataDir: string, url: string | undefined, settings: readonly string[], key: string) {
  const assistant = await startMain(dataDir, settings, async (server) => {
    const body = json({ name: 'Counted' })
    const { data }: { data: { assistant_id: string } } = JSON.parse(
      await call({ url: server, key, done: 0 }, '/assistants', body),
    )
    return data.assistant_id
  })
  const database = await openDatabase(url === undefined ? { dataDir } : { url })
  try {
    await insertCalls(database.sql, [assistant], { count: countedCalls, everySeconds })
    // A server gathers statistics by itself; the embedded database never does.
    if (url !== undefined) await database.sql`vacuum analyze`
  } finally {
    await database.close()
  }
  return assistant
}

const described = ({ p50, p99, longest, count }: Delays) =>
  `delay of the thread: median ${p50.toFixed(1)} ms, p99 **${p99.toFixed(1)} ms**, longest **${longest.toFixed(1)} ms** (${count.toLocaleString('en-US')} timers)`

async function delaysUnderLoad(dataDir: string, url: string | undefined, extra: readonly string[], seconds: number) {
  const key = `bench-${crypto.randomUUID()}`
  const file = `${dataDir}-delays.json`
  // One workspace's share of the turns at once is a part of all of them.
  const limits = ['RATE_LIMIT_PER_MINUTE=0', 'TURN_RATE_LIMIT_PER_MINUTE=0', `TURN_CONCURRENCY=${streams * 8}`]
  const settings = [`ADMIN_API_KEY=${key}`, `DELAYS_FILE=${file}`, ...limits, ...extra]
  const assistant = await seedCalls(dataDir, url, settings, key)
  const measured = async (server: string, pid: number) => {
    const mix: Mix = { url: server, key, done: 0 }
    const agent = await idOf(mix, '/agents', { name: 'Guide' })
    const until = Date.now() + seconds * 1000
    const goesOn = () => Date.now() < until
    process.kill(pid, 'SIGUSR2')
    const reading = Array.from({ length: streams }, () => stream(mix, agent, goesOn))
    await Promise.all([mixedLoad(mix, goesOn), upload(mix, goesOn), countCalls(mix, assistant, goesOn), ...reading])
    await rm(file, { force: true })
    process.kill(pid, 'SIGUSR2')
    while (!(Bun.file(file).size > 0)) await Bun.sleep(10)
    return described(await Bun.file(file).json())
  }
  return startMain(dataDir, settings, measured, join(import.meta.dirname, 'watch.ts'))
}

/** How long the thread is held at most under mixed load, with the embedded database and on a PostgreSQL server. */
export async function stallsUnderLoad(scratch: string, cluster: Cluster, seconds: number): Promise<string> {
  const embedded = await delaysUnderLoad(join(scratch, 'stalls-embedded'), undefined, [], seconds)
  const name = 'stalls'
  const settings = await onServer(cluster, name)
  const url = cluster.url(databaseName(name))
  const server = await delaysUnderLoad(join(scratch, 'stalls-server'), url, settings, seconds)
  return [
    `Stalls under mixed load, uploads of ${largeBytes / 1024 / 1024} MB and ${indexedCharacters.toLocaleString('en-US')} characters, statistics of ${countedCalls.toLocaleString('en-US')} calls, and ${streams} streams, ${seconds} s`,
    `- Embedded database: ${embedded}`,
    `- PostgreSQL: ${server}`,
  ].join('\n')
}
