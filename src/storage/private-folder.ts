import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Others can enter the data folder, and this process may not change that. */
export class DataFolderOpenError extends Error {
  override readonly name = 'DataFolderOpenError'

  constructor(folder: string) {
    super(`Others can enter the data folder ${folder}, which holds keys. Close it to them: chmod 700 ${folder}`)
  }
}

const others = 0o077

/**
 * Makes a folder that its owner alone can enter; one that others can enter is closed to them.
 * @throws DataFolderOpenError when it stays open, as with a folder of another user
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if ((statSync(folder).mode & others) === 0) return
  try {
    chmodSync(folder, 0o700)
  } catch {
    throw new DataFolderOpenError(folder)
  }
  // Some file systems take a mode and keep their own.
  if ((statSync(folder).mode & others) !== 0) throw new DataFolderOpenError(folder)
}

/** Takes what is in a folder, at any depth, from everybody but its owner: programs set modes of their own. */
export function closeToOthers(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o600)
    else if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o700)
  }
}
