/** Counts texts and adds up their hashes, so that the same texts in another order are the same. */
export interface Sum {
  add(text: string): void
  /** Hexadecimal, 128 bits. */
  result(): { count: number; hash: string }
}

const mask = (1n << 128n) - 1n

/** The sum of no text. */
export function createSum(): Sum {
  let count = 0
  let total = 0n
  return {
    add(text) {
      const digest = new Bun.CryptoHasher('sha256').update(text).digest()
      total = (total + digest.readBigUInt64BE(0) * (1n << 64n) + digest.readBigUInt64BE(8)) & mask
      count++
    },
    result: () => ({ count, hash: total.toString(16).padStart(32, '0') }),
  }
}
