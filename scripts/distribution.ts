import { parseArgs } from 'node:util'
import { readEnv } from '../src/app/env.ts'
import { openInstallation } from '../src/app/open-installation.ts'
import { planOf } from './distribution/plan.ts'

const usage = `Usage: bun run distribution

Reads the database of DATABASE_URL and prints the statements that spread it over servers with Citus by workspace: of the tables
for which that works as they are. What stays on the first server, and why, comes as comments. Nothing is changed.

  --help  shows this text`

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(usage)
  else await print()
} catch (error) {
  console.error(error instanceof Error ? error.message : 'The database could not be read')
  process.exitCode = 1
}

async function print(): Promise<void> {
  const env = readEnv()
  const handle = await openInstallation(env)
  try {
    const { statements, keys, dropped, staying } = await planOf(handle.sql)
    for (const [columns, kept] of keys) console.log(`-- unique within a workspace from then on: ${columns}; ${kept}`)
    for (const line of dropped) console.log(`-- goes, as the code keeps it: ${line}`)
    for (const statement of statements) console.log(statement)
    for (const [table, reason] of staying) console.log(`-- stays: ${table}, as ${reason}`)
  } finally {
    await handle.close()
  }
}
