import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Keeps secrets at rest: what `seal` returns may be stored, and only `open` reads it. */
export interface Vault {
  /**
   * Encrypts a text with the current key. `context` says what the secret is for, such as `connectors.headers`: it is
   * not kept, and `open` must be given the same, so that a sealed text is of no use in another column.
   */
  seal(plain: string, context?: string): string
  /** Decrypts what `seal` returned. Throws `SealedSecretError`. */
  open(sealed: string, context?: string): string
  /** Whether a text was sealed with the current key, so that a rotation can leave it. */
  isCurrent(sealed: string): boolean
}

/** A stored secret that cannot be read; its message says why and never what is stored. */
export class SealedSecretError extends Error {
  override readonly name = 'SealedSecretError'
}

const format = 'sealed:v1'
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const pattern = /^sealed:v1:([0-9a-f]{8}):([\w-]{38,})$/

/** Whether a stored text has the form that `seal` gives. */
export const isSealed = (text: string): boolean => pattern.test(text)

/** Tells keys apart without telling anything about them. */
const idOf = (key: Uint8Array) =>
  createHash('sha256').update('switchboard key id').update(key).digest('hex').slice(0, 8)

/**
 * Seals with `current` and opens with any of the keys, each 32 bytes: AES-256-GCM with a random nonce, in a record
 * `sealed:v1:<key id>:<nonce, ciphertext and tag in base64url>` whose head is authenticated too.
 */
export function createVault({
  current,
  previous = [],
}: {
  current: Uint8Array
  previous?: readonly Uint8Array[]
}): Vault {
  const keys = new Map([...previous, current].map((key) => [idOf(key), key]))
  const currentId = idOf(current)
  const bound = (keyId: string, context: string) => Buffer.from(`${format}:${keyId}:${context}`)

  return {
    seal(plain, context = '') {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, current, nonce).setAAD(bound(currentId, context))
      const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${format}:${currentId}:${body.toString('base64url')}`
    },

    open(sealed, context = '') {
      const [, keyId = '', encoded = ''] = pattern.exec(sealed) ?? []
      if (!keyId) throw new SealedSecretError('A stored secret is not in the sealed form')
      const key = keys.get(keyId)
      if (!key)
        throw new SealedSecretError(`A stored secret was sealed with key ${keyId}, which SECRETS_KEY does not hold`)
      const body = Buffer.from(encoded, 'base64url')
      try {
        const decipher = createDecipheriv(algorithm, key, body.subarray(0, nonceBytes), { authTagLength: tagBytes })
          .setAAD(bound(keyId, context))
          .setAuthTag(body.subarray(-tagBytes))
        const text = Buffer.concat([decipher.update(body.subarray(nonceBytes, -tagBytes)), decipher.final()])
        return text.toString('utf8')
      } catch {
        throw new SealedSecretError('A stored secret was changed, or belongs to another place')
      }
    },

    isCurrent: (sealed) => pattern.exec(sealed)?.[1] === currentId,
  }
}
