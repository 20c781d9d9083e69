import { isObject, type Json } from '../../../json/object.ts'

/** An object without its null entries. */
const withoutNulls = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null))

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
