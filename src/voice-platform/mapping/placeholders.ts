/** What stands between the braces of a placeholder, of which `nameIn` is the name. */
export const placeholder = /\{\{([^{}]{1,600})\}\}/g

/** The name in a placeholder, which may have spaces around it. */
export const nameIn = (inside: string): string => inside.trim()

/** Whether a placeholder has a name, in letters of any script, and not an expression of the platform's own. */
export const isPlainName = (name: string): boolean => /^[\p{L}\p{N}\p{M}_. -]+$/u.test(name)

/** Whether a value replaces a placeholder: lists and objects say nothing in a text. */
export const isFilling = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** What placeholders are replaced from: variable values first, then the other fields. */
export interface Fillings {
  readonly [name: string]: unknown
  readonly variable_values?: Record<string, unknown>
}

/** What of an assistant fills placeholders, beside its name. */
interface Filled {
  metadata: object
  type: string
  webhookUrl: string | null
  personalityId: number | null
}

/**
 * What placeholders are replaced from: the metadata that a record shows, but for what is no configuration, such as
 * whose the assistant is and when it was saved (contract: assistants 33).
 */
export const fillingsOf = (
  { metadata, type, webhookUrl, personalityId }: Filled,
  personality: { name: string } | undefined,
): Fillings => ({
  ...metadata,
  webhook_url: webhookUrl,
  type,
  personality: personality?.name,
  personality_id: personalityId,
})

/** How many characters there may still be. */
export interface Room {
  left: number
}

/**
 * Replaces `{{name}}` from variable values first, then metadata, then `assistant_name`; what has no value stays as it
 * is (contract: assistants 33). Undefined where there is no room, which is counted while a text grows, so that no long
 * text comes to be.
 */
export function filler(name: string, metadata: Fillings): (text: string, room: Room) => string | undefined {
  const { variable_values: variables = {}, ...rest } = metadata
  const sources: Record<string, unknown>[] = [variables, rest, { assistant_name: name }]
  return (text, room) => {
    room.left -= text.length
    if (room.left < 0) return undefined
    const filled = text.replace(placeholder, (whole, inside: string) => {
      if (room.left < 0) return ''
      const key = nameIn(inside)
      const found = sources.map((source) => (Object.hasOwn(source, key) ? source[key] : undefined)).find(isFilling)
      if (found === undefined) return whole
      const value = String(found)
      room.left -= value.length - whole.length
      return value
    })
    return room.left < 0 ? undefined : filled
  }
}
