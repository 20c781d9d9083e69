import { parseArgs } from 'node:util'
import { layingOut } from '../src/app/backup/new-folder.ts'
import { archiveAt } from '../src/app/backup/place.ts'
import { entriesOf, restoreFrom, summary } from '../src/app/backup/run.ts'
import { type Env, readEnv } from '../src/app/env.ts'
import { openDatabase } from '../src/db/client.ts'
import { tellingOfTls } from '../src/db/tls.ts'
import { runPrivately } from './run-privately.ts'

const USAGE = `Usage: switchboard restore <archive> [--replace]

Makes the database of DATABASE_URL, or the embedded one in DATA_DIR, and the stored files what an archive of "switchboard backup"
says. Stop the servers first, and give the SECRETS_KEY that the archive was made with (or put DATA_DIR/secrets-key in its
place): another one is refused. The database stays as it is unless everything succeeds.

  --replace  drops what the database holds; without it, only an empty database is taken
  --help     shows this text`

async function run(): Promise<void> {
  const flag = { type: 'boolean' } as const
  const options = { replace: flag, help: { ...flag, short: 'h' } } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  if (values.help) return console.log(USAGE)
  const [archive, ...rest] = positionals
  if (archive === undefined || rest.length > 0) throw new Error(USAGE)
  const env = readEnv()
  const { place, name } = archiveAt(archive, env)
  const entries = await entriesOf(place, name)
  const manifest = await layingOut(env.dataDir, () => restoreInto(env, entries, values.replace ?? false))
  console.log(`Restored: ${summary(manifest)}.`)
}

async function restoreInto(env: Env, entries: Awaited<ReturnType<typeof entriesOf>>, replace: boolean) {
  const { databaseConnections, databaseUrl: url, dataDir } = env
  const database = await openDatabase({ ...databaseConnections, url, dataDir, max: 2 })
  try {
    await tellingOfTls(database, () => database.ping())
    return await restoreFrom({ env, database, entries, replace }, (line) => console.error(line))
  } finally {
    await database.close()
  }
}

await runPrivately(run)
