import { isObject } from '../../json/object.ts'

const named = (key: string) =>
  key
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase()

/** More of a result than this is read to nobody. */
const maxValues = 50
const maxDepth = 4

/** The values of a result, each with its name. */
function* valuesOf(value: unknown, name = '', depth = 0): Generator<string> {
  if (value === null || value === undefined || depth > maxDepth) return
  if (Array.isArray(value)) {
    for (const item of value) yield* valuesOf(item, name, depth + 1)
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) yield* valuesOf(item, named(key), depth + 1)
  } else yield name === '' ? String(value) : `${name}: ${String(value)}`
}

/**
 * A tool's result as it can be said: of JSON its values with their names, a sentence for each, and nothing of JSON that
 * breaks off.
 */
export function spokenResult(text: string): string {
  if (!/^\s*[[{"]/.test(text)) return text
  try {
    return valuesOf(JSON.parse(text)).take(maxValues).toArray().join('. ')
  } catch {
    return /^\s*"/.test(text) ? text : ''
  }
}
