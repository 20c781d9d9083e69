import { parseArgs } from 'node:util'
import { archiveAt, placeFor } from '../src/app/backup/place.ts'
import { backUp, dropOld, summary, verifyAt } from '../src/app/backup/run.ts'
import { withSource } from '../src/app/backup/source.ts'
import { type Env, readEnv } from '../src/app/env.ts'
import { runPrivately } from './run-privately.ts'

const USAGE = `Usage: switchboard backup [--to <folder>] [--keep <n>] [--verify]
       switchboard backup verify <archive>

Writes the database of DATABASE_URL, or the embedded one in DATA_DIR, and the stored files into one archive, as one moment had
them, while servers run. No key is in it: keep SECRETS_KEY (or DATA_DIR/secrets-key) in another place.

  --to      where archives are kept: a folder, or s3://bucket/prefix at the store of S3_ENDPOINT (default: BACKUP_TO, or backups)
  --keep    how many are kept, 0 for all; older ones are deleted at the end (default: BACKUP_KEEP, which is 14 unless set)
  --verify  restores the new archive into a scratch database afterwards and compares; where that fails, none is deleted
  --help    shows this text

"verify" does the same with an archive that is there already.`

const say = (line: string) => console.error(line)

async function make(env: Env, to: string, keep: number, verified: boolean): Promise<void> {
  const place = placeFor(to, env)
  const now = new Date()
  const name = await withSource(env, (database) => backUp({ env, database, place, now }, say))
  if (verified) say(`It was restored and compared: ${summary(await verifyAt(place, name, say))}.`)
  await dropOld(place, keep, say)
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
  const env = readEnv()
  if (action === 'verify' && archive !== undefined && rest.length === 0) {
    const { place, name } = archiveAt(archive, env)
    return console.log(`The archive is whole: ${summary(await verifyAt(place, name, say))}.`)
  }
  const keep = Number(values.keep ?? env.backups.keep)
  if (action !== undefined || !Number.isInteger(keep) || keep < 0) throw new Error(USAGE)
  await make(env, values.to ?? env.backups.to ?? 'backups', keep, values.verify ?? false)
}

await runPrivately(run)
