import { validationError } from '../../../api/errors/api-error.ts'
import type { StoredMetadata } from '../schema.ts'

const placeholder = /\{\{\s*([\w.-]+)\s*\}\}/g

/** The names of the placeholders in a text. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(placeholder)].map(([, key]) => key).filter((key) => key !== undefined)

const isText = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Renders texts of one field, which together may have so many characters. Throws 422 on the field. */
export type Renderer = (field: string, max: number) => (text: string) => string

/**
 * Replaces `{{name}}` from variable values first, then metadata, then `assistant_name`; what has no value stays as it
 * is (contract: assistants 33). The length is counted while it grows, so that no long text comes to be.
 */
export function renderer(name: string, metadata: StoredMetadata): Renderer {
  const { variable_values: variables = {}, ...rest } = metadata
  const sources: Record<string, unknown>[] = [variables, rest, { assistant_name: name }]
  return (field, max) => {
    let length = 0
    const count = (more: number) => {
      length += more
      if (length <= max) return
      const text = `The ${field} field must have at most ${max} characters once its placeholders are replaced.`
      throw validationError({ [field]: [text] })
    }
    return (text) => {
      count(text.length)
      return text.replace(placeholder, (whole, key: string) => {
        const found = sources.map((source) => (Object.hasOwn(source, key) ? source[key] : undefined)).find(isText)
        if (found === undefined) return whole
        const value = String(found)
        count(value.length - whole.length)
        return value
      })
    }
  }
}
