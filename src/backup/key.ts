import { markContext } from '../secrets/mark/mark.ts'
import { WrongSecretsKeyError } from '../secrets/mark/wrong-key.ts'
import { SealedSecretError, type Vault } from '../secrets/vault.ts'
import { BackupError } from './format.ts'

/**
 * Refuses an archive whose secrets the vault would not open.
 * @param vault undefined where the installation has no key yet
 * @param file where its key is kept, when that is a file
 */
export const requireKey =
  (vault: Vault | undefined, file?: string) =>
  (sealed: string): void => {
    if (!vault) {
      throw new BackupError(
        'The archive holds secrets, and not the key that they were sealed with. Give it as SECRETS_KEY, or put it into DATA_DIR/secrets-key.',
      )
    }
    try {
      vault.open(sealed, markContext)
    } catch (error) {
      throw error instanceof SealedSecretError
        ? new WrongSecretsKeyError(file === undefined ? undefined : { wrong: file })
        : error
    }
  }
