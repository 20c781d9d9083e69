import { checkAgainst, SchemaMismatchError } from './json-schema.ts'

/** The form that a response must have. */
export type ResponseFormat =
  | { type: 'json_object' }
  | { type: 'json_schema'; name: string; schema: Record<string, unknown> }

const fence = '```'

/** JSON as models write it, without the fence that many put around it. */
function unfenced(text: string): string {
  const trimmed = text.trim()
  const isFenced = trimmed.length >= 2 * fence.length && trimmed.startsWith(fence) && trimmed.endsWith(fence)
  if (!isFenced) return trimmed
  const inside = trimmed.slice(fence.length, -fence.length)
  return (inside.startsWith('json') ? inside.slice('json'.length) : inside).trim()
}

/** The response as JSON of a format, or what is wrong with it. */
export function formatted(format: ResponseFormat, text: string): { text: string } | { wrong: string } {
  const json = unfenced(text)
  try {
    const value: unknown = JSON.parse(json)
    const schema = format.type === 'json_schema' ? format.schema : { type: 'object' }
    checkAgainst(schema, value)
    return { text: json }
  } catch (error) {
    return { wrong: error instanceof SchemaMismatchError ? error.message : 'It is not JSON.' }
  }
}

/** What a model is told about the form of its response. */
export const formatInstructions = (format: ResponseFormat): string =>
  format.type === 'json_object'
    ? 'Respond with one JSON object and nothing else.'
    : `Respond with JSON of this schema and nothing else:\n${JSON.stringify(format.schema)}`

/** What a model is told about a response of another form. */
export const repairRequest = (wrong: string): string =>
  `Your response does not have the form that was asked for: ${wrong} Respond again, with the JSON and nothing else.`
