import type { StoredMetadata } from '../schema.ts'

const placeholder = /\{\{\s*([\w.-]+)\s*\}\}/g

/** The names of the placeholders in a text. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(placeholder)].map(([, key]) => key).filter((key) => key !== undefined)

const isText = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/**
 * Replaces `{{name}}` from variable values first, then metadata, then `assistant_name`; what has no value stays as it
 * is (contract: assistants 33).
 */
export function renderer(name: string, metadata: StoredMetadata): (text: string) => string {
  const { variable_values: variables = {}, ...rest } = metadata
  const sources: Record<string, unknown>[] = [variables, rest, { assistant_name: name }]
  return (text) =>
    text.replace(placeholder, (whole, key: string) => {
      const found = sources.map((source) => (Object.hasOwn(source, key) ? source[key] : undefined)).find(isText)
      return found === undefined ? whole : String(found)
    })
}
