import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where a Redis server is installed on this machine, or null. */
export const redisBinary = Bun.which('redis-server')

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}

/** A Redis server of its own that can be stopped and started again at the same address, with nothing kept. */
export async function redisServer(binary: string) {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-redis-'))
  const port = await freePort()
  let child: Bun.Subprocess | undefined

  const start = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
    child = Bun.spawn([binary, ...args], { stdout: 'ignore', stderr: 'ignore' })
    for (let tries = 0; tries < 2_000; tries++) {
      const client = new Bun.RedisClient(url, { autoReconnect: false, connectionTimeout: 200 })
      const answered = await client.send('PING', []).then(
        () => true,
        () => false,
      )
      client.close()
      if (answered) return
      await Bun.sleep(20)
    }
    throw new Error('redis-server did not start')
  }
  const stop = async () => {
    child?.kill('SIGKILL')
    await child?.exited
  }
  const url = `redis://127.0.0.1:${port}`
  await start()
  return {
    url,
    start,
    stop,
    /** It keeps its connections and responds to nothing, until it goes on. */
    freeze: () => child?.kill('SIGSTOP'),
    goOn: () => child?.kill('SIGCONT'),
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
