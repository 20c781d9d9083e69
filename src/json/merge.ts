import { isObject, type Json, ownValue } from './object.ts'

/** Objects merge key by key, everything else is replaced. */
export function mergeObjects(base: Json, over: unknown): Json {
  if (!isObject(over)) return base
  const merged = Object.entries(over).map(([key, value]) => {
    const stored = ownValue(base, key)
    return [key, isObject(stored) && isObject(value) ? mergeObjects(stored, value) : value] as const
  })
  return { ...base, ...Object.fromEntries(merged) }
}
