import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildServer, serverMain } from '../scripts/prepare/server.ts'

/** The server under test. */
export interface Target {
  url: string
  /** A token of an operator. */
  key: string
  /** Bytes of memory that its process holds; unknown of a server that somebody else started. */
  memory(): number | undefined
  /** Whether its process ended by itself. */
  ended(): boolean
  /** What it wrote to its log. */
  log(): string
  stop(): Promise<void>
}

/** A server that runs already. */
export const given = (url: string, key: string): Target => ({
  url,
  key,
  memory: () => undefined,
  ended: () => false,
  log: () => '',
  stop: async () => undefined,
})

const limits = ['RATE_LIMIT', 'TURN_RATE_LIMIT', 'WIDGET_RATE_LIMIT', 'WRONG_TOKEN_LIMIT']
const settings = [...limits.map((name) => `${name}_PER_MINUTE=0`), 'LOG_LEVEL=warn', 'PORT=0']

/**
 * Starts this server as an operator would, without rate limits, on an embedded database in a folder that goes with it.
 */
export async function start(): Promise<Target> {
  await buildServer()
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-fuzz-'))
  const env = ['NODE_ENV=production', `DATA_DIR=${folder}`, ...settings]
  const child = Bun.spawn(['env', '-i', ...env, process.execPath, serverMain], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const decoder = new TextDecoder()
  const keep = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) said += decoder.decode(chunk, { stream: true })
  }
  const read = [keep(child.stdout), keep(child.stderr)]
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
    await Promise.all(read)
    rmSync(folder, { recursive: true, force: true })
  }
  while (!said.includes('\ncurl ')) {
    if (child.exitCode !== null) {
      await stop()
      throw new Error(`The server did not start: ${said}`)
    }
    await Bun.sleep(20)
  }
  const begun = said.length
  return {
    url: /ready at (\S+)/.exec(said)?.[1] ?? '',
    key: /admin key +(\S+)/.exec(said)?.[1] ?? '',
    memory() {
      const { stdout } = Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(child.pid)])
      return Number(stdout.toString().trim()) * 1024
    },
    ended: () => child.exitCode !== null || child.signalCode !== null,
    log: () => said.slice(begun),
    stop,
  }
}
