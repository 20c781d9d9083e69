import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createVault, isSealed, SealedSecretError } from '../../src/secrets/vault.ts'

const [key, newer, foreign] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const vault = createVault({ current: key })

const refusal = (work: () => unknown): Error => {
  try {
    work()
  } catch (error) {
    if (error instanceof SealedSecretError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('sealing', () => {
  test.each(['', 'hunter2', 'ü 🔑', '{"authorization":"Bearer x"}', 'x'.repeat(100_000)])('%# opens again', (plain) => {
    const sealed = vault.seal(plain)
    expect(vault.open(sealed)).toBe(plain)
    expect(isSealed(sealed)).toBe(true)
  })

  test('the same text never seals to the same record, and nothing of it shows', () => {
    const records = Array.from({ length: 50 }, () => vault.seal('hunter2'))
    expect(new Set(records).size).toBe(50)
    for (const record of records) {
      expect(record).not.toContain('hunter2')
      expect(Buffer.from(record.split(':')[3] ?? '', 'base64url').toString('latin1')).not.toContain('hunter2')
    }
  })

  test('what was sealed for one place does not open at another', () => {
    const sealed = vault.seal('hunter2', 'connectors.headers')
    expect(vault.open(sealed, 'connectors.headers')).toBe('hunter2')
    expect(refusal(() => vault.open(sealed, 'phone_numbers.server')).message).toContain('belongs to another place')
    expect(refusal(() => vault.open(sealed)).message).toContain('belongs to another place')
  })
})

describe('tampering', () => {
  const sealed = vault.seal('hunter2')
  const [head, version, keyId, body = ''] = sealed.split(':')
  const record = (changed: string, id = keyId) => [head, version, id, changed].join(':')
  const flipped = (at: number) => {
    const bytes = Buffer.from(body, 'base64url')
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return record(bytes.toString('base64url'))
  }
  const length = Buffer.from(body, 'base64url').length

  test.each(Array.from({ length }, (_, at) => at))('a changed byte %i is refused', (at) => {
    expect(refusal(() => vault.open(flipped(at))).message).toBe(
      'A stored secret was changed, or belongs to another place',
    )
  })

  test.each([
    ['plain text', 'hunter2'],
    ['nothing', ''],
    ['a short record', record('AAAA')],
    ['another version', sealed.replace('v1', 'v2')],
    ['other letters', record(`${body}==`)],
  ])('%s is not in the sealed form', (_what, stored) => {
    const { message } = refusal(() => vault.open(stored))
    expect(message).toBe('A stored secret is not in the sealed form')
    expect(isSealed(stored)).toBe(false)
  })

  test('a truncated record is refused', () => {
    const cut = Buffer.from(body, 'base64url').subarray(0, -1).toString('base64url')
    expect(refusal(() => vault.open(record(cut))).message).toContain('was changed')
  })

  test("another key's id does not help a record", () => {
    const both = createVault({ current: newer, previous: [key] })
    const otherId = both.seal('x').split(':')[2]
    expect(refusal(() => both.open(record(body, otherId))).message).toContain('was changed')
  })
})

describe('keys', () => {
  test('a wrong key says which one is missing and nothing of the content', () => {
    const { message } = refusal(() => createVault({ current: foreign }).open(vault.seal('hunter2')))
    expect(message).toMatch(/^A stored secret was sealed with key [0-9a-f]{8}, which SECRETS_KEY does not hold$/)
    expect(message).not.toContain(key.toString('hex').slice(0, 8))
  })

  test('after a change of keys the old ones still open, and the new one seals', () => {
    const old = vault.seal('hunter2', 'place')
    const rotated = createVault({ current: newer, previous: [foreign, key] })
    expect(rotated.open(old, 'place')).toBe('hunter2')
    expect([rotated.isCurrent(old), vault.isCurrent(old)]).toEqual([false, true])
    const again = rotated.seal(rotated.open(old, 'place'), 'place')
    expect(rotated.isCurrent(again)).toBe(true)
    expect(createVault({ current: newer }).open(again, 'place')).toBe('hunter2')
    expect(refusal(() => vault.open(again, 'place')).message).toContain('which SECRETS_KEY does not hold')
  })

  test('a key of another length is refused at once', () => {
    expect(() => createVault({ current: new Uint8Array(16) }).seal('x')).toThrow()
  })
})
