import { buildServer, serverMain } from '../scripts/prepare/server.ts'
import { median } from './measure.ts'

const built = buildServer()

/** Runs this server on an embedded database in a folder, as an operator would, while `work` uses it. */
export async function startMain<Result>(
  dataDir: string,
  settings: readonly string[],
  work: (url: string, pid: number) => Promise<Result>,
): Promise<Result> {
  await built
  const all = ['NODE_ENV=production', 'PORT=0', `DATA_DIR=${dataDir}`, 'LOG_LEVEL=warn', ...settings]
  const server = Bun.spawn(['env', '-i', ...all, process.execPath, serverMain], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let said = ''
    const decoder = new TextDecoder()
    const reader = server.stdout.getReader()
    for (;;) {
      const { value, done } = await reader.read()
      if (done) throw new Error('The server ended before it was ready')
      said += decoder.decode(value, { stream: true })
      const url = /ready at (\S+)/.exec(said)?.[1]
      if (url !== undefined) return await work(url, server.pid)
    }
  } finally {
    server.kill('SIGTERM')
    await server.exited
  }
}

/** Milliseconds from the start of the process to its first answer. */
async function startOnce(dataDir: string): Promise<number> {
  const started = performance.now()
  return startMain(dataDir, [], async (url) => {
    const health = await fetch(`${url}/health`)
    if (!health.ok) throw new Error(`GET /health answered ${health.status}`)
    return performance.now() - started
  })
}

/** Median milliseconds from start to first answer on an embedded database that was used before. */
export async function warmStart(dataDir: string, times: number): Promise<number> {
  await startOnce(dataDir)
  const taken: number[] = []
  for (let count = 0; count < times; count++) taken.push(await startOnce(dataDir))
  return median(taken)
}
