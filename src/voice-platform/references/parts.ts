import { isObject } from '../../json/object.ts'
import names from './parts.json' with { type: 'json' }

/** Headers of a tool itself are apart from all others: they alone may be a schema of what a model fills in. */
type PartKind = 'server' | 'tool' | 'headers' | 'toolHeaders'

/** A part of a body that has rules of its own, wherever it stands. */
interface Part {
  kind: PartKind
  /** Dotted. */
  path: string
  value: unknown
}

const kinds = new Map(Object.entries(names)) as Map<string, PartKind | 'free'>

const kindOf = (key: string, holder: PartKind | undefined) => {
  const named = kinds.get(key)
  return named === 'headers' && holder === 'tool' ? 'toolHeaders' : named
}

/**
 * Every server, tool and map of headers in a body, at whatever depth. Which properties hold them, and below which all
 * is named freely, is taken from the types of the platform's client (`bun run references`).
 */
export function partsIn(body: unknown): Part[] {
  const found: Part[] = []
  const waiting: { value: unknown; path: string; kind: PartKind | undefined }[] = [
    { value: body, path: '', kind: undefined },
  ]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path, kind } = next
    const at = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`)
    // The items of a list are what the property that holds it says.
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) waiting.push({ value: item, path: at(index), kind })
      continue
    }
    // A text among tools is the id of one.
    const isPart = kind !== undefined && value != null && !(kind === 'tool' && typeof value === 'string')
    if (isPart) found.push({ kind, path, value })
    if (!isObject(value) || kind === 'headers' || kind === 'toolHeaders') continue
    for (const key of Object.keys(value)) {
      const named = kindOf(key, kind)
      if (named !== 'free') waiting.push({ value: value[key], path: at(key), kind: named })
    }
  }
  return found
}
