import { basename, join } from 'node:path'
import { Glob } from 'bun'
import { hashOfFiles, isCurrent, makeCurrent } from '../../runtime/built-folder.ts'

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
function sourceKey(): Promise<string> {
  const paths = [...new Glob('**/*').scanSync({ cwd: sources })].sort().map((path) => join(sources, path))
  return hashOfFiles(root, [...paths, join(root, 'bun.lock'), join(import.meta.dirname, 'build.ts')])
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

const builtIn = (folder: string) => ({ folder, manifest: manifestName, sourceKey, build })

/** Whether the built console is of these very sources. */
export const isConsoleCurrent = (folder = consoleFolder): Promise<boolean> => isCurrent(builtIn(folder))

/** Builds the console as `makeCurrent` does. */
export const buildConsole = (folder = consoleFolder): Promise<boolean> => makeCurrent(builtIn(folder))
