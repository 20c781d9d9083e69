import { isObject, ownValue } from '../json/object.ts'
import { storableText } from '../runtime/storable-text.ts'

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
const maxSchemaValues = 1_000
const maxSchemaDepth = 20

/** What cannot stand in a path: nothing, what a path is shortened by, and signs that nobody sees. */
const unnamable = /^\.{0,2}$|\p{Cc}/u

/** A text of at most `max` characters. */
export const boundedText = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text

/**
 * Whether a value of JSON holds no more values, and none deeper, than may be: it is looked at no further than that
 * shows.
 */
export function isWithin(whole: unknown, maxDepth: number, maxValues = Number.POSITIVE_INFINITY): boolean {
  let values = 0
  const waiting: [value: unknown, depth: number][] = [[whole, 0]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, depth] = next
    if (++values > maxValues || depth > maxDepth) return false
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    if (values + waiting.length + inner.length > maxValues) return false
    for (const item of inner) waiting.push([item, depth + 1])
  }
  return true
}

const isSmall = (schema: unknown): boolean =>
  isWithin(schema, maxSchemaDepth, maxSchemaValues) && JSON.stringify(schema).length <= largestSchema

const isText = (value: unknown) => typeof value === 'string'

/** What the protocol has some keywords be: for one that is something else the whole list would be refused. */
const keywords: Record<string, (value: unknown) => boolean> = {
  $schema: isText,
  properties: isObject,
  required: (value) => Array.isArray(value) && value.every(isText),
}

/**
 * An input schema without keywords that are not as they must be. One that is too large to be judged, or none, takes any
 * object.
 */
function boundedSchema(schema: unknown): McpTool['inputSchema'] {
  if (!isObject(schema) || !isSmall(schema)) return { type: 'object' }
  const sound = Object.entries(schema).filter(([name, value]) => ownValue(keywords, name)?.(value) ?? true)
  return { ...Object.fromEntries(sound), type: 'object' }
}

/**
 * A tool of a server's list: texts are cut, and what is wrong with its input schema is left out. Its output schema is
 * left out as well, as nobody here checks outputs. Undefined when it has no name, or one that cannot stand in a path.
 */
export function boundedTool(tool: unknown): McpTool | undefined {
  if (!isObject(tool) || typeof tool.name !== 'string') return undefined
  const name = boundedText(tool.name, maxNameLength)
  if (unnamable.test(name) || !name.isWellFormed()) return undefined
  const description = typeof tool.description === 'string' ? storableText(tool.description) : ''
  return {
    name,
    description: boundedText(description, maxDescriptionLength),
    inputSchema: boundedSchema(tool.inputSchema),
  }
}
