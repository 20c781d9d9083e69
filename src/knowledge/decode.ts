import { detect } from 'chardet'
import { storableText } from '../runtime/storable-text.ts'

/** More control characters than this share mean that a file is no text, whatever its name says. */
const maxControls = 0.05
const sampleLength = 64 * 1024
/** What an encoding is guessed by: each of some thirty is tried on it, which takes a fifth of a second on more. */
const guessLength = 8 * 1024

const boms: [bytes: number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

const isControl = (code: number) =>
  (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13) || code === 127

function looksBinary(text: string): boolean {
  const sample = text.slice(0, sampleLength)
  let controls = 0
  for (let index = 0; index < sample.length; index++) if (isControl(sample.charCodeAt(index))) controls++
  return text.includes('\0') || controls > sample.length * maxControls
}

/** NUL bytes that stand at every other place are UTF-16 without a byte order mark. */
function utf16ByParity(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, sampleLength)
  const nuls: [number, number] = [0, 0]
  sample.forEach((byte, index) => {
    if (byte === 0) nuls[index % 2 === 0 ? 0 : 1]++
  })
  const [even, odd] = nuls
  const half = sample.length / 2
  if (odd > half * 0.3 && even < half * 0.05) return 'utf-16le'
  if (even > half * 0.3 && odd < half * 0.05) return 'utf-16be'
  return undefined
}

function tryDecode(bytes: Uint8Array, encoding: string, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(encoding as ConstructorParameters<typeof TextDecoder>[0], { fatal }).decode(bytes)
  } catch {
    return undefined
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  const bom = boms.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (bom) return tryDecode(bytes, bom[1], false)
  const parity = utf16ByParity(bytes)
  if (parity) return tryDecode(bytes, parity, false)
  const utf8 = tryDecode(bytes, 'utf-8', true)
  if (utf8 !== undefined) return utf8
  const guess = detect(bytes.subarray(0, guessLength))
  return (guess && tryDecode(bytes, guess, false)) ?? tryDecode(bytes, 'windows-1252', false)
}

/**
 * The text of a file, or undefined when it is none: byte order mark, strict UTF-8, UTF-16, what the bytes look like,
 * then windows-1252. What a database cannot keep is left out.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const text = decoded(bytes)
  if (text === undefined || text.trim() === '' || looksBinary(text)) return undefined
  return storableText(text)
}

/** The first `max` characters (code points) of a text. */
export function capped(text: string, max: number): string {
  if (text.length <= max) return text
  let units = 0
  for (let count = 0; count < max && units < text.length; count++)
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, units)
}
