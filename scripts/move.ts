import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Installation, move } from '../src/app/backup/move.ts'
import { layingOut } from '../src/app/backup/new-folder.ts'
import { summary } from '../src/app/backup/run.ts'
import { type Env, readEnv } from '../src/app/env.ts'
import { openInstallation } from '../src/app/open-installation.ts'
import { TargetError } from '../src/app/refusals.ts'
import { postgresUrl } from '../src/app/settings/forms.ts'
import { openDatabase } from '../src/db/client.ts'
import { tellingOfTls } from '../src/db/tls.ts'
import { runPrivately } from './run-privately.ts'

const USAGE = `Usage: switchboard move --to <postgres://... | folder> [--replace]

Moves an installation to another database with everything: rows, files and keys. From the embedded database in DATA_DIR to a
PostgreSQL server, which a server of these settings then uses as its DATABASE_URL, with the same DATA_DIR; or from the server
of DATABASE_URL to an embedded database in a folder, which becomes the DATA_DIR. Stop the servers first. What is moved stays as it
was, and the other database has to be empty.

  --to       where to
  --replace  drops what is there
  --help     shows this text`

const say = (line: string) => console.error(line)

/** The settings of the installation that is made. */
function target(from: Env, to: string): Env {
  const key = from.secretsKeys?.[0]
  const kept = join(from.dataDir, 'secrets-key')
  const { DATABASE_URL: _, ...others } = process.env
  if (!/^postgres(ql)?:/.test(to)) return readEnv({ ...others, DATA_DIR: resolve(to) })
  const { error } = postgresUrl.safeParse(to)
  if (error) throw new Error(`--to ${error.issues[0]?.message}`)
  const SECRETS_KEY = key ? process.env.SECRETS_KEY : existsSync(kept) ? readFileSync(kept, 'utf8') : undefined
  return readEnv({ ...others, SECRETS_KEY, DATABASE_URL: to })
}

/** What a server needs to be told to use what was made. */
function settingsOf(from: Env, to: Env): string {
  const key = from.secretsKeys ? 'the same SECRETS_KEY' : `SECRETS_KEY="$(cat ${join(from.dataDir, 'secrets-key')})"`
  return to.databaseUrl === undefined
    ? `DATA_DIR=${to.dataDir}${from.secretsKeys ? ' and the same SECRETS_KEY' : ''}, without DATABASE_URL`
    : `DATABASE_URL, ${key} and DATA_DIR=${to.dataDir}`
}

async function moveTo(to: Env, from: Installation, replace: boolean) {
  const { databaseConnections, databaseUrl: url, dataDir } = to
  const refused = (cause: unknown) => {
    throw new TargetError('The target cannot be opened', { cause })
  }
  const database = await openDatabase({ ...databaseConnections, url, dataDir, max: 2 }).catch(refused)
  try {
    await tellingOfTls(database, () => database.ping()).catch(refused)
    return await move(from, { env: to, database }, replace, say)
  } finally {
    await database.close()
  }
}

async function run(): Promise<void> {
  const flag = { type: 'boolean' } as const
  const options = { to: { type: 'string' }, replace: flag, help: { ...flag, short: 'h' } } as const
  const { values } = parseArgs({ options })
  if (values.help) return console.log(USAGE)
  if (values.to === undefined) throw new Error(USAGE)
  const env = readEnv()
  const other = target(env, values.to)
  if (other.databaseUrl === env.databaseUrl && resolve(other.dataDir) === resolve(env.dataDir)) {
    throw new Error('This is where the installation is already.')
  }
  const database = await openInstallation(env, { ...env.databaseConnections, max: 2 })
  try {
    const manifest = await layingOut(other.dataDir, () => moveTo(other, { env, database }, values.replace ?? false))
    console.log(`Moved: ${summary(manifest)}. Start the server with ${settingsOf(env, other)}.`)
  } finally {
    await database.close()
  }
}

await runPrivately(run)
