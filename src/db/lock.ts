import { Database, SQLiteError } from 'bun:sqlite'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import {
  DataFolderRefusedError,
  DataFolderUnusableError,
  makePrivateFolder,
  requireWritable,
} from '../storage/private-folder.ts'

/** Another process has the data folder open. */
export class DataFolderInUseError extends DataFolderRefusedError {
  override readonly name = 'DataFolderInUseError'

  constructor(folder: string, holder: string) {
    super(`The data folder ${folder} is in use by ${holder}. Stop it`, 'give this one a DATA_DIR of its own')
  }
}

/** A data folder held by this process. */
export type FolderLock = { release(): void }

/** The kernel drops a lock whose handle is collected, so every held one is kept reachable here. */
const held = new Set<Database>()

/**
 * Takes `folder` (made when missing, closed to others) for this process until `release()` or the end of the process.
 * The kernel holds the lock, so a killed holder leaves none behind.
 * @throws DataFolderInUseError when it is taken, by another process or by this one, naming the holder.
 * @throws DataFolderUnusableError when it cannot be made or written to, as with a full disk.
 * @throws DataFolderOpenError when others can enter it, and that cannot be changed.
 */
export function lockFolder(folder: string): FolderLock {
  makePrivateFolder(folder)
  requireWritable(folder)
  const holderFile = join(folder, 'lock.holder')
  const lock = new Database(join(folder, 'lock.sqlite'), { create: true, readwrite: true })
  try {
    lock.run('PRAGMA busy_timeout = 0')
    lock.run('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY')) {
      throw new DataFolderInUseError(folder, readHolder(holderFile))
    }
    throw error
  }
  held.add(lock)
  const release = () => {
    if (!held.delete(lock)) return
    rmSync(holderFile, { force: true })
    lock.close()
  }
  try {
    writeFileSync(holderFile, `process ${process.pid} on ${hostname()}`, { mode: 0o600 })
  } catch (error) {
    release()
    throw new DataFolderUnusableError(folder, error)
  }
  return { release }
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8') || 'another process'
  } catch {
    return 'another process'
  }
}
