import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '../../torture/outside/postgres.ts'

/** Where PgBouncer is, or null where it is not installed. */
export const pgbouncerProgram = Bun.which('pgbouncer') ?? Bun.which('/usr/sbin/pgbouncer')

/** A PgBouncer of the test's own before a server on this machine; it pools sessions or transactions. */
export async function startPgbouncer(serverPort: number, mode: 'session' | 'transaction') {
  if (pgbouncerProgram === null) throw new Error('PgBouncer is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-pgbouncer-'))
  const port = await freePort()
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 3',
  ]
  // `any` sends everybody on as one user.
  settings[1] += ' user=postgres'
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${settings.join('\n')}\n`)
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    const uid = Number(Bun.spawnSync(['id', '-u', 'nobody']).stdout.toString())
    for (const path of [folder, file]) chownSync(path, uid, uid)
  }
  const as = isRoot ? ['-u', 'nobody'] : []
  const child = Bun.spawn([pgbouncerProgram, ...as, '-q', file], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  const sql = postgres(url('postgres'), { max: 1, prepare: false, onnotice: () => {} })
  for (let tries = 0; ; tries += 1) {
    try {
      await sql`select 1`
      break
    } catch (error) {
      if (tries === 200 || child.exitCode !== null) throw error
      await Bun.sleep(50)
    }
  }
  await sql.end({ timeout: 1 })
  return {
    url,
    async stop() {
      child.kill('SIGKILL')
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
