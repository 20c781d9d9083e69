import { join } from 'node:path'
import { breakingChanges, unnamed } from './breaking/compare.ts'

/**
 * Compares openapi.json with that of the last release, openapi.released.json, as part of `bun run check`. Exits with 1
 * and a line for every change that breaks clients, unless the changelog names its operation as `GET /path` under
 * "Unreleased".
 */

const root = join(import.meta.dirname, '..')
const json = (name: string) => Bun.file(join(root, name)).json()

const changes = breakingChanges(await json('openapi.released.json'), await json('openapi.json'))
const missing = unnamed(changes, await Bun.file(join(root, 'CHANGELOG.md')).text())
for (const { operation, change } of missing) console.error(`${operation}: ${change}`)
if (missing.length > 0) {
  console.error(
    'These changes break clients: take them back, or name each operation in CHANGELOG.md under "Unreleased".',
  )
  process.exitCode = 1
} else console.log('The description breaks no client without saying so.')
