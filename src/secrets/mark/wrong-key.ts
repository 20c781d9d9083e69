/** The secrets of this database were sealed with another key, or with one that is no longer in its file. */
export class WrongSecretsKeyError extends Error {
  override readonly name = 'WrongSecretsKeyError'

  constructor(missing?: string) {
    super(
      missing
        ? `The key that this database was sealed with is missing: put ${missing} back from where the key is kept, or give it as SECRETS_KEY. No other key was made.`
        : 'SECRETS_KEY does not hold the key that this database was sealed with. Give this instance the key of the others; while keys are changed, the old one after the new one.',
    )
  }
}
