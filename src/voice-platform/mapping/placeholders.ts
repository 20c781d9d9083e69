/** What stands between the braces of a placeholder, of which `nameIn` is the name. */
export const placeholder = /\{\{([^{}]{1,600})\}\}/g

/** The name in a placeholder, which may have spaces around it. */
export const nameIn = (inside: string): string => inside.trim()

/** Whether a placeholder has a name, in letters of any script, and not an expression of the platform's own. */
export const isPlainName = (name: string): boolean => /^[\p{L}\p{N}\p{M}_. -]+$/u.test(name)

/** Whether a value replaces a placeholder: lists and objects say nothing in a text. */
export const isFilling = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
