import { freePort } from '../../torture/outside/postgres.ts'

const program = Bun.which('redis-server')

/** Starts a Redis server that keeps nothing; undefined where it is not installed. */
export async function startRedis(): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  if (program === null) return undefined
  const port = await freePort()
  const child = Bun.spawn([program, '--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    ...{ stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
  })
  const url = `redis://127.0.0.1:${port}`
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
  }
  for (let tries = 0; tries < 500; tries++) {
    const client = new Bun.RedisClient(url, { autoReconnect: false, connectionTimeout: 200 })
    const serves = await client.send('PING', []).then(
      () => true,
      () => false,
    )
    client.close()
    if (serves) return { url, stop }
    await Bun.sleep(20)
  }
  await stop()
  throw new Error('redis-server did not start')
}
