import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shortLivedWith } from './short-lived.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

/** A server that runs as operators run it. */
export interface ServerProcess {
  child: Bun.Subprocess
  /** Where it listens; rejects with what it said when it ended instead. */
  ready: Promise<string>
  /** The admin's headers. */
  headers: Record<string, string>
}

/** Starts servers on a database, each with a folder of its own; `stop` ends them all. */
export function serverProcesses() {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-servers-'))
  const running = new Set<Bun.Subprocess>()
  const adminKey = `vk_${'server-process-'.repeat(3)}`
  let started = 0
  return {
    start(databaseUrl: string, settings: Record<string, string> = {}, program = main): ServerProcess {
      const env = shortLivedWith({
        ...{ PORT: '0', DATABASE_URL: databaseUrl, DATA_DIR: join(folder, String(started++)) },
        ...{ ADMIN_API_KEY: adminKey, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') },
        ...{ LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0' },
        ...settings,
      })
      const child = Bun.spawn([process.execPath, program], { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
      running.add(child)
      const ready = (async () => {
        let said = ''
        for await (const chunk of child.stdout) {
          said += new TextDecoder().decode(chunk)
          const address = /ready at (\S+)/.exec(said)?.[1]
          if (address) return address
        }
        throw new Error(`It ended with ${await child.exited}: ${await new Response(child.stderr).text()}`)
      })()
      ready.catch(() => {})
      return { child, ready, headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' } }
    },
    async stop() {
      for (const child of running) {
        child.kill('SIGKILL')
        await child.exited
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
