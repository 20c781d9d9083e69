import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildServer, serverMain } from '../scripts/prepare/server.ts'
import { type Cluster, createDatabase, databaseName } from './cluster.ts'
import { median } from './measure.ts'

const built = buildServer()

/** What a process takes of this machine's memory, in MiB. */
export async function residentMib(pid: number): Promise<number> {
  const pages = Number((await Bun.file(`/proc/${pid}/statm`).text()).split(' ')[1])
  return (pages * 4096) / 1024 / 1024
}

/** The most that a process has taken of it so far, in MiB. */
async function peakMib(pid: number): Promise<number> {
  const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(await Bun.file(`/proc/${pid}/status`).text()) ?? []
  return Number(kibibytes) / 1024
}

/** The settings of a server on a new database of a PostgreSQL server. */
export async function onServer(cluster: Cluster, name: string): Promise<string[]> {
  const url = await createDatabase(cluster, databaseName(name))
  return [`DATABASE_URL=${url}`, `SECRETS_KEY=${Buffer.alloc(32, 1).toString('base64')}`]
}

/**
 * Runs this server on an embedded database in a folder, as an operator would, while `work` uses it.
 * @param preload a script that is loaded into it
 */
export async function startMain<Result>(
  dataDir: string,
  settings: readonly string[],
  work: (url: string, pid: number) => Promise<Result>,
  preload?: string,
): Promise<Result> {
  await built
  const all = ['NODE_ENV=production', 'PORT=0', `DATA_DIR=${dataDir}`, 'LOG_LEVEL=warn', ...settings]
  const server = Bun.spawn(
    ['env', '-i', ...all, process.execPath, ...(preload ? ['--preload', preload] : []), serverMain],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  try {
    let said = ''
    const decoder = new TextDecoder()
    const reader = server.stdout.getReader()
    for (;;) {
      const { value, done } = await reader.read()
      if (done) throw new Error('The server ended before it was ready')
      said += decoder.decode(value, { stream: true })
      const url = /ready at (\S+)/.exec(said)?.[1]
      if (url !== undefined) return await work(url, server.pid)
    }
  } finally {
    server.kill('SIGTERM')
    await server.exited
  }
}

/** What one start took. */
interface Start {
  /** From the start of the process to its first answer. */
  milliseconds: number
  /** The most that the process held until then, in MiB. */
  peakMib: number
  /** What the process holds a while later, in MiB; 0 where that is not waited for. */
  restMib: number
}

const restMs = 8_000

async function startOnce(dataDir: string, settings: readonly string[], rests: boolean): Promise<Start> {
  await built
  const started = performance.now()
  return startMain(dataDir, settings, async (url, pid) => {
    const health = await fetch(`${url}/health`)
    if (!health.ok) throw new Error(`GET /health answered ${health.status}`)
    const milliseconds = performance.now() - started
    const start = { milliseconds, peakMib: await peakMib(pid), restMib: 0 }
    if (!rests) return start
    await Bun.sleep(restMs)
    return { ...start, restMib: await residentMib(pid) }
  })
}

async function startTimes(times: number, start: (count: number) => Promise<Start>): Promise<Start> {
  const starts: Start[] = []
  for (let count = 0; count < times; count++) starts.push(await start(count))
  const half = (figure: keyof Start) => median(starts.map((one) => one[figure]))
  return { milliseconds: half('milliseconds'), peakMib: half('peakMib'), restMib: half('restMib') }
}

/** Medians. */
export interface Starts {
  /** The first one of all, on an empty folder: the server is bundled, its database is yet to be made. */
  cold: Start
  /** On a database that was used before. */
  embedded: Start
  server: Start
}

/** How long starts take, and what a server holds that nobody asks for anything. */
export async function measureStarts(scratch: string, cluster: Cluster, times: number): Promise<Starts> {
  const folders = Array.from({ length: times }, (_, count) => join(scratch, `start-${count}`))
  const cold = await startTimes(times, (count) => startOnce(folders[count] ?? scratch, [], false))
  const [used = scratch, ...others] = folders
  for (const folder of others) await rm(folder, { recursive: true, force: true })
  const embedded = await startTimes(times, () => startOnce(used, [], true))
  const settings = await onServer(cluster, 'start')
  await startOnce(join(scratch, 'start-server'), settings, false)
  const server = await startTimes(times, () => startOnce(join(scratch, 'start-server'), settings, true))
  return { cold, embedded, server }
}
