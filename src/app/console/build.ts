import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Glob } from 'bun'

const root = join(import.meta.dirname, '../../..')
const sources = join(root, 'src/console')

/** Where the built console lies, beside the sources that it was built from. */
export const consoleFolder = join(root, 'dist/console')

/** What the server reads of a built console. */
export interface ConsoleManifest {
  /** A hash of everything that it was built from. */
  key: string
  /** The script and the style sheet that the page names. */
  script: string
  style: string
  /** Scripts that the first view imports as well. */
  preload: string[]
  /** Every file, each with a gzipped copy beside it (`.gz`) unless its own format is compressed. */
  files: { name: string; compressed: boolean }[]
}

export const manifestName = 'console.json'

/** A hash of the sources, of the versions of all packages and of this builder. */
async function sourceKey(): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  const paths = [...new Glob('**/*').scanSync({ cwd: sources })].sort().map((path) => join(sources, path))
  for (const path of [...paths, join(root, 'bun.lock'), join(import.meta.dirname, 'build.ts')]) {
    hasher.update(path.slice(root.length))
    hasher.update(await Bun.file(path).bytes())
  }
  return hasher.digest('hex').slice(0, 16)
}

async function keyOf(folder: string): Promise<string | undefined> {
  const manifest = Bun.file(join(folder, manifestName))
  if (!(await manifest.exists())) return undefined
  const { key }: ConsoleManifest = await manifest.json()
  return key
}

/** The chunks that a script imports at once, and those that they import. */
async function importedBy(outputs: Bun.BuildArtifact[], name: string): Promise<string[]> {
  const scan = new Bun.Transpiler({ loader: 'js' })
  const found = new Set<string>()
  const visit = async (file: string) => {
    const output = outputs.find(({ path }) => basename(path) === file)
    if (!output) return
    for (const { path, kind } of scan.scanImports(await output.text())) {
      const imported = basename(path)
      if (kind !== 'import-statement' || found.has(imported)) continue
      found.add(imported)
      await visit(imported)
    }
  }
  await visit(name)
  return [...found]
}

/** Builds into an empty folder. Throws when a source has errors. */
async function build(folder: string, key: string): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [join(sources, 'main.tsx')],
    outdir: folder,
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    loader: { '.woff2': 'file' },
    naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const files: ConsoleManifest['files'] = []
  for (const output of outputs) {
    const name = basename(output.path)
    const compressed = !name.endsWith('.woff2')
    if (compressed) await Bun.write(join(folder, `${name}.gz`), Bun.gzipSync(await output.arrayBuffer(), { level: 9 }))
    files.push({ name, compressed })
  }
  const script = outputs.find(({ kind, path }) => kind === 'entry-point' && path.endsWith('.js'))
  const style = files.find(({ name }) => name.startsWith('main-') && name.endsWith('.css'))
  if (!script || !style) throw new Error('The console was built without its page')
  const entry = basename(script.path)
  const preload = await importedBy(outputs, entry)
  const manifest: ConsoleManifest = { key, script: entry, style: style.name, preload, files }
  await Bun.write(join(folder, manifestName), JSON.stringify(manifest))
}

/** Whether the built console is of these very sources. */
export const isConsoleCurrent = async (folder = consoleFolder): Promise<boolean> =>
  (await keyOf(folder)) === (await sourceKey())

/**
 * Builds the console unless the one in the folder is of these very sources. Returns whether it built. It appears all at
 * once, so that a server and several builds may run beside each other. Throws when a source has errors.
 */
export async function buildConsole(folder = consoleFolder): Promise<boolean> {
  const key = await sourceKey()
  if ((await keyOf(folder)) === key) return false
  await mkdir(dirname(folder), { recursive: true })
  const fresh = await mkdtemp(`${folder}-`)
  try {
    await build(fresh, key)
    const old = `${fresh}-old`
    await rename(folder, old).catch(() => {})
    await rename(fresh, folder).catch(async (error: unknown) => {
      // Another build was faster.
      if ((await keyOf(folder)) !== key) throw error
    })
    await rm(old, { recursive: true, force: true })
    return true
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}
