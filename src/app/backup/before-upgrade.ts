import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from '../../backup/format.ts'
import type { DatabaseHandle } from '../../db/client.ts'
import { reasonOf } from '../../runtime/log.ts'
import type { Env } from '../env.ts'
import { placeFor } from './place.ts'
import { backUp, type Say } from './run.ts'

/** Where the database's files are as they were before the last migrations, in the data folder. */
const copyName = 'before-upgrade'

/** The database could not be copied before an upgrade, which has changed nothing then. */
export class UpgradeCopyError extends Error {
  override readonly name = 'UpgradeCopyError'

  constructor(folder: string, bytes: number, cause: unknown) {
    const room = `it needs ${Math.ceil(bytes / 1_000_000)} MB, and the permission to write there`
    const old = existsSync(folder) ? ` What is there is from the upgrade before: remove it to make room.` : ''
    super(`The database could not be copied to ${folder} before the upgrade (${reasonOf(cause)}): ${room}.${old}`, {
      cause,
    })
  }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Puts a copy in the place of the one before once it is whole; of one that fails nothing stays. */
async function copyWhole(copyTo: (folder: string) => Promise<void>, folder: string, source: string): Promise<void> {
  const unfinished = `${folder}.unfinished`
  const remove = () => rm(unfinished, { recursive: true, force: true })
  await remove()
  try {
    await copyTo(unfinished)
    await rm(folder, { recursive: true, force: true })
    await rename(unfinished, folder)
  } catch (cause) {
    await remove()
    throw new UpgradeCopyError(folder, await bytesIn(source), cause)
  }
}

/**
 * A first start that was broken off has tables, too, but neither a user nor a mark of its key: it has nothing to go
 * back to.
 */
async function isInstalled({ sql }: DatabaseHandle): Promise<boolean> {
  for (const table of ['users', 'installation']) {
    const [made] = await sql<{ is: boolean }[]>`select to_regclass(${table}) is not null as is`
    if (!made?.is) continue
    const [filled] = await sql<{ is: boolean }[]>`select exists (select from ${sql(table)}) as is`
    if (filled?.is) return true
  }
  return false
}

/**
 * Keeps what a database holds before its tables are changed, so that there is a way back to the version before: a copy
 * of the embedded one's files, until the next; a backup of a PostgreSQL server's where the settings say where to.
 * @throws UpgradeCopyError, or BackupError: nothing was changed.
 */
export const beforeUpgrade = (env: Env, database: DatabaseHandle, say: Say) => async (): Promise<void> => {
  if (!(await isInstalled(database))) return
  if (database.copyTo) {
    const folder = join(env.dataDir, copyName)
    await copyWhole(database.copyTo, folder, join(env.dataDir, 'database'))
    say(`The database as it was before the upgrade is in ${folder}.`)
  } else if (env.backups.to !== undefined) {
    // Whatever is tried how often: none of those that were made before is dropped for it.
    const place = placeFor(env.backups.to, env)
    try {
      await backUp({ env, database, place, now: new Date() }, say)
    } catch (cause) {
      throw new BackupError(`BACKUP_TO: no backup could be made before the upgrade: ${reasonOf(cause)}`, { cause })
    }
  }
}
