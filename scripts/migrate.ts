import { parseArgs } from 'node:util'
import { beforeUpgrade } from '../src/app/backup/before-upgrade.ts'
import { fillCatalogue } from '../src/app/bootstrap/catalogue.ts'
import { readEnv } from '../src/app/env.ts'
import { hasDatabase } from '../src/app/open-installation.ts'
import { refusalOf } from '../src/app/refusals.ts'
import { openDatabase } from '../src/db/client.ts'
import { migrate, migrationsPending } from '../src/db/migrate.ts'
import { tellingOfTls } from '../src/db/tls.ts'

const USAGE = `Usage: bun run migrate [--check] [--catalogue]

Brings the database of DATABASE_URL, or the embedded one in DATA_DIR, up to date. The server does the same when it
starts; run this where the schema is changed before the new version is rolled out.

  --check      changes nothing; exit code 0 when the database is up to date, 1 when migrations are pending, 2 when that
               cannot be said, as with a wrong setting or a database that is out of reach
  --catalogue  fills a catalogue in which nothing is, as a new embedded database gets it
  --help       shows this text`

try {
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({ options: { check: flag, catalogue: flag, help: { ...flag, short: 'h' } } })
  if (values.help) console.log(USAGE)
  else process.exitCode = await run(values)
} catch (error) {
  console.error(refusalOf(error) ?? reason(error))
  process.exitCode = process.argv.includes('--check') ? 2 : 1
}

async function run({ check = false, catalogue = false }): Promise<number> {
  const env = readEnv()
  if (check && !hasDatabase(env)) return checked(true)
  const handle = await openDatabase({ url: env.databaseUrl, dataDir: env.dataDir })
  try {
    const pending = await tellingOfTls(handle, () => migrationsPending(handle))
    if (check) return checked(pending)
    const say = (line: string) => console.error(line)
    await migrate(handle, undefined, { before: beforeUpgrade(env, handle, say), say })
    console.log(pending ? 'The database was brought up to date.' : 'The database was up to date.')
    if (catalogue) {
      const options = { now: new Date(), withTools: env.voicePlatform === undefined, timeZone: env.timeZone }
      const filled = await fillCatalogue(handle.db, options)
      console.log(filled ? 'The catalogue was filled.' : 'The catalogue has entries already: it was left as it is.')
    }
    return 0
  } finally {
    await handle.close()
  }
}

function checked(pending: boolean): number {
  console.log(pending ? 'Migrations are pending.' : 'The database is up to date.')
  return pending ? 1 : 0
}

/** A failed query says its SQL and parameters in `message`, and what went wrong in `cause`. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'The migration failed'
  return error.cause instanceof Error ? error.cause.message : error.message
}
