import type { PassageText } from './passage.ts'
import { headingSeparator } from './passage.ts'
import { fitting, maxTokens, packed, tokensIn } from './size.ts'

const deepest = 64

const isGroup = (value: unknown): value is object => typeof value === 'object' && value !== null
const isPlain = (value: unknown) => !isGroup(value)

/** A path of names is a heading, not a text: a longer one would stand beside every value below it. */
const maxPathLength = 200

const cutPath = (path: string) => (path.length > maxPathLength ? `${path.slice(0, maxPathLength - 1)}…` : path)

/** A value as names and values, such as `name: Hose; size.length: 20; tags: red, long`. */
function* described(value: unknown, path = '', depth = 0): Generator<string> {
  if (isPlain(value)) {
    const text = value === null ? '' : String(value).trim()
    if (text !== '') yield path === '' ? text : `${path}: ${text}`
    return
  }
  if (!isGroup(value) || depth >= deepest) return
  if (Array.isArray(value) && value.every(isPlain)) {
    yield* described(value.map(String).join(', '), path, depth + 1)
    return
  }
  for (const [name, item] of Object.entries(value)) {
    const below = Array.isArray(value) ? path : path === '' ? name : `${path}.${name}`
    yield* described(item, cutPath(below), depth + 1)
  }
}

/** No text of `maxTokens` is longer. */
const maxWholeLength = 4_000

/** A value in one text, or undefined where it is too long for a passage: it is read no further than that shows. */
function wholeText(value: unknown): string | undefined {
  const parts: string[] = []
  let length = 0
  for (const part of described(value)) {
    parts.push(part)
    length += part.length + 2
    if (length > maxWholeLength) return undefined
  }
  const text = parts.join('; ')
  return tokensIn(text) <= maxTokens ? text : undefined
}

const ended = (part: string) => `${part}; `

const joined = (heading: string | null, name: string) =>
  cutPath(heading === null ? name : heading + headingSeparator + name)

/** Whole items where they fit; what is larger by its own items, named by the path to them. */
function itemPassages(value: unknown, heading: string | null, depth: number): PassageText[] {
  const holdsGroups = isGroup(value) && Object.values(value).some(isGroup)
  const isList = Array.isArray(value) && holdsGroups
  const whole = isList ? undefined : wholeText(value)
  if (whole !== undefined || !holdsGroups || (!isList && depth >= deepest)) {
    const pieces = whole === undefined ? packed([...described(value)].map(ended), maxTokens) : [whole]
    return pieces.flatMap((piece) => fitting(piece)).map((piece) => ({ heading, text: piece }))
  }
  if (!isGroup(value)) return []
  if (Array.isArray(value)) return value.flatMap((item) => itemPassages(item, heading, depth + 1))
  const plain = Object.fromEntries(Object.entries(value).filter(([, item]) => isPlain(item)))
  const groups = Object.entries(value).filter(([, item]) => isGroup(item))
  const own = Object.keys(plain).length > 0 ? itemPassages(plain, heading, depth + 1) : []
  return [...own, ...groups.flatMap(([name, item]) => itemPassages(item, joined(heading, name), depth + 1))]
}

/** A number as the text says it: as a value it would lose digits, and the 0 of a price. */
const asWritten = (_name: string, value: unknown, context?: { source?: string }) =>
  typeof value === 'number' ? (context?.source ?? value) : value

const parsed = (text: string): unknown => JSON.parse(text, asWritten)

/** The items of a JSON document, or undefined when it is none. Lines with a document each count as a list. */
export function jsonPassages(text: string): PassageText[] | undefined {
  try {
    return itemPassages(parsed(text), null, 0)
  } catch {
    try {
      const lines = text.split('\n').filter((line) => line.trim() !== '')
      return lines.length > 1 ? itemPassages(lines.map(parsed), null, 0) : undefined
    } catch {
      return undefined
    }
  }
}
