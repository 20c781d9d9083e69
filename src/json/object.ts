/** An object of JSON, by its keys. */
export type Json = Record<string, unknown>

/** Whether a value is an object with keys: neither null nor an array. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
