import { mkdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Faults } from '../faults.ts'
import { modelName } from '../outside/language-model.ts'
import { bucket, type ObjectStore } from '../outside/object-store.ts'
import { type Cluster, freePort, startCluster } from '../outside/postgres.ts'
import { startProxy, type TcpProxy } from '../outside/tcp-proxy.ts'
import type { Random } from '../random.ts'
import { graceSeconds } from '../times.ts'
import { ServerProcess } from './server-process.ts'

export const adminKey = `vk_${'torture-'.repeat(5)}`
const secretsKey = Buffer.alloc(32, 7).toString('base64')

/** Where the servers' state is, as the judge reads it. */
export interface Places {
  /** The PostgreSQL server and the wire to it; undefined with the embedded database. */
  database: { cluster: Cluster; proxy: TcpProxy } | undefined
  /** The data folder of the servers that share the mirrored resources. */
  dataDir: string
  /** Keys of all stored files: in the object store of instances, or in the data folder of the one server. */
  storedKeys(): Promise<string[]>
}

/** How servers are set up otherwise than operators do it. */
export interface Setup {
  /** Makes what a data folder holds before the first start. */
  layOut?(dataDir: string): void
  /** Beside those that every run gives. */
  settings?: Record<string, string>
}

/** What servers need of the outside. */
interface Outside extends Setup {
  postgres: boolean
  instances: number
  folder: string
  platformUrl: string
  modelUrl: string
  store: ObjectStore
  faults: Faults
  random: Random
  onOwnEnd(name: string, code: number | null): void
}

/** All servers of a run: those on the outside voice platform, and one whose own platform simulates calls. */
export interface Fleet extends Places {
  servers: ServerProcess[]
  caller: ServerProcess
  all: ServerProcess[]
  stop(): Promise<void>
}

/** Names of the databases on the cluster. */
export const mirrored = 'mirrored'
const calls = 'calls'

/** Starts the servers; resolves once all answer. */
export async function startFleet(outside: Outside): Promise<Fleet> {
  const { folder, onOwnEnd, store } = outside
  const database = outside.postgres ? await startDatabase(outside) : undefined
  const common = {
    ADMIN_API_KEY: adminKey,
    SECRETS_KEY: secretsKey,
    LLM_BASE_URL: outside.modelUrl,
    LLM_MODELS: modelName,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '0',
    TURN_RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'info',
    VERSION_HISTORY_LIMIT: '10000',
    // Wires are cut while servers start, too; one that gives up is no fault of its own.
    DATABASE_START_SECONDS: '180',
    LIVE_WRITE_GRACE_SECONDS: String(graceSeconds),
    ...outside.settings,
  }
  const onDatabase = (name: string): Record<string, string> =>
    database ? { DATABASE_URL: database.cluster.url(name, database.proxy.port) } : {}
  const make = async (name: string, dataDir: string, env: Record<string, string>) => {
    mkdirSync(dataDir, { recursive: true })
    outside.layOut?.(dataDir)
    const port = await freePort()
    return new ServerProcess({ name, port, env: { ...common, DATA_DIR: dataDir, ...env }, logs: folder, onOwnEnd })
  }
  const dataDir = join(folder, 'data')
  const storage: Record<string, string> = database
    ? { S3_ENDPOINT: store.url, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: 'torture', S3_SECRET_ACCESS_KEY: 'torture' }
    : {}
  const live = {
    VOICE_PLATFORM_URL: outside.platformUrl,
    VOICE_PLATFORM_API_KEY: 'torture',
    ...onDatabase(mirrored),
    ...storage,
  }
  const servers: ServerProcess[] = []
  for (let index = 1; index <= outside.instances; index += 1) {
    servers.push(await make(`server-${index}`, dataDir, live))
  }
  const caller = await make('caller', join(folder, 'calls'), onDatabase(calls))
  const all = [...servers, caller]
  const stop = async () => {
    await Promise.all(all.map((server) => server.kill()))
    database?.proxy.stop()
    await database?.cluster.stop()
  }
  try {
    await Promise.all(all.map((server) => server.start()))
  } catch (error) {
    await stop()
    throw error
  }
  const storedKeys = async () => (database ? [...store.objects.keys()] : filesIn(join(dataDir, 'files')))
  return { servers, caller, all, database, dataDir, storedKeys, stop }
}

/** Paths of all files in a folder, unfinished ones among them. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}

async function startDatabase({ faults, random }: Outside) {
  const cluster = await startCluster()
  await cluster.createDatabase(mirrored)
  await cluster.createDatabase(calls)
  return { cluster, proxy: await startProxy(cluster.port, { faults, random: random.fork() }) }
}
