import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const manifest: Record<'dependencies' | 'optionalDependencies', Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)
const server = Object.keys(manifest.dependencies)
const withConsole = [...server, ...Object.keys(manifest.optionalDependencies)]

/** Scripts that operators run, on an installation without development packages. */
const operated = [
  'migrate',
  'user',
  'token',
  'seed',
  'rotate-secrets',
  'backup',
  'restore',
  'move',
  'running-server',
  'distribution',
]

const nameOf = (path: string) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')

/** Bun reads no `#!` line here. */
const sourceOf = (file: string) => readFileSync(join(root, file), 'utf8').replace(/^#!.*/, '')

function importedBy(files: string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of files) {
    const loader = file.endsWith('.tsx') ? 'tsx' : 'ts'
    for (const { path } of new Bun.Transpiler({ loader }).scanImports(sourceOf(file))) {
      if (/^[.]|^(node|bun):|^bun$/.test(path)) continue
      found.set(nameOf(path), file)
    }
  }
  return found
}

const filesIn = (pattern: string) => [...new Glob(pattern).scanSync({ cwd: root })]
const isConsole = (file: string) => file.startsWith('src/console/')

test.each([
  ['the server, the command and operators', server, filesIn('{src,cli}/**/*.ts').filter((file) => !isConsole(file))],
  ['the scripts of operators', server, operated.map((name) => `scripts/${name}.ts`)],
  ['the console', withConsole, filesIn('src/console/**/*.{ts,tsx}')],
])('%s need no package that an installation without development packages lacks', (_name, known, files) => {
  const imported = importedBy(files)
  expect(imported.size).toBeGreaterThan(0)
  expect([...imported].filter(([name]) => !known.includes(name))).toEqual([])
})

test('an installation prepares itself before it has any package', () => {
  const files = ['scripts/prepare.ts', 'src/app/console/build.ts']
  expect([...importedBy(files)]).toEqual([])
})
