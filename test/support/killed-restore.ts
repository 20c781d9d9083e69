import { archiveAt } from '../../src/app/backup/place.ts'
import { entriesOf, restoreFrom } from '../../src/app/backup/run.ts'
import { readEnv } from '../../src/app/env.ts'
import { openDatabase } from '../../src/db/client.ts'

/** How an archive is restored over what is there, and before which statement its process dies. */
export interface KilledRestore {
  env: Record<string, string>
  archive: string
  /** How that statement begins; undefined: it lives. */
  before?: string
}

async function main({ env: settings, archive, before }: KilledRestore): Promise<void> {
  const env = readEnv(settings)
  const { place, name } = archiveAt(archive, env)
  const database = await openDatabase({
    url: env.databaseUrl,
    dataDir: env.dataDir,
    onQuery(statement) {
      if (before !== undefined && statement.startsWith(before)) process.kill(process.pid, 'SIGKILL')
    },
  })
  await restoreFrom({ env, database, entries: await entriesOf(place, name), replace: true }, () => {})
  await database.close()
}

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '{}'))
