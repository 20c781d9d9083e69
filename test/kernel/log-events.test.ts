import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const call = /\blog\.(?:trace|debug|info|warn|error|fatal)\(\s*(?:\{(?<fields>[\s\S]*?)\}|(?<name>\w+)),\s*['"`\w]/g

test('every line of the log names its event', () => {
  const found: string[] = []
  const nameless: string[] = []
  for (const file of new Glob('src/**/*.ts').scanSync({ cwd: root })) {
    if (file.startsWith('src/console/') || file.startsWith('src/widget/')) continue
    const text = readFileSync(join(root, file), 'utf8')
    const calls = text.match(/\blog\.(trace|debug|info|warn|error|fatal)\(/g) ?? []
    const matches = [...text.matchAll(call)]
    found.push(...calls)
    if (matches.length !== calls.length) nameless.push(`${file}: a call without fields`)
    for (const { groups } of matches) {
      const named = groups?.fields ?? new RegExp(`const ${groups?.name} = \\{([^}]*)`).exec(text)?.[1] ?? ''
      if (!/\bevent\b/.test(named)) nameless.push(`${file}: ${named.trim()}`)
    }
  }
  expect(found.length).toBeGreaterThan(30)
  expect(nameless).toEqual([])
})
