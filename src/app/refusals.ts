import { BackupError } from '../backup/format.ts'
import { DatabaseFolderError, DatabaseUnwritableError } from '../db/empty-database.ts'
import { AddressRefusedError, serverRefusal } from '../db/refused.ts'
import { DatabaseAwayError } from '../db/wait.ts'
import { reasonOf } from '../runtime/log.ts'
import { WrongSecretsKeyError } from '../secrets/mark/wrong-key.ts'
import { DataFolderOpenError, DataFolderRefusedError } from '../storage/private-folder.ts'
import { UpgradeCopyError } from './backup/before-upgrade.ts'
import { EnvError } from './env.ts'
import { PlaceError, PortInUseError } from './listen.ts'
import { NoInstallationError } from './open-installation.ts'

/** What an operator can mend; these say all there is to say. */
const refusals = [
  AddressRefusedError,
  BackupError,
  DatabaseFolderError,
  DatabaseUnwritableError,
  DataFolderOpenError,
  DataFolderRefusedError,
  EnvError,
  NoInstallationError,
  PlaceError,
  PortInUseError,
  UpgradeCopyError,
  WrongSecretsKeyError,
]

/** The target of a move refuses it. The cause is what was refused. */
export class TargetError extends Error {
  override readonly name = 'TargetError'
}

function refusedByServer(error: Error, address: string): string | undefined {
  const refusal = serverRefusal(error)
  return refusal && `${address}: ${refusal}`
}

/**
 * All that an operator has to read of an error which they can mend; undefined of any other.
 * @param option that of the command which gave the database's address or folder, where no setting did
 */
export function refusalOf(error: unknown, option?: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof TargetError) return refusalOf(error.cause, '--to')
  if (option !== undefined && error instanceof DataFolderRefusedError) return error.named(option)
  if (error instanceof DatabaseAwayError) return `${error.message} The last error: ${reasonOf(error)}`
  return refusals.some((refusal) => error instanceof refusal)
    ? error.message
    : refusedByServer(error, option ?? 'DATABASE_URL')
}
