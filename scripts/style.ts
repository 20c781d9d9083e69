import { join } from 'node:path'

/**
 * Checks form and style of the code, as part of `bun run check`. Exits with what biome does; where `bun run format`
 * would mend something of it, the last line says so.
 */

const biome = join(import.meta.dirname, '../node_modules/.bin/biome')

/** Whether what biome checks is in order. */
const isInOrder = (flags: string[], output: 'inherit' | 'ignore') =>
  Bun.spawnSync([biome, 'check', ...flags, '.'], { stdio: ['ignore', output, output] }).success

if (!isInOrder([], 'inherit')) {
  // The rules aside, only form is left: formatting, and the order of imports.
  if (!isInOrder(['--linter-enabled=false'], 'ignore')) {
    console.error('The form of the code is not what it should be: run `bun run format`.')
  }
  process.exitCode = 1
}
