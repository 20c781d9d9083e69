import { chown, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import postgres from 'postgres'

const binariesRoot = '/usr/lib/postgresql'

/** The folder of PostgreSQL's programs, or undefined where it is not installed. */
export async function postgresBinaries(): Promise<string | undefined> {
  const onPath = Bun.which('initdb')
  // Often a link to where the other programs are.
  if (onPath) return dirname(await realpath(onPath))
  const versions = (await readdir(binariesRoot).catch(() => [])).sort((a, b) => Number(b) - Number(a))
  return versions[0] === undefined ? undefined : join(binariesRoot, versions[0], 'bin')
}

/** A port that nobody listens on right now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** PostgreSQL refuses to run as root: then `nobody` runs it. */
function runner(): { prefix: string[]; uid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const uid = Number(Bun.spawnSync(['id', '-u', 'nobody']).stdout.toString())
  return { prefix: ['setpriv', '--reuid=nobody', `--regid=${uid}`, '--clear-groups'], uid }
}

const settings = ['max_connections=200', 'shared_buffers=32MB', 'wal_sync_method=fdatasync']

/** A PostgreSQL server of the run's own. */
export interface Cluster {
  port: number
  url(database: string, port?: number): string
  createDatabase(name: string): Promise<void>
  /** Rows of a statement, past every broken wire. */
  query<Row extends object>(database: string, statement: string): Promise<Row[]>
  /** Stops it, without a checkpoint when it crashes, and starts it again after `downMs`. */
  restart(how: 'immediate' | 'fast', downMs: number): Promise<void>
  stop(): Promise<void>
}

/** A folder for a server that has no data yet, with ways to fill and to start it; it is gone when it is stopped. */
async function serverIn(more: readonly string[]) {
  const bin = await postgresBinaries()
  if (bin === undefined) throw new Error('No PostgreSQL binaries were found.')
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-torture-pg-'))
  const other = runner()
  if (other) await chown(folder, other.uid, other.uid)
  const run = async (program: string, ...args: string[]) => {
    const child = Bun.spawn([...(other?.prefix ?? []), join(bin, program), ...args], {
      cwd: folder,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const said = await new Response(child.stderr).text()
    if ((await child.exited) !== 0) throw new Error(`${program} failed: ${said}`)
  }
  const data = join(folder, 'data')
  const port = await freePort()
  const flags = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    ...settings,
    ...more,
  ]
  const options = flags.map((flag) => `-c ${flag}`).join(' ')
  const start = () => run('pg_ctl', 'start', '-D', data, '-w', '-s', '-l', join(folder, 'log'), '-o', options)
  const url = (database: string, through = port) => `postgres://postgres@127.0.0.1:${through}/${database}`
  const ask = async <Row extends object>(database: string, statement: string): Promise<Row[]> => {
    const sql = postgres(url(database), { max: 1, onnotice: () => {} })
    try {
      return [...(await sql.unsafe<Row[]>(statement))]
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
  const cluster: Cluster = {
    port,
    url,
    async createDatabase(name) {
      await ask('postgres', `create database ${name}`)
    },
    query: ask,
    async restart(how, downMs) {
      await run('pg_ctl', 'stop', '-D', data, '-m', how, '-s', '-w')
      await Bun.sleep(downMs)
      await start()
    },
    async stop() {
      await run('pg_ctl', 'stop', '-D', data, '-m', 'immediate', '-s').catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
  return { run, data, start, cluster }
}

/**
 * Makes and starts a server in a folder that is gone when it is stopped; `more` are settings that go before its own.
 * Throws where PostgreSQL is not installed.
 */
export async function startCluster(more: readonly string[] = []): Promise<Cluster> {
  const { run, data, start, cluster } = await serverIn(more)
  await run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N')
  await start()
  return cluster
}

/** A standby that follows a running server. */
export async function startStandby({ port }: Pick<Cluster, 'port'>): Promise<Cluster> {
  const { run, data, start, cluster } = await serverIn([])
  const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
  await run('pg_basebackup', ...from, '-D', data, '-R', '-c', 'fast', '-N')
  await start()
  return cluster
}
