import { EnvError, readEnv } from './app/env.ts'
import type { RunningServer } from './app/server.ts'
import { openDatabase } from './db/client.ts'
import { DataFolderInUseError } from './db/lock.ts'

/** What a newcomer reads when the server is ready. */
function readyBlock({ url, adminKey, embedded }: RunningServer): string {
  const lines = [
    `Switchboard is ready at ${url}`,
    `  REST and docs   ${url}/docs`,
    `  description     ${url}/openapi.json`,
    `  tRPC            ${url}/trpc`,
    `  health          ${url}/health`,
  ]
  if (embedded.platform) lines.push('  voice platform  embedded: calls are simulated')
  if (adminKey !== undefined) {
    lines.push(`  admin key       ${adminKey}`, '', 'Create your first assistant:', '')
    lines.push(
      `curl -s -X POST ${url}/assistants -H 'Authorization: Bearer ${adminKey}' -H 'Content-Type: application/json' -d '{"name":"Front desk","firstMessage":"Hello, how can I help?"}'`,
    )
  }
  return `${lines.join('\n')}\n`
}

async function main(): Promise<void> {
  const env = readEnv()
  // The embedded database takes as long to start as the rest of the server takes to load: both at once.
  const opening = openDatabase({ url: env.databaseUrl, dataDir: env.dataDir })
  opening.catch(() => {})
  const { startServer } = await import('./app/server.ts').catch(async (error) => {
    await (await opening).close()
    throw error
  })
  const server = await startServer(env, { database: await opening })
  console.log(readyBlock(server))
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await server.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

try {
  await main()
} catch (error) {
  const expected = error instanceof EnvError || error instanceof DataFolderInUseError
  console.error(
    expected ? error.message : `Switchboard could not start: ${error instanceof Error ? error.message : error}`,
  )
  process.exit(1)
}
