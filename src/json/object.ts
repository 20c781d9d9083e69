/** An object of JSON, by its keys. */
export type Json = Record<string, unknown>

/** Whether a value is an object with keys: neither null nor an array. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What an object has under a key itself: not what every object has, such as `constructor`. */
export const ownValue = <T>(object: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined
