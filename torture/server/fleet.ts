import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { modelName } from '../outside/language-model.ts'
import { type Cluster, freePort, startCluster } from '../outside/postgres.ts'
import { startProxy, type TcpProxy } from '../outside/tcp-proxy.ts'
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
}

/** What servers need of the outside. */
interface Outside {
  postgres: boolean
  instances: number
  folder: string
  platformUrl: string
  modelUrl: string
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
  const { folder, onOwnEnd } = outside
  const database = outside.postgres ? await startDatabase() : undefined
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
    LIVE_WRITE_GRACE_SECONDS: String(graceSeconds),
  }
  const onDatabase = (name: string): Record<string, string> =>
    database ? { DATABASE_URL: database.cluster.url(name, database.proxy.port) } : {}
  const make = async (name: string, dataDir: string, env: Record<string, string>) => {
    mkdirSync(dataDir, { recursive: true })
    const port = await freePort()
    return new ServerProcess({ name, port, env: { ...common, DATA_DIR: dataDir, ...env }, logs: folder, onOwnEnd })
  }
  // Files are in the data folder, so that instances share it; only the embedded database locks it.
  const dataDir = join(folder, 'data')
  const live = { VOICE_PLATFORM_URL: outside.platformUrl, VOICE_PLATFORM_API_KEY: 'torture', ...onDatabase(mirrored) }
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
  return { servers, caller, all, database, dataDir, stop }
}

async function startDatabase() {
  const cluster = await startCluster()
  await cluster.createDatabase(mirrored)
  await cluster.createDatabase(calls)
  return { cluster, proxy: await startProxy(cluster.port) }
}
