/** A new key under which a website's widget may speak to one assistant: `pk_` and 32 hexadecimal digits. */
export const newPublicKey = (): string =>
  `pk_${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')}`
