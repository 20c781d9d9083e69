import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../runtime/error-code.ts'

/** Others can enter the data folder, and this process may not change that. */
export class DataFolderOpenError extends Error {
  override readonly name = 'DataFolderOpenError'

  constructor(folder: string) {
    super(`Others can enter the data folder ${folder}, which holds keys. Close it to them: chmod 700 ${folder}`)
  }
}

/** A data folder in whose place another one would do. The message is for one that DATA_DIR names. */
export class DataFolderRefusedError extends Error {
  /**
   * @param problem what is wrong and what mends it, without a full stop
   * @param another how DATA_DIR names another folder
   */
  constructor(
    private readonly problem: string,
    another: string,
  ) {
    super(`${problem}, or ${another}.`)
  }

  /** The message for a folder that an option of a command names. */
  named(option: string): string {
    return `${this.problem}, or name another folder with ${option}.`
  }
}

/** There is no data folder that this process could write to. */
export class DataFolderUnusableError extends DataFolderRefusedError {
  override readonly name = 'DataFolderUnusableError'

  constructor(folder: string, cause: unknown) {
    const reason = reasons[String(codeOf(cause))] ?? (cause instanceof Error ? cause.message : String(cause))
    super(`The data folder ${folder} cannot be used: ${reason}. Mend that`, 'set DATA_DIR to another folder')
  }
}

const notAllowed = 'the user of this process may not write there'

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'what should be a folder above it is a file',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EACCES: notAllowed,
  EPERM: notAllowed,
}

const others = 0o077

/**
 * Makes a folder that its owner alone can enter; one that others can enter is closed to them.
 * @throws DataFolderUnusableError when it cannot be made
 * @throws DataFolderOpenError when it stays open, as with a folder of another user
 */
export function makePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new DataFolderUnusableError(folder, error)
  }
  if ((statSync(folder).mode & others) === 0) return
  try {
    chmodSync(folder, 0o700)
  } catch {
    throw new DataFolderOpenError(folder)
  }
  // Some file systems take a mode and keep their own.
  if ((statSync(folder).mode & others) !== 0) throw new DataFolderOpenError(folder)
}

/** Throws DataFolderUnusableError for a folder in which this process may not write. */
export function requireWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new DataFolderUnusableError(folder, error)
  }
}

/** Takes what is in a folder, at any depth, from everybody but its owner: programs set modes of their own. */
export function closeToOthers(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o600)
    else if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o700)
  }
}
