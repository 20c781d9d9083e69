import { isObject, ownValue } from '../../json/object.ts'

/** Absent, null and empty are the same to the platform. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.values(value).every(isNothing)
}

function differences(expected: unknown, live: unknown, path: string): string[] {
  if (isObject(expected) && isObject(live)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(live)])
    return [...keys].flatMap((key) => differences(ownValue(expected, key), ownValue(live, key), `${path}.${key}`))
  }
  if (isNothing(expected) && isNothing(live)) return []
  if (Array.isArray(expected) && Array.isArray(live) && expected.length === live.length) {
    return expected.flatMap((item, index) => differences(item, live[index], `${path}.${index}`))
  }
  return Object.is(expected, live) ? [] : [path]
}

/**
 * The dotted paths at which a live object is not what a total body says; empty when both sides agree. Only the body's
 * own fields count, so the platform's ids and times do not; within a field an additional key counts, as a PATCH
 * replaces it whole.
 */
export function liveDiffers(expected: object, live: object): string[] {
  const actual = new Map(Object.entries(live))
  return Object.entries(expected).flatMap(([field, value]) => differences(value, actual.get(field), field))
}
