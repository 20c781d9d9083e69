import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { $ } from 'bun'

/**
 * Runs the steps of the Dockerfile in empty folders, one for each stage, where no container can be built: copies what
 * it copies, runs what it runs, and starts what it starts, until that is ready. Exits with 1 at the first step that
 * fails.
 */
const root = join(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'switchboard-container-'))
const stages = new Map<string, string>()
let stage = ''
let folder = '/'
const environment: Record<string, string> = {}

const lines = readFileSync(join(root, 'Dockerfile'), 'utf8')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')

/** Where an absolute path of a stage is here. */
const inside = (of: string, path: string) => join(of, path.startsWith('/') ? path : join(folder, path))

const steps: Record<string, (rest: string) => unknown> = {
  FROM(rest) {
    const [, , name = 'last'] = /(\S+) AS (\w+)/.exec(rest) ?? []
    stage = join(work, name)
    folder = '/'
    mkdirSync(stage)
    stages.set(name, stage)
  },
  WORKDIR(rest) {
    folder = rest
    mkdirSync(inside(stage, rest), { recursive: true })
  },
  COPY(rest) {
    const words = rest.split(' ')
    const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
    const paths = words.filter((word) => !word.startsWith('--'))
    const target = paths.pop() ?? '.'
    for (const path of paths) {
      const source = from ? inside(stages.get(from) ?? '', path) : join(root, path)
      const place = inside(stage, target)
      const into = target.endsWith('/') ? join(place, path) : place
      mkdirSync(dirname(into), { recursive: true })
      cpSync(source, into, { recursive: true, verbatimSymlinks: true })
    }
  },
  async RUN(rest) {
    // What a step makes at the root of its container is made at the root of its stage.
    const command = rest.replace(/(?<=\s)\/(?=data\b)/g, `${stage}/`)
    await $`sh -c ${command}`.cwd(inside(stage, '.')).quiet()
  },
  ENV(rest) {
    for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) environment[name] = value
  },
}

/** Starts the last stage as its container would, and waits until it takes requests. */
async function start(): Promise<void> {
  const data = inside(stage, environment.DATA_DIR ?? '/data')
  const server = Bun.spawn(['bun', 'cli/main.ts', 'start'], {
    cwd: inside(stage, '.'),
    env: { PATH: process.env.PATH, ...environment, HOST: '127.0.0.1', PORT: '0', DATA_DIR: data },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  try {
    let said = ''
    for await (const bytes of server.stdout) {
      said += new TextDecoder().decode(bytes)
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (!url) continue
      const [ready, page] = [await fetch(`${url}/health/ready`), await fetch(`${url}/console`)]
      if (!ready.ok || !page.ok) throw new Error(`It is not ready: ${ready.status}, console ${page.status}`)
      return
    }
    throw new Error(`It ended: ${said}`)
  } finally {
    server.kill()
    await server.exited
  }
}

try {
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    await steps[name]?.(rest)
    if (steps[name]) console.log(`${name} ${rest.slice(0, 100)}`)
  }
  if (!existsSync(inside(stage, 'dist/console'))) throw new Error('The console was not built')
  await start()
  console.log('The server of the last stage is ready, with its console.')
} finally {
  rmSync(work, { recursive: true, force: true })
}
