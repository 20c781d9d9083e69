import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

/**
 * Checks who imports whom, as part of `bun run check`. Exits with 1 and a line for each import against the rules.
 *
 * No layer may name even a type of those above it. Elsewhere only imports of values count: a type names no code that
 * runs. Tables are the one data model of all resources and refer to each other by foreign keys, so imports of `table.ts`
 * are not counted for circles.
 */

/** The folder of `src` that a file is in, or the file itself at the root; each resource is a folder of its own. */
const folderOf = (file: string): string => {
  const [, top = '', resource] = file.split('/')
  if (top.includes('.')) return top
  return top === 'resources' ? `${top}/${resource}` : top
}

/** Who may not be imported from where: patterns of paths. */
const forbidden: { from: RegExp; to: RegExp; because: string; types?: true }[] = [
  {
    from: /^src\/(?!app\/|voice-platform\/embedded\/|main\.ts)/,
    to: /^src\/voice-platform\/embedded\//,
    because: 'the embedded platform is a stand-in for the real one: only the composition in src/app knows it',
  },
  {
    from: /^src\/(runtime|json|db|broadcast|backup|secrets|storage|outgoing|accounts|knowledge)\//,
    to: /^src\/(api|resources|carrier|language-model|mcp|voice-platform|webhooks)\//,
    because: 'this is a foundation: it knows no procedure, no HTTP and no connection to the outside',
    types: true,
  },
  {
    from: /^src\/(carrier|language-model|mcp|voice-platform|webhooks)\//,
    to: /^src\/(api|resources)\//,
    because: 'a connection to the outside knows no procedure and no HTTP',
    types: true,
  },
  {
    from: /^src\/api\//,
    to: /^src\/resources\/(?!dependencies\.ts)/,
    because: 'the API layer serves any router, and knows of resources only what it hands to services',
    types: true,
  },
  {
    from: /^src\/(?!app\/|main\.ts)/,
    to: /^src\/app\//,
    because: 'only the composition knows everything, and only `main.ts` knows the composition',
    types: true,
  },
  {
    from: /^src\/(?!app\/|console\/)/,
    to: /^src\/(router|main)\.ts$/,
    because: 'only the composition, and the types of the console, know all procedures',
    types: true,
  },
  { from: /^src\/(?!widget\/)/, to: /^src\/widget\//, because: 'the widget runs in a browser' },
  { from: /^src\/(?!console\/)/, to: /^src\/console\//, because: 'the console runs in a browser' },
  { from: /^src\/console\//, to: /^src\/(?!console\/)/, because: 'the console knows the API alone' },
]

/** Tests that read and write tables themselves; all others go through the API, or a named probe of `test/support`. */
const testsOfTables: { files: RegExp; because: string }[] = [
  { files: /^test\/support\//, because: 'it has the factories and probes' },
  { files: /^test\/db\//, because: 'statements on tables are what is tested' },
  { files: /^test\/matrix\/entries\.ts$/, because: 'it makes what only calls, visitors and time make' },
  { files: /^test\/mirror\/(rig|recovery\.test|concurrency\.test)\.ts$/, because: 'crashes are made of journal rows' },
  { files: /^test\/webhooks\/queue\.test\.ts$/, because: 'claims of queue rows are what is tested' },
  { files: /^test\/storage\/(bounds|deletions)\.test\.ts$/, because: 'notes of files to delete are seen nowhere else' },
  { files: /^test\/backup\/schedule\.test\.ts$/, because: 'claims of the schedule are what is tested' },
  { files: /^test\/app\/retention\.test\.ts$/, because: 'what is purged is seen nowhere else' },
  { files: /^test\/secrets\/mark\.test\.ts$/, because: 'the mark of an installation is seen nowhere else' },
]

/** The path of an import, also of types alone, which a transpiler drops. */
const anyImport = /(?:\bfrom |\bimport\(\s*)'(\.[^']+)'/g

const transpilers = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) }
const problems: string[] = []
const edges = new Map<string, Map<string, string>>()

for (const file of new Glob('src/**/*.{ts,tsx}').scanSync()) {
  const transpiler = file.endsWith('.tsx') ? transpilers.tsx : transpilers.ts
  const text = await Bun.file(file).text()
  const values = new Set(transpiler.scanImports(text).map(({ path }) => path))
  const types = Array.from(text.matchAll(anyImport), ([, path = '']) => path)
  for (const path of new Set([...values, ...types])) {
    if (!path.startsWith('.') || path.endsWith('.json')) continue
    const isValue = values.has(path)
    const target = normalize(join(dirname(file), path))
    for (const { from, to, because, types: alsoTypes } of forbidden) {
      if ((isValue || alsoTypes) && from.test(file) && to.test(target)) {
        problems.push(`${file} imports ${isValue ? '' : 'a type of '}${target}: ${because}`)
      }
    }
    if (!isValue) continue
    const [importer, imported] = [folderOf(file), folderOf(target)]
    if (importer === imported || target.endsWith('/table.ts') || file.endsWith('/table.ts')) continue
    const imports = edges.get(importer) ?? new Map<string, string>()
    imports.set(imported, `${file} imports ${target}`)
    edges.set(importer, imports)
  }
}

for (const file of new Glob('test/**/*.ts').scanSync()) {
  if (testsOfTables.some(({ files }) => files.test(file))) continue
  for (const { path } of transpilers.ts.scanImports(await Bun.file(file).text())) {
    const target = path.startsWith('.') ? normalize(join(dirname(file), path)) : path
    if (!/^src\/.*\/table\.ts$/.test(target)) continue
    problems.push(`${file} imports ${target}: let the API say it, or a named probe in test/support/rows`)
  }
}

/** Follows the imports of folders from `folder`; the first circle found is reported once. */
function findCircles(folder: string, path: readonly string[], done: Set<string>): void {
  const begin = path.indexOf(folder)
  if (begin >= 0) {
    const circle = [...path.slice(begin), folder]
    const imports = circle.slice(1).map((next, index) => edges.get(circle[index] ?? '')?.get(next))
    problems.push(`A circle of folders:\n  ${imports.join('\n  ')}`)
    return
  }
  if (done.has(folder)) return
  for (const next of edges.get(folder)?.keys() ?? []) findCircles(next, [...path, folder], done)
  done.add(folder)
}

const done = new Set<string>()
for (const folder of edges.keys()) findCircles(folder, [], done)

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
} else {
  console.log('Imports keep to the rules.')
}
