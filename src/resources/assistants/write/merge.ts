import { isObject, type Json } from '../../../json/object.ts'

/** An object without its null entries. */
const withoutNulls = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null))

/** A JSON schema, in which null may be a value. */
const schemaKey = 'schema'

/** What an object that replaces another says: no null keys, and null where it has no others. */
function replacing(value: Json): Json | null {
  const left = Object.entries(saidOf(value)).filter(([, item]) => item !== null)
  return left.length > 0 || isEmpty(value) ? Object.fromEntries(left) : null
}

/**
 * A sent value in which what replaces stored objects, rather than merging with them, is without its null keys. Those of
 * the value itself stay: they remove what is stored under them.
 */
export function saidOf<T>(value: T): T {
  if (!isObject(value)) return value
  const said = Object.entries(value).map(([key, item]) => [
    key,
    isObject(item) && key !== schemaKey ? replacing(item) : item,
  ])
  return Object.fromEntries(said)
}

const isEmpty = (value: Json) => Object.keys(value).length === 0

/**
 * Puts sent fields onto stored ones (contract: assistants 27): what was not sent stays, `null` clears, objects merge
 * key by key with `null` removing a key, arrays and everything else replace. Nulls alone make no object of what is not
 * there.
 */
export function mergeFields<T extends object>(stored: T, sent: Json): T {
  const merged: Json = Object.fromEntries(Object.entries(stored))
  for (const [key, value] of Object.entries(sent)) {
    if (value === undefined) continue
    if (value === null) {
      delete merged[key]
    } else if (isObject(value)) {
      const before = merged[key]
      const left = withoutNulls(isObject(before) ? { ...before, ...value } : value)
      if (before != null || isEmpty(value) || !isEmpty(left)) merged[key] = left
    } else {
      merged[key] = value
    }
  }
  return merged as T
}
