import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from '../../backup/format.ts'
import { refuseRunningServers } from '../../backup/schema.ts'
import type { DatabaseHandle } from '../../db/client.ts'
import { codeOf } from '../../runtime/error-code.ts'
import { makePrivateFolder } from '../../storage/private-folder.ts'
import { makeWholeFile } from '../../storage/whole-file.ts'
import { keyFiles } from '../bootstrap/data-folder.ts'
import type { Env } from '../env.ts'
import { TargetError } from '../refusals.ts'
import { dumpOf, restoreFrom, type Say } from './run.ts'

/** An installation: its settings, and its database, opened. */
export interface Installation {
  env: Env
  database: DatabaseHandle
}

/** Whether both keep files in the same place, so that there is nothing to copy. */
const shareFiles = (from: Env, to: Env) => from.objectStore !== undefined || from.dataDir === to.dataDir

/** Copies the keys that a server made for itself, each as a whole; one that is there already stays. */
async function copyKeys(from: Env, to: Env): Promise<void> {
  if (from.dataDir === to.dataDir) return
  makePrivateFolder(to.dataDir)
  for (const name of keyFiles) {
    const key = await readFile(join(from.dataDir, name), 'utf8').catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
    })
    // A copy that was cut off before copies were made as a whole may have left an empty one.
    if (key !== undefined) await makeWholeFile(join(to.dataDir, name), () => key, { emptyToo: true })
  }
}

/**
 * The same entries, and what ended them before their end: restoring them fails with it, and not for what the target
 * says.
 */
function noting<Entry>(entries: AsyncIterable<Entry>) {
  let failed: unknown
  async function* noted() {
    try {
      yield* entries
    } catch (error) {
      failed = error
      throw error
    }
  }
  return { entries: noted(), failure: () => failed }
}

/**
 * Makes `to` what `from` is, which is only read: rows, files unless both keep them in one place, and the keys of the
 * data folder.
 * @throws BackupError while servers use `from`.
 * @throws TargetError when `to` refuses it, such as one that is not empty, unless it may be replaced.
 */
export async function move(from: Installation, to: Installation, replace: boolean, say: Say): Promise<Manifest> {
  // What a server wrote there meanwhile would be missing. An embedded database has one process.
  if (!from.database.embedded) await refuseRunningServers(from.database.sql)
  await copyKeys(from.env, to.env)
  const read = noting(dumpOf(from.env, from.database, new Date(), say, !shareFiles(from.env, to.env)))
  try {
    return await restoreFrom({ ...to, entries: read.entries, replace }, () => {})
  } catch (error) {
    throw error === read.failure() ? error : new TargetError('The target refuses the move', { cause: error })
  }
}
