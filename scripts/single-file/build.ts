import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { Glob } from 'bun'
import { buildConsole } from '../../src/app/console/build.ts'

const root = join(import.meta.dirname, '../..')

/** What a server, its command and the scripts of operators are made of. */
const parts = ['src', 'cli', 'scripts', 'drizzle', 'docs', 'dist/console', 'openapi.json', 'package.json', 'LICENSE']
const forInstall = ['bun.lock', 'bunfig.toml', 'patches']

/** Packages that only compilers read, and files that no program does. */
const unread = ['typescript', '@typescript', 'bun-types', '@types', '.bin', '.switchboard']
const unreadFiles = new Glob('**/*.{map,md,mdx,d.ts,d.mts,d.cts,yml,csv}')

async function run(cwd: string, ...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd, stdout: 'inherit', stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed.`)
}

/**
 * The program as it lies on a disk, packages included, without what it never reads, such as the snapshot of its tables.
 */
async function stage(folder: string): Promise<void> {
  const filter = (path: string) => !path.endsWith('_snapshot.json')
  for (const part of [...parts, ...forInstall]) {
    await cp(join(root, part), join(folder, part), { recursive: true, filter })
  }
  const install = ['install', '--frozen-lockfile', '--production', '--omit', 'optional', '--silent']
  await run(folder, process.execPath, ...install)
  for (const name of unread) await rm(join(folder, 'node_modules', name), { recursive: true, force: true })
  await rm(join(folder, 'src/console'), { recursive: true })
  for (const name of unreadFiles.scanSync({ cwd: join(folder, 'node_modules'), dot: true })) {
    await rm(join(folder, 'node_modules', name))
  }
}

/** Everything in a folder, in the order of names, as one archive. */
async function packed(folder: string): Promise<Uint8Array<ArrayBuffer>> {
  const names = [...new Glob('**/*').scanSync({ cwd: folder, dot: true })].sort()
  const files = await Promise.all(
    names.map(async (name) => [name, await Bun.file(join(folder, name)).bytes()] as const),
  )
  const archive = await new Bun.Archive(Object.fromEntries(files)).bytes()
  return new Uint8Array(zstdCompressSync(archive, { params: { [constants.ZSTD_c_compressionLevel]: 12 } }))
}

/**
 * Builds the single file: a Bun that carries the program, its packages, the embedded database, migrations, the
 * embedder's weights and the console. Returns its size in bytes. Throws when a part cannot be built.
 */
export async function buildSingleFile(outfile: string): Promise<number> {
  await buildConsole()
  await mkdir(join(root, 'dist'), { recursive: true })
  const work = await mkdtemp(join(root, 'dist/single-file-'))
  try {
    const program = join(work, 'program')
    await mkdir(program)
    await stage(program)
    await Bun.write(join(work, 'payload.tar.zst'), await packed(program))
    await cp(join(import.meta.dirname, 'entry.ts'), join(work, 'entry.ts'))
    const built = await Bun.build({
      entrypoints: [join(work, 'entry.ts')],
      compile: { outfile, autoloadPackageJson: true, autoloadDotenv: true, autoloadBunfig: false },
    })
    if (!built.success) throw new AggregateError(built.logs, 'The single file could not be compiled.')
    return Bun.file(outfile).size
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}
