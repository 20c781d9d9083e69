/**
 * JSON text that goes out as it stands, for what `JSON.stringify` cannot write: `1e999`, `__proto__`, a lone surrogate.
 */
export class Verbatim {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An object of JSON. */
export interface JsonObject {
  [key: string]: unknown
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Verbatim)

/** A value as JSON text; keys in `twice` are written a second time in their object, with another value. */
export function jsonText(value: unknown, twice: ReadonlyMap<string, unknown> = new Map()): string {
  if (value instanceof Verbatim) return value.text
  if (Array.isArray(value)) return `[${value.map((item) => jsonText(item)).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const members = [...Object.entries(value), ...twice].filter(([, member]) => member !== undefined)
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`).join(',')}}`
}

/** The same value, all of its own. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)]))
}
