import { join } from 'node:path'
import { median } from './measure.ts'

const main = join(import.meta.dirname, '../src/main.ts')

/** Milliseconds from the start of the process to its first answer. */
async function startOnce(dataDir: string): Promise<number> {
  const started = performance.now()
  const settings = ['NODE_ENV=production', 'PORT=0', `DATA_DIR=${dataDir}`, 'LOG_LEVEL=warn']
  const server = Bun.spawn(['env', '-i', ...settings, process.execPath, main], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let said = ''
    const decoder = new TextDecoder()
    for await (const chunk of server.stdout) {
      said += decoder.decode(chunk, { stream: true })
      const url = /ready at (\S+)/.exec(said)?.[1]
      if (url === undefined) continue
      const health = await fetch(`${url}/health`)
      if (!health.ok) throw new Error(`GET /health answered ${health.status}`)
      return performance.now() - started
    }
    throw new Error('The server ended before it was ready')
  } finally {
    server.kill('SIGTERM')
    await server.exited
  }
}

/** Median milliseconds from start to first answer on an embedded database that was used before. */
export async function warmStart(dataDir: string, times: number): Promise<number> {
  await startOnce(dataDir)
  const taken: number[] = []
  for (let count = 0; count < times; count++) taken.push(await startOnce(dataDir))
  return median(taken)
}
