import { writeSync } from 'node:fs'
import { readEnv } from '../../src/app/env.ts'
import { startServer } from '../../src/app/server.ts'

/**
 * How a server is started, and where it dies: just before a statement that begins like this is sent for the `times`th
 * time since the first one that begins like `since`.
 */
export interface KilledServer {
  env: Record<string, string>
  kill?: { statement: string; times: number; since: string }
}

/** The server as a process of its own; it says its URL. */
async function main({ env, kill }: KilledServer): Promise<void> {
  let left = kill?.times ?? 0
  let counts = false
  const { url } = await startServer(readEnv(env), {
    onQuery(statement) {
      if (!kill) return
      counts ||= statement.startsWith(kill.since)
      if (!counts || !statement.startsWith(kill.statement)) return
      left -= 1
      if (left === 0) process.kill(process.pid, 'SIGKILL')
    },
  })
  writeSync(1, `${url}\n`)
}

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '{}'))
