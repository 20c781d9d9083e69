import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const composition = 'only the composition knows everything, and only `main.ts` knows the composition'
const procedures = 'only the composition, and the types of the console, know all procedures'
const foundation = 'this is a foundation: it knows no procedure, no HTTP and no connection to the outside'
const anyRouter = 'the API layer serves any router, and knows of resources only what it hands to services'

test.each([
  ['api/gate.ts', "import type { Env } from '../app/env.ts'", 'a type of src/app/env.ts', composition],
  ['api/gate.ts', "import { type Env } from '../app/env.ts'", 'a type of src/app/env.ts', composition],
  ['api/gate.ts', "export type Env = typeof import('../app/env.ts')", 'a type of src/app/env.ts', composition],
  ['api/gate.ts', "import type { User } from '../resources/users/record.ts'", 'a type of src/resources/', anyRouter],
  ['api/gate.ts', "import type { ServiceDependencies } from '../resources/dependencies.ts'"],
  [
    'resources/users/service.ts',
    "import type { Env } from '../../app/env.ts'",
    'a type of src/app/env.ts',
    composition,
  ],
  ['resources/users/service.ts', "import { env } from '../../app/env.ts'\nenv()", 'src/app/env.ts', composition],
  ['runtime/sleep.ts', "import type {\n  Env,\n} from '../app/env.ts'", 'a type of src/app/env.ts', composition],
  ['api/gate.ts', "import type { AppRouter } from '../router.ts'", 'a type of src/router.ts', procedures],
  ['json/object.ts', "import { meta } from '../api/meta.ts'\nmeta()", 'src/api/meta.ts', foundation],
  ['runtime/sleep.ts', "import type { Mirror } from '../voice-platform/mirror.ts'", 'a type of src/', foundation],
  ['router.ts', "import './app/env.ts'", 'src/app/env.ts', composition],
  ['main.ts', "import { env } from './app/env.ts'\nenv()"],
  ['app/run.ts', "import { gate } from '../api/gate.ts'\ngate()"],
])('the check of imports at %s: %s', (file, code, imported?: string, because?: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-imports-'))
  try {
    const path = join(folder, 'src', file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${code}\n`)
    const script = join(import.meta.dirname, '../../scripts/imports.ts')
    const ran = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })
    const told = ran.stderr.trim().split('\n').filter(Boolean)
    expect([ran.status, told]).toEqual(
      imported === undefined
        ? [0, []]
        : [1, [expect.stringMatching(`^src/${file} imports ${imported}.*: ${because}$`)]],
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
