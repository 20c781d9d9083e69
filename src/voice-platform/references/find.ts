import names from './names.json' with { type: 'json' }

/** What kind of object an id names; `other` is one that no account has here. */
export type ReferenceKind = 'assistant' | 'squad' | 'tool' | 'workflow' | 'credential' | 'other'

/** An id of an object on the platform, and where in a body it stands. */
export interface Reference {
  kind: ReferenceKind
  /** Trimmed and in lower case, as ids are compared. */
  id: string
  /** Dotted. */
  path: string
  /** Puts another id in its place. */
  replace(id: string): void
}

/** What callers name freely, below which nothing is the platform's. */
export const free: ReadonlySet<string> = new Set(['metadata', 'variableValues', 'headers', 'sipHeaders'])

const kinds = new Map(Object.entries(names)) as Map<string, ReferenceKind>

/** The properties whose values are ids of this kind. */
export const namesOfKind = (kind: ReferenceKind): string[] =>
  [...kinds].flatMap(([name, named]) => (named === kind ? [name] : []))

/** The form in which ids are compared. */
export const canonicalId = (id: string): string => id.trim().toLowerCase()

/** An object or list within a body, and where it stands: paths are written only for what is found. */
interface Place {
  value: object
  key: string
  holder: Place | undefined
  kind: ReferenceKind | undefined
}

function pathOf(place: Place, key: string): string {
  const keys = [key]
  for (let at = place; at.holder; at = at.holder) keys.push(at.key)
  return keys.reverse().join('.')
}

/**
 * Every id in a body that names an object on the platform, wherever it stands. Which properties do so is taken from the
 * types of the platform's client (`bun run references`).
 */
export function referencesIn(body: unknown): Reference[] {
  const found: Reference[] = []
  const waiting: Place[] = []
  if (typeof body === 'object' && body !== null) {
    waiting.push({ value: body, key: '', holder: undefined, kind: undefined })
  }
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { value, kind } = place
    const holder = value as Record<string, unknown>
    for (const key of Object.keys(holder)) {
      const item = holder[key]
      // The items of a list are what the property that holds it says.
      const named = Array.isArray(value) ? kind : kinds.get(key)
      if (named && typeof item === 'string') {
        const replace = (id: string) => {
          holder[key] = id
        }
        found.push({ kind: named, id: canonicalId(item), path: pathOf(place, key), replace })
      } else if (typeof item === 'object' && item !== null && !free.has(key)) {
        waiting.push({ value: item, key, holder: place, kind: Array.isArray(item) ? named : undefined })
      }
    }
  }
  return found
}

/** Puts the id that `idOf` gives, if any, in the place of each in a body. Returns whether there was one. */
export function renameIn(body: unknown, idOf: (reference: Reference) => string | undefined): boolean {
  const renamed = referencesIn(body).flatMap((reference) => {
    const id = idOf(reference)
    return id === undefined ? [] : { reference, id }
  })
  for (const { reference, id } of renamed) reference.replace(id)
  return renamed.length > 0
}
