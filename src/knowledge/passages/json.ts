import type { PassageText } from './passage.ts'
import { headingSeparator } from './passage.ts'
import { fitting, maxTokens, packed, tokensIn } from './size.ts'

const deepest = 64

const isGroup = (value: unknown): value is object => typeof value === 'object' && value !== null
const isPlain = (value: unknown) => !isGroup(value)

/** A value as names and values, such as `name: Hose; size.length: 20; tags: red, long`. */
function described(value: unknown, path: string, depth = 0): string[] {
  if (isPlain(value)) {
    const text = value === null ? '' : String(value).trim()
    return text === '' ? [] : [path === '' ? text : `${path}: ${text}`]
  }
  if (!isGroup(value) || depth >= deepest) return []
  if (Array.isArray(value)) {
    if (value.every(isPlain)) return described(value.map(String).join(', '), path, depth + 1)
    return value.flatMap((item) => described(item, path, depth + 1))
  }
  return Object.entries(value).flatMap(([name, item]) =>
    described(item, path === '' ? name : `${path}.${name}`, depth + 1),
  )
}

const joined = (heading: string | null, name: string) => (heading === null ? name : heading + headingSeparator + name)

/** Whole items where they fit; what is larger by its own items, named by the path to them. */
function itemPassages(value: unknown, heading: string | null, depth: number): PassageText[] {
  const parts = described(value, '')
  const text = parts.join('; ')
  const holdsGroups = isGroup(value) && Object.values(value).some(isGroup)
  const isList = Array.isArray(value) && holdsGroups
  if (!isList && (tokensIn(text) <= maxTokens || !holdsGroups || depth >= deepest)) {
    const pieces =
      tokensIn(text) <= maxTokens
        ? [text]
        : packed(
            parts.map((part) => `${part}; `),
            maxTokens,
          )
    return pieces.flatMap((piece) => fitting(piece)).map((piece) => ({ heading, text: piece }))
  }
  if (!isGroup(value)) return []
  if (Array.isArray(value)) return value.flatMap((item) => itemPassages(item, heading, depth + 1))
  const plain = Object.fromEntries(Object.entries(value).filter(([, item]) => isPlain(item)))
  const groups = Object.entries(value).filter(([, item]) => isGroup(item))
  const own = Object.keys(plain).length > 0 ? itemPassages(plain, heading, depth + 1) : []
  return [...own, ...groups.flatMap(([name, item]) => itemPassages(item, joined(heading, name), depth + 1))]
}

/** The items of a JSON document, or undefined when it is none. Lines with a document each count as a list. */
export function jsonPassages(text: string): PassageText[] | undefined {
  try {
    return itemPassages(JSON.parse(text), null, 0)
  } catch {
    try {
      const lines = text.split('\n').filter((line) => line.trim() !== '')
      return lines.length > 1
        ? itemPassages(
            lines.map((line) => JSON.parse(line)),
            null,
            0,
          )
        : undefined
    } catch {
      return undefined
    }
  }
}
