import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseHandle } from '../../db/client.ts'
import type { Env } from '../env.ts'
import { placeFor } from './place.ts'
import { backUp, type Say } from './run.ts'

/** Where the database's files are as they were before the last migrations, in the data folder. */
const copyName = 'before-upgrade'

/**
 * Keeps what a database holds before its tables are changed, so that there is a way back to the version before: a copy of
 * the embedded one's files, until the next; a backup of a PostgreSQL server's where the settings say where to.
 */
export const beforeUpgrade = (env: Env, database: DatabaseHandle, say: Say) => async (): Promise<void> => {
  if (database.copyTo) {
    const folder = join(env.dataDir, copyName)
    const unfinished = `${folder}.unfinished`
    await rm(unfinished, { recursive: true, force: true })
    await database.copyTo(unfinished)
    await rm(folder, { recursive: true, force: true })
    await rename(unfinished, folder)
    say(`The database as it was before the upgrade is in ${folder}.`)
  } else if (env.backups.to !== undefined) {
    // Whatever is tried how often: none of those that were made before is dropped for it.
    await backUp({ env, database, place: placeFor(env.backups.to, env), keep: 0, now: new Date() }, say)
  }
}
