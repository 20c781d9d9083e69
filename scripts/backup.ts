import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { archiveAt, placeFor } from '../src/app/backup/place.ts'
import { backUp, summary, verifyAt } from '../src/app/backup/run.ts'
import { readEnv } from '../src/app/env.ts'
import { openDatabase } from '../src/db/client.ts'
import { describeError } from '../src/runtime/log.ts'

const USAGE = `Usage: switchboard backup [--to <folder>] [--keep <n>] [--verify]
       switchboard backup verify <archive>

Writes the database of DATABASE_URL, or the embedded one in DATA_DIR, and the stored files into one archive, as one moment had
them, while servers run. No key is in it: keep SECRETS_KEY (or DATA_DIR/secrets-key) in another place.

  --to      where archives are kept (default: backups)
  --keep    how many are kept; older ones are deleted (default: all)
  --verify  restores the new archive into a scratch database afterwards and compares
  --help    shows this text

"verify" does the same with an archive that is there already.`

const say = (line: string) => console.error(line)

async function make(to: string, keep: number, verified: boolean): Promise<void> {
  const env = readEnv()
  const place = placeFor(resolve(to))
  const { databaseUrl: url, dataDir } = env
  const database = await openDatabase({ ...env.databaseConnections, url, dataDir, max: 1 })
  let name: string
  try {
    name = await backUp({ env, database, place, keep, now: new Date() }, say)
  } finally {
    await database.close()
  }
  if (verified) say(`It was restored and compared: ${summary(await verifyAt(place, name, say))}.`)
  console.log(place.label(name))
}

async function run(): Promise<void> {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: text, keep: text, verify: flag, help: { ...flag, short: 'h' } },
  })
  const [action, archive, ...rest] = positionals
  if (values.help) return console.log(USAGE)
  if (action === 'verify' && archive !== undefined && rest.length === 0) {
    const { place, name } = archiveAt(archive)
    return console.log(`The archive is whole: ${summary(await verifyAt(place, name, say))}.`)
  }
  const keep = Number(values.keep ?? 0)
  if (action !== undefined || !Number.isInteger(keep) || keep < 0) throw new Error(USAGE)
  await make(values.to ?? 'backups', keep, values.verify ?? false)
}

try {
  process.umask(0o077)
  await run()
} catch (error) {
  console.error(describeError(error).message)
  process.exitCode = 1
}
