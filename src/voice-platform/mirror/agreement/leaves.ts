import { isObject, type Json, ownValue } from '../../../json/object.ts'

/** One place at which two bodies differ: the way to it, and what each has there; undefined for nothing. */
export interface Leaf {
  path: readonly string[]
  from: unknown
  to: unknown
}

/** Lists whose order means nothing, by the last key of their path. */
const sets: ReadonlySet<string> = new Set([
  'clientMessages',
  'serverMessages',
  'toolIds',
  'credentialIds',
  'endCallPhrases',
  'outcomeIds',
  'structuredOutputIds',
  'scorecardIds',
  'recordingChannels',
])

/** Our own mark on an object: no content of it. */
const markKey = 'external_ref'
const isMark = (path: readonly string[]) => path.at(-1) === markKey && path.at(-2) === 'metadata'

/** Whether a value says nothing: absent, null or empty. As drift these are the same; as what we send they are not. */
export function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.entries(value).every(([key, item]) => key === markKey || isNothing(item))
}

/** A number that came as text is the same number. */
function sameScalar(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  const [number, text] = typeof one === 'number' ? [one, other] : [other, one]
  return typeof number === 'number' && typeof text === 'string' && text.trim() !== '' && Number(text) === number
}

const inOrder = (list: readonly unknown[]): string[] => list.map((item) => JSON.stringify(item)).sort()

/** A field that is null is one that the platform does not have. */
const isCleared = (value: unknown, path: readonly string[]) =>
  value === undefined || (value === null && path.length === 1)

function compare(from: unknown, to: unknown, path: readonly string[], into: Leaf[], isExact: boolean): void {
  if (isMark(path)) return
  if (isObject(from) && isObject(to)) {
    for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
      compare(ownValue(from, key), ownValue(to, key), [...path, key], into, isExact)
    }
    return
  }
  if (isExact ? isCleared(from, path) && isCleared(to, path) : isNothing(from) && isNothing(to)) return
  if (Array.isArray(from) && Array.isArray(to)) {
    const isSet = sets.has(path.at(-1) ?? '')
    if (isSet && Bun.deepEquals(inOrder(from), inOrder(to))) return
    if (!isSet && from.length === to.length) {
      for (const [index, item] of from.entries()) compare(item, to[index], [...path, String(index)], into, isExact)
      return
    }
  } else if (isExact ? Object.is(from, to) : sameScalar(from, to)) return
  into.push({ path, from, to })
}

/**
 * The leaves at which two bodies differ, from the first to the second, in canonical form: the order of sets, numbers as
 * text, our own mark, and nothing in its several forms are no difference. Items of a list are compared by their place;
 * lists of different lengths differ as a whole.
 */
export function leavesBetween(from: object, to: object): Leaf[] {
  const leaves: Leaf[] = []
  if (!Bun.deepEquals(from, to)) compare(from, to, [], leaves, false)
  return leaves
}

/**
 * The leaves at which two bodies differ, also in form alone: an empty value is not an absent one, and a number is not
 * its text. The order of sets and our own mark are no difference here either, nor is a field that is null or left out.
 */
export function exactLeavesBetween(from: object, to: object): Leaf[] {
  const leaves: Leaf[] = []
  if (!Bun.deepEquals(from, to, true)) compare(from, to, [], leaves, true)
  return leaves
}

/** Whether two values are the same in canonical form. */
export const same = (one: unknown, other: unknown): boolean =>
  leavesBetween({ value: one }, { value: other }).length === 0

/** The value at a path, or undefined. */
export function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)]
    else if (isObject(value)) value = ownValue(value, key)
    else return undefined
  }
  return value
}

/** Puts leaves into bodies, each object and list on the way to one being copied once, for all leaves in it. */
function putter() {
  const copies = new Set<unknown>()
  const copyOf = <Holder extends object>(holder: unknown, copy: () => Holder): Holder => {
    const made = copies.has(holder) ? (holder as Holder) : copy()
    copies.add(made)
    return made
  }
  return function put(holder: unknown, path: readonly string[], value: unknown, depth = 0): unknown {
    if (depth === path.length) return value
    const key = path[depth] ?? ''
    if (Array.isArray(holder)) {
      const items = copyOf<unknown[]>(holder, () => [...holder])
      items[Number(key)] = put(items[Number(key)], path, value, depth + 1)
      return items
    }
    const fields = copyOf<Json>(holder, () => (isObject(holder) ? { ...holder } : {}))
    const next = put(ownValue(fields, key), path, value, depth + 1)
    if (next === undefined) delete fields[key]
    else fields[key] = next
    return fields
  }
}

/** A body with the second sides of some leaves put into it; the body itself stays as it is. */
export function withLeaves<Body extends object>(body: Body, leaves: readonly Pick<Leaf, 'path' | 'to'>[]): Body {
  const put = putter()
  const own = (value: unknown) => (typeof value === 'object' ? structuredClone(value) : value)
  return leaves.reduce<unknown>((made, { path, to }) => put(made, path, own(to)), body) as Body
}
