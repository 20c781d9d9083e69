import { openDatabase } from '../db/client.ts'
import { version } from '../runtime/version.ts'
import { watchMainThread } from '../runtime/watchdog.ts'
import { readEnv } from './env.ts'
import type { RunningServer } from './server.ts'
import { StartStoppedError, type StopSignals } from './stop-signals.ts'

const stopped = 'Switchboard has stopped.'

const json = "-H 'Content-Type: application/json'"

/** Lines that make the first things, to be pasted as they are; a completion needs an agent that replies. */
function firstSteps(url: string, authorization: string): string[] {
  const post = (path: string, body: string) => `curl -s -X POST ${url}${path} -H ${authorization} ${json} -d '${body}'`
  return [
    '',
    'Create your first assistant:',
    '',
    post('/assistants', '{"name":"Front desk","firstMessage":"Hello, how can I help?"}'),
    '',
    'Create your first agent, which completions need (bun run seed makes one, too), and ask it:',
    '',
    post('/agents', '{"name":"Support","instructions":"We deliver on Mondays."}'),
    post('/chat/completions', '{"messages":[{"role":"user","content":"When do you deliver?"}]}'),
  ]
}

/** What a newcomer reads when the server is ready. */
function readyBlock({ url, adminKey, embedded, hints }: RunningServer): string {
  const lines = [
    `Switchboard is ready at ${url}`,
    `  console         ${url}/console`,
    `  REST and docs   ${url}/docs`,
    `  description     ${url}/openapi.json`,
    `  tRPC            ${url}/trpc`,
    `  health          ${url}/health`,
  ]
  if (embedded.platform) lines.push('  voice platform  embedded: calls are simulated')
  if (embedded.database) {
    // A key that was given is known to who gave it; start logs are kept where it should not be.
    lines.push(`  admin key       ${adminKey ?? 'the one of ADMIN_API_KEY'}`)
    const authorization = adminKey ? `'Authorization: Bearer ${adminKey}'` : '"Authorization: Bearer $ADMIN_API_KEY"'
    lines.push(...firstSteps(url, authorization))
  }
  if (hints.length > 0) lines.push('', ...hints)
  return `${lines.join('\n')}\n`
}

async function start(signals: StopSignals): Promise<void> {
  // Whatever this process makes is for its user alone.
  process.umask(0o077)
  const env = readEnv()
  console.log(`Starting Switchboard ${version}: ${env.databaseUrl ? 'connecting to' : 'preparing'} the database ...`)
  // The embedded database takes as long to start as the rest of the server takes to load: both at once.
  const { databaseUrl: url, dataDir, databasePoolSize: max } = env
  const opening = openDatabase({ ...env.databaseConnections, url, dataDir, max })
  opening.catch(() => {})
  const loading = Promise.all([import('./server.ts'), import('./last-resort.ts'), import('../runtime/log.ts')])
  const [{ startServer }, { lastResort }, { createLog }] = await loading.catch(async (error) => {
    await (await opening).close()
    throw error
  })
  const log = createLog(env.logLevel)
  let running: RunningServer | undefined
  let stopping = false
  const hurry = new AbortController()
  const stop = async (code: number, drainMs = 0) => {
    if (stopping) return hurry.abort()
    stopping = true
    try {
      await running?.stop(drainMs, hurry.signal)
    } catch (error) {
      log.error({ event: 'stop_failed', err: error }, 'the server did not stop in order')
      process.exit(1)
    }
    console.log(stopped)
    process.exit(code)
  }
  lastResort(log, () => void stop(1))
  running = await startServer(env, { database: await opening, log, signal: signals.starting })
  console.log(readyBlock(running))
  if (running.embedded.database && env.databaseStuckMs > 0) watchMainThread(env.databaseStuckMs)
  signals.startDone((signal) => void stop(0, signal === 'SIGTERM' ? env.drainMs : 0))
}

/**
 * Runs the server that the environment describes until a signal ends it, also while it starts; a start that fails says
 * why and exits with 1.
 */
export async function run(signals: StopSignals): Promise<void> {
  try {
    await start(signals)
  } catch (error) {
    if (error instanceof StartStoppedError) {
      console.log(stopped)
      process.exit(0)
    }
    const [{ refusalOf }, { reasonOf }] = await Promise.all([import('./refusals.ts'), import('../runtime/log.ts')])
    console.error(refusalOf(error) ?? `Switchboard could not start: ${reasonOf(error)}`)
    process.exit(1)
  }
}
