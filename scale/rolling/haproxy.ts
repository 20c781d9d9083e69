import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../torture/outside/postgres.ts'

/** Where haproxy is, or null where it is not installed. */
export const haproxyProgram = Bun.which('haproxy') ?? Bun.which('/usr/sbin/haproxy')

/** A balancer before instances on this machine, as docs/operating.md has it. */
export async function startBalancer(ports: readonly number[]) {
  if (haproxyProgram === null) throw new Error('haproxy is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-haproxy-'))
  const port = await freePort()
  const statesPort = await freePort()
  const servers = ports.map((to, index) => `  server instance${index} 127.0.0.1:${to} check inter 500ms fall 1 rise 1`)
  const lines = [
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout check 10s',
    '  timeout client 75s',
    '  timeout server 300s',
    'frontend switchboard',
    `  bind 127.0.0.1:${port}`,
    '  default_backend instances',
    'frontend states',
    `  bind 127.0.0.1:${statesPort}`,
    '  stats enable',
    '  stats uri /states',
    'backend instances',
    '  balance roundrobin',
    '  option httpchk GET /health/ready',
    '  option redispatch',
    ...servers,
  ]
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, `${lines.join('\n')}\n`)
  const child = Bun.spawn([haproxyProgram, '-db', '-q', '-f', file], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  })
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
    await rm(folder, { recursive: true, force: true })
  }
  /** Whether it sends requests to every instance. */
  const allUp = async (): Promise<boolean> => {
    const states = await fetch(`http://127.0.0.1:${statesPort}/states;csv`).then(
      (response) => response.text(),
      () => '',
    )
    return states.split('\n').filter((line) => /^instances,instance\d+,.*,UP,/.test(line)).length === ports.length
  }
  return { url, allUp, stop }
}
