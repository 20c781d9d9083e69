/** A tool as its server describes it, within our bounds. */
export interface McpTool {
  name: string
  description: string
  inputSchema: { type: 'object'; [keyword: string]: unknown }
}

/** Tools of one server. */
export const maxTools = 100
const maxNameLength = 255
const maxDescriptionLength = 1_000
/** Of a schema: its length as JSON, its values, and how deep they lie in each other. */
const largestSchema = 20_000
const maxValues = 1_000
const deepest = 20

const control = /\p{Cc}/u

/** A text of at most `max` characters. */
export const boundedText = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text

/** Counts no further than the bounds. */
function isSmall(schema: unknown): boolean {
  let values = 0
  const waiting: [value: unknown, depth: number][] = [[schema, 0]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, depth] = next
    if (++values > maxValues || depth > deepest) return false
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    if (values + waiting.length + inner.length > maxValues) return false
    for (const item of inner) waiting.push([item, depth + 1])
  }
  return JSON.stringify(schema).length <= largestSchema
}

/**
 * A tool of a server's list: texts are cut, and a schema that is too large to be judged, or none, takes any object. Its
 * output schema is left out, as nobody here checks outputs. Undefined when it has no name, or one that cannot stand in
 * a path.
 */
export function boundedTool(tool: unknown): McpTool | undefined {
  if (typeof tool !== 'object' || tool === null || !('name' in tool) || typeof tool.name !== 'string') return undefined
  const name = boundedText(tool.name, maxNameLength)
  if (control.test(name) || !name.isWellFormed()) return undefined
  const description = 'description' in tool && typeof tool.description === 'string' ? tool.description : ''
  const schema = 'inputSchema' in tool ? tool.inputSchema : undefined
  const fits = typeof schema === 'object' && schema !== null && !Array.isArray(schema) && isSmall(schema)
  return {
    name,
    description: boundedText(description.replaceAll('\0', '').toWellFormed(), maxDescriptionLength),
    inputSchema: { ...(fits && schema), type: 'object' },
  }
}
