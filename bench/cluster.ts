import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { atTheEnd } from './cleanups.ts'
import { onCore } from './cores.ts'

/** A PostgreSQL server to measure on. */
export interface Cluster {
  /** The URL of one of its databases. */
  url(database: string): string
}

const binariesRoot = '/usr/lib/postgresql'

async function binaries(): Promise<string> {
  const onPath = Bun.which('initdb')
  if (onPath) return join(onPath, '..')
  const versions = (await readdir(binariesRoot).catch(() => [])).sort((a, b) => Number(b) - Number(a))
  const [newest] = versions
  if (newest === undefined) throw new Error('No PostgreSQL binaries found: install PostgreSQL or give --url')
  return join(binariesRoot, newest, 'bin')
}

/** PostgreSQL refuses to run as root: then another user runs it. */
function otherUser(): string | undefined {
  if (process.getuid?.() !== 0) return undefined
  return ['postgres', 'nobody'].find((user) => Bun.spawnSync(['id', '-u', user]).success)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** What a benchmark needs and a database with data would not have: nothing waits for the disk. */
const settings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'shared_buffers=1GB',
  'max_wal_size=8GB',
]

function run(command: string[]): void {
  const { success, stderr } = Bun.spawnSync(command)
  if (!success) throw new Error(`${command.join(' ')} failed: ${stderr.toString()}`)
}

async function ready(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    for (let tries = 0; ; tries++) {
      try {
        await sql`select 1`
        return
      } catch (error) {
        if (tries === 100) throw error
        await Bun.sleep(100)
      }
    }
  } finally {
    await sql.end()
  }
}

/** Makes and starts a temporary server in a folder of its own; both are gone when the run is over. */
export async function temporaryCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-bench-'))
  atTheEnd(() => rm(folder, { recursive: true, force: true }))
  const bin = await binaries()
  const user = otherUser()
  const as = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
  if (user !== undefined) run(['chown', `${user}:`, folder])
  const data = join(folder, 'data')
  run([...as, join(bin, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'])
  const port = await freePort()
  const options = [...settings, `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting])
  const server = Bun.spawn(
    [...onCore(1), ...as, join(bin, 'postgres'), '-D', data, '-h', '127.0.0.1', '-p', String(port), ...options],
    { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
  )
  atTheEnd(async () => {
    server.kill('SIGQUIT')
    await server.exited
  })
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  await ready(url('postgres'))
  return { url }
}

const prefix = 'switchboard_bench'

/** A server that runs already; the databases that are made there are dropped when the run is over. */
export function givenCluster(given: string): Cluster {
  const made = new Set<string>()
  const url = (database: string) => {
    made.add(database)
    const other = new URL(given)
    other.pathname = `/${database}`
    return other.href
  }
  atTheEnd(async () => {
    const sql = postgres(given, { max: 1, onnotice: () => {} })
    for (const database of made) {
      if (database.startsWith(prefix)) await sql`drop database if exists ${sql(database)} with (force)`
    }
    await sql.end()
  })
  return { url }
}

/** The name of one of the bench's databases. */
export const databaseName = (name: string): string => `${prefix}_${name}`

/** Makes a database, empty or as a copy of another; one that was left behind is replaced. */
export async function createDatabase(cluster: Cluster, database: string, from = 'template1'): Promise<string> {
  const sql = postgres(cluster.url('postgres'), { max: 1, onnotice: () => {} })
  await sql`drop database if exists ${sql(database)} with (force)`
  await sql`create database ${sql(database)} template ${sql(from)}`
  await sql.end()
  return cluster.url(database)
}

/** The version of the server. */
export async function serverVersion(cluster: Cluster): Promise<string> {
  const sql = postgres(cluster.url('postgres'), { max: 1 })
  const [row] = await sql<{ server_version: string }[]>`show server_version`
  await sql.end()
  return row?.server_version.split(' ')[0] ?? 'unknown'
}
