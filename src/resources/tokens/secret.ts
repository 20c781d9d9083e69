const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const length = 40

/** A new token: `vk_` and 40 characters of even distribution (contract: accounts 14). */
export function newToken(): string {
  let token = 'vk_'
  while (token.length < length + 3) {
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) {
      const sign = byte < 248 ? alphabet[byte % 62] : undefined
      if (sign && token.length < length + 3) token += sign
    }
  }
  return token
}

/** What is stored of a token: SHA-256 in hex. */
export const hashToken = (token: string): string => new Bun.CryptoHasher('sha256').update(token).digest('hex')

/** The part of a token that lists may show. */
export const tokenPrefix = (token: string): string => token.slice(0, 10)
