import { parseArgs } from 'node:util'
import { openDatabase } from '../src/db/client.ts'
import { migrate, migrationsPending } from '../src/db/migrate.ts'
import { readEnv } from '../src/env.ts'

const USAGE = `Usage: bun run migrate [--check]

Brings the database of DATABASE_URL, or the embedded one in DATA_DIR, up to date. The server does the same when it
starts; run this where the schema is changed before the new version is rolled out.

  --check  changes nothing; exit code 1 when migrations are pending
  --help   shows this text`

try {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) console.log(USAGE)
  else process.exitCode = await run(values.check ?? false)
} catch (error) {
  console.error(reason(error))
  process.exitCode = 1
}

async function run(checkOnly: boolean): Promise<number> {
  const env = readEnv()
  const handle = await openDatabase({ url: env.databaseUrl, dataDir: env.dataDir })
  try {
    const pending = await migrationsPending(handle)
    if (checkOnly) {
      console.log(pending ? 'Migrations are pending.' : 'The database is up to date.')
      return pending ? 1 : 0
    }
    await migrate(handle)
    console.log(pending ? 'The database was brought up to date.' : 'The database was up to date.')
    return 0
  } finally {
    await handle.close()
  }
}

/** A failed query says its SQL and parameters in `message`, and what went wrong in `cause`. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'The migration failed'
  return error.cause instanceof Error ? error.cause.message : error.message
}
