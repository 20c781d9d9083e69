import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const settings = `${JSON.stringify({ javascript: { formatter: { semicolons: 'asNeeded', quoteStyle: 'single' } } }, null, '\t')}\n`
const hint = 'The form of the code is not what it should be: run `bun run format`.\n'

test.each([
  ['in order', 'export const one = 1\n', 0, ''],
  ['badly indented', '  export const one = 1\n', 1, hint],
  ['with imports out of order', "import b from './b.ts'\nimport a from './a.ts'\n\nexport { a, b }\n", 1, hint],
  ['against a rule that is no matter of form', 'debugger\n', 1, ''],
])('the check of code %s says what to run where that mends it', (_what, code, status, said) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-style-'))
  try {
    writeFileSync(join(folder, 'biome.json'), settings)
    writeFileSync(join(folder, 'code.ts'), code)
    const script = join(import.meta.dirname, '../../scripts/style.ts')
    const ran = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })
    const last = ran.stderr.endsWith(hint) ? hint : ''
    expect([ran.status, last]).toEqual([status, said])
    if (status !== 0) expect(ran.stdout + ran.stderr).toContain('code.ts')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
