import { rm } from 'node:fs/promises'
import type { DatabaseHandle } from '../../db/client.ts'
import { DataFolderInUseError } from '../../db/lock.ts'
import type { Env } from '../env.ts'
import { openInstallation } from '../open-installation.ts'
import { requestCopy } from './control.ts'

/**
 * Works with the database of an installation that is only read: while a server has an embedded one open, with a copy of
 * it that the server makes.
 * @throws NoInstallationError where there is none.
 * @throws DataFolderInUseError when that server does not respond.
 */
export async function withSource<Result>(
  env: Env,
  work: (database: DatabaseHandle) => Promise<Result>,
): Promise<Result> {
  const open = (dataDir: string) => openInstallation({ ...env, dataDir }, { ...env.databaseConnections, max: 1 })
  let copy: string | undefined
  let database: DatabaseHandle
  try {
    database = await open(env.dataDir)
  } catch (error) {
    copy = error instanceof DataFolderInUseError ? await requestCopy(env.dataDir) : undefined
    if (copy === undefined) throw error
    database = await open(copy)
  }
  try {
    return await work(database)
  } finally {
    await database.close()
    if (copy !== undefined) await rm(copy, { recursive: true, force: true })
  }
}
