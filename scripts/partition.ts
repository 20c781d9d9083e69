import { parseArgs } from 'node:util'
import { readEnv } from '../src/app/env.ts'
import { openInstallation } from '../src/app/open-installation.ts'
import { planOf, timed } from './partition/plan.ts'

const usage = `Usage: bun run partition [--ahead <months>]

Reads the database of DATABASE_URL and prints the statements that partition ${timed.join(', ')}
by the month in which their rows were made; later, those that make the partitions which are missing. Nothing is changed.

  --ahead <months>  how many months after this one get a partition; default 3, at most 24
  --help            shows this text`

const maxAhead = 24

try {
  const { values } = parseArgs({ options: { ahead: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(usage)
  else await print(aheadOf(values.ahead ?? '3'))
} catch (error) {
  console.error(error instanceof Error ? error.message : 'The database could not be read')
  process.exitCode = 1
}

function aheadOf(text: string): number {
  const ahead = Number(text)
  if (!Number.isInteger(ahead) || ahead < 1 || ahead > maxAhead) {
    throw new Error(`--ahead is a whole number from 1 to ${maxAhead}`)
  }
  return ahead
}

async function print(ahead: number): Promise<void> {
  const env = readEnv()
  const handle = await openInstallation(env)
  try {
    const statements = await planOf(handle.sql, new Date(), ahead)
    console.log(statements.length > 0 ? statements.join('\n') : '-- Nothing is missing.')
  } finally {
    await handle.close()
  }
}
