import { describe, expect, test } from 'vitest'
import { chunksOf } from '../../src/knowledge/chunk.ts'
import { capped, decodeText } from '../../src/knowledge/decode.ts'

const utf16 = (text: string, bigEndian = false) => {
  const bytes = Buffer.from(text, 'utf16le')
  return new Uint8Array(bigEndian ? bytes.swap16() : bytes)
}

describe('decoding', () => {
  test.each([
    ['UTF-8', new TextEncoder().encode('Grüße 😀'), 'Grüße 😀'],
    ['a UTF-8 mark', new Uint8Array([0xef, 0xbb, 0xbf, 65]), 'A'],
    ['UTF-16 with a mark', new Uint8Array([0xff, 0xfe, ...utf16('Grüße')]), 'Grüße'],
    ['UTF-16 BE with a mark', new Uint8Array([0xfe, 0xff, ...utf16('Grüße', true)]), 'Grüße'],
    ['UTF-16 without a mark', utf16('Plain text of some length'), 'Plain text of some length'],
    ['UTF-16 BE without a mark', utf16('Plain text of some length', true), 'Plain text of some length'],
    [
      'Latin letters of one byte',
      new Uint8Array(Buffer.from('Der Käse ist schön, die Straße groß. Für Müller.', 'latin1')),
      'Der Käse ist schön, die Straße groß. Für Müller.',
    ],
  ])('%s', (_what, bytes, text) => {
    expect(decodeText(bytes)).toBe(text)
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['NULs', new Uint8Array([65, 0, 66, 67, 0, 0, 0, 68])],
    ['control characters', new Uint8Array(Array.from({ length: 100 }, (_, index) => (index % 10 === 0 ? 1 : 65)))],
  ])('%s is no text', (_what, bytes) => {
    expect(decodeText(bytes)).toBeUndefined()
  })

  test('the cap counts code points', () => {
    expect(capped('😀'.repeat(5), 3)).toBe('😀😀😀')
    expect(capped('abc', 3)).toBe('abc')
  })
})

describe('chunking', () => {
  test('paragraphs stay whole where they fit, and overlap', () => {
    const paragraph = (name: string) => `${name} ${'word '.repeat(100).trim()}`
    const chunks = chunksOf([paragraph('One'), paragraph('Two'), paragraph('Three')].join('\n\n'))
    expect(chunks).toHaveLength(3)
    expect(chunks[1]).toContain('Two word')
    expect(chunks.every((chunk) => chunk.length <= 900)).toBe(true)
  })

  test('a text without any break is cut', () => {
    const chunks = chunksOf('x'.repeat(5000))
    expect(chunks.length).toBeGreaterThanOrEqual(6)
    expect(chunks.every((chunk) => chunk.length <= 900)).toBe(true)
  })

  test('nothing is lost', () => {
    const words = Array.from({ length: 3000 }, (_, index) => `w${index}`)
    const all = chunksOf(words.join(' ')).join(' ')
    for (const word of words) expect(all.includes(word)).toBe(true)
  })
})
