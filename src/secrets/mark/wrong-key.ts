/** The secrets of this database were sealed with another key. */
export class WrongSecretsKeyError extends Error {
  override readonly name = 'WrongSecretsKeyError'

  constructor() {
    super(
      'SECRETS_KEY does not hold the key that this database was sealed with. Give this instance the key of the others; while keys are changed, the old one after the new one.',
    )
  }
}
