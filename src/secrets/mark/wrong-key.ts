/** The secrets of this database were sealed with another key, or with one that is no longer in its file. */
export class WrongSecretsKeyError extends Error {
  override readonly name = 'WrongSecretsKeyError'

  /** @param file where the key is missing, or another one is; that of SECRETS_KEY unless given */
  constructor(file?: { missing: string } | { wrong: string }) {
    super(
      file && 'wrong' in file
        ? `${file.wrong} holds another key than the one that this database was sealed with. Put that one in its place; a move brings its own where there is none.`
        : file
          ? `The key that this database was sealed with is missing: put ${file.missing} back from where the key is kept, or give it as SECRETS_KEY. No other key was made.`
          : 'SECRETS_KEY does not hold the key that this database was sealed with. Give this instance the key of the others; while keys are changed, the old one after the new one.',
    )
  }
}
