import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildConsole, consoleFolder, isConsoleCurrent } from '../src/app/console/build.ts'
import { isServerCurrent, useSources } from './prepare/server.ts'

/**
 * Brings an installation to where it can start, as part of `bun run start`: the packages that a server needs, the
 * console, and the server in a few files. What is as it was the last time is left alone. Needs no package itself.
 */

const root = join(import.meta.dirname, '..')
const stamp = Bun.file(join(root, 'node_modules/.switchboard'))

/** A hash of what says which packages belong here. */
async function wanted(): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const name of ['package.json', 'bun.lock']) hasher.update(await Bun.file(join(root, name)).bytes())
  return hasher.digest('hex')
}

/** Says what begins, and how long it took once it is over. */
async function step(name: string, work: () => Promise<void>): Promise<void> {
  const started = performance.now()
  console.log(`${name} ...`)
  await work()
  console.log(`  done in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

async function run(cwd: string, ...args: string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, ...args], { cwd, stdout: 'inherit', stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error(`bun ${args.slice(0, 2).join(' ')} failed.`)
}

const install = (cwd: string, ...more: string[]) =>
  run(cwd, 'install', '--frozen-lockfile', '--production', '--silent', ...more)

/**
 * Builds the console apart, with the packages that it alone needs: they are as large as all others, and are removed
 * when it is built. A development install has them anyway.
 */
async function buildConsoleApart(): Promise<void> {
  await mkdir(join(root, 'dist'), { recursive: true })
  const apart = await mkdtemp(join(root, 'dist/console-build-'))
  try {
    for (const part of [
      'package.json',
      'bun.lock',
      'bunfig.toml',
      'patches',
      'src/console',
      'src/app/console/build.ts',
      'src/runtime/built-folder.ts',
    ]) {
      await cp(join(root, part), join(apart, part), { recursive: true })
    }
    await install(apart)
    await run(apart, '-e', "await (await import('./src/app/console/build.ts')).buildConsole()")
    await rm(consoleFolder, { recursive: true, force: true })
    await rename(join(apart, 'dist/console'), consoleFolder)
  } finally {
    await rm(apart, { recursive: true, force: true })
  }
}

const current = await wanted()
try {
  if (!(await stamp.exists()) || (await stamp.text()) !== current) {
    await step('Installing the packages of the server, this once', () => install(root, '--omit', 'optional'))
    await stamp.write(current)
  }
  if (!(await isConsoleCurrent())) {
    await step('Building the console, this once', async () => {
      const isDevelopment = await Bun.file(join(root, 'node_modules/react/package.json')).exists()
      await (isDevelopment ? buildConsole() : buildConsoleApart()).catch((error: unknown) => {
        console.error(error instanceof AggregateError ? error.errors.map(String).join('\n') : error)
        console.error('The console could not be built; the server starts without it.')
      })
    })
  }
  if (!(await isServerCurrent())) {
    await step('Bundling the server, this once', async () => {
      // In a process of its own: this one has looked for packages before they were installed, and remembers what it
      // saw.
      const build = "await (await import('./scripts/prepare/server.ts')).buildServer()"
      await run(root, '-e', build).catch(async () => {
        console.error('The server could not be bundled; it starts from its sources, a little slower.')
        await useSources()
      })
    })
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
