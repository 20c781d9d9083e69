import { join } from 'node:path'
import { type DatabaseHandle, type DatabaseOptions, openDatabase } from '../db/client.ts'
import { holdsDatabase } from '../db/empty-database.ts'
import { migrationState } from '../db/migrate.ts'
import { tellingOfTls } from '../db/tls.ts'
import type { Env } from './env.ts'

/** There is no installation where the settings say; the message names the setting. */
export class NoInstallationError extends Error {
  override readonly name = 'NoInstallationError'
}

type Where = Pick<Env, 'databaseUrl' | 'dataDir'>

/** Whether the settings name a PostgreSQL server, which has a database, or a data folder that has one. */
export const hasDatabase = ({ databaseUrl, dataDir }: Where): boolean =>
  databaseUrl !== undefined || holdsDatabase(join(dataDir, 'database'))

/**
 * Opens the database of an installation that is there, for who makes none: nothing is made where there is none.
 * @throws NoInstallationError where there is no database, or one without our tables
 * @throws DataFolderInUseError when another process has the data folder open
 */
export async function openInstallation(
  env: Where,
  options: Pick<DatabaseOptions, 'deadlines' | 'pooler' | 'prepare' | 'max'> = {},
): Promise<DatabaseHandle> {
  const { databaseUrl: url, dataDir } = env
  const where = url === undefined ? `DATA_DIR, which is ${dataDir}` : 'the database that DATABASE_URL names'
  const none = () => new NoInstallationError(`There is no installation of Switchboard in ${where}: nothing was done.`)
  if (!hasDatabase(env)) throw none()
  const database = await openDatabase({ ...options, url, dataDir })
  try {
    const { applied } = await tellingOfTls(database, () => migrationState(database))
    if (applied === 0) throw none()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
