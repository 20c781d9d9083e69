import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ending } from './endings.ts'

const main = join(import.meta.dirname, '../src/main.ts')

/** The admin of every database that is measured. */
export const adminKey = `vk_${'scale-admin-'.repeat(4)}`

/** A server as operators run it, on a database that others may use as well. */
export interface Instance {
  url: string
  port: number
  /** Of its process. */
  pid: number
  /** Tells it to stop, and waits for that; its exit code. */
  stop(): Promise<number>
}

/** Starts one; resolves when it serves. */
export async function startInstance(databaseUrl: string, settings: Record<string, string> = {}): Promise<Instance> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchboard-scale-'))
  const env = {
    ...{ PATH: String(process.env.PATH), NODE_ENV: 'production', PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: dataDir },
    ...{ DATABASE_URL: databaseUrl, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'), ADMIN_API_KEY: adminKey },
    ...{ RATE_LIMIT_PER_MINUTE: '0', TURN_RATE_LIMIT_PER_MINUTE: '0', ...settings },
  }
  const child = Bun.spawn([process.execPath, main], { env, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  let said = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`An instance ended with ${await child.exited} before it was ready`)
    said += decoder.decode(value, { stream: true })
    const url = /ready at (\S+)/.exec(said)?.[1]
    if (url === undefined) continue
    // What it says later is of no interest, but must be read.
    void (async () => {
      while (!(await reader.read()).done);
    })()
    const end = ending(async () => {
      child.kill('SIGTERM')
      await child.exited
      await rm(dataDir, { recursive: true, force: true })
    })
    return {
      url,
      port: Number(new URL(url).port),
      pid: child.pid,
      async stop() {
        await end()
        return child.exited
      },
    }
  }
}
