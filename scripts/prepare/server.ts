import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BunPlugin, Glob } from 'bun'
import { type BuiltFolder, hashOfFiles, isCurrent, makeCurrent } from '../../src/runtime/built-folder.ts'
import { mapOf } from '../../src/runtime/place.ts'

const root = join(import.meta.dirname, '../..')
const sources = join(root, 'src')

/** Where the bundled server lies. */
export const serverFolder = join(root, 'dist/server')

/** What `bun run start` runs. */
export const serverMain = join(serverFolder, 'main.js')

/** These find their files beside themselves, or are read by threads alone. */
const external = ['@electric-sql/pglite', '@electric-sql/pglite/*', '@lat.md/*']

/** A source goes on finding what lies beside it: threads, pages, migrations and guides. */
const places: BunPlugin = {
  name: 'places of the sources',
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await Bun.file(path).text()
      if (!path.startsWith(sources)) return { contents: text, loader: 'ts' }
      const contents = text
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      return { contents, loader: 'ts' }
    })
  },
}

async function build(folder: string, key: string): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [join(sources, 'main.ts')],
    outdir: folder,
    target: 'bun',
    format: 'esm',
    splitting: true,
    sourcemap: 'external',
    // Names stay: errors and the log say them, and Elysia reads the code of handlers.
    minify: { whitespace: true, syntax: true },
    external,
    plugins: [places],
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: { entry: '[name].[ext]', chunk: '[name]-[hash].[ext]' },
  })
  // The log finds places in the sources with them. Under the name that they have, Bun would load them at the start.
  const maps = outputs.filter(({ kind }) => kind === 'sourcemap')
  for (const { path } of maps) {
    const map = await Bun.file(path).json()
    await Bun.write(mapOf(path.replace(/\.map$/, '')), JSON.stringify({ ...map, sourcesContent: undefined }))
    await rm(path)
  }
  await Bun.write(join(folder, 'server.json'), JSON.stringify({ key }))
}

const server: BuiltFolder = {
  folder: serverFolder,
  manifest: 'server.json',
  sourceKey() {
    const names = [...new Glob('**/*.ts').scanSync({ cwd: sources })].sort()
    const paths = names.map((name) => join(sources, name))
    // The bundle names the folder of its sources: a copy of it elsewhere is another one.
    return hashOfFiles(
      root,
      [...paths, join(root, 'bun.lock'), join(import.meta.dirname, 'server.ts')],
      root + Bun.version,
    )
  },
  build,
}

/** Whether the bundled server is of these very sources. */
export const isServerCurrent = (): Promise<boolean> => isCurrent(server)

/**
 * Bundles the server, so that a start reads a few files in place of some 1,200 and holds less of them. Returns whether
 * it built. Throws when a source has errors.
 */
export const buildServer = (): Promise<boolean> => makeCurrent(server)

/** Has `bun run start` run the sources themselves. */
export async function useSources(): Promise<void> {
  await mkdir(serverFolder, { recursive: true })
  await Bun.write(join(serverFolder, 'server.json'), JSON.stringify({ key: 'sources' }))
  await Bun.write(serverMain, "import '../../src/main.ts'\n")
}
