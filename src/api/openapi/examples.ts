import { isObject } from '../../json/object.ts'
import { isFile } from './schema.ts'
import type { JsonSchema } from './types.ts'

/** A request shows what it must send; a response shows everything that it may hold. */
type Side = 'request' | 'response'

type Schemas = Record<string, JsonSchema>

const maxDepth = 12

/** Stands for the bytes of a file in a form. */
export const fileExample = '(file)'

const formats: Record<string, string> = {
  uuid: '3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d',
  'date-time': '2026-01-31T09:30:00.000Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com',
}

/** What a text is likely to hold, by the name of its field. */
const namedTexts: [name: RegExp, text: string][] = [
  [/(^id|_id|Id)$/, '1'],
  [/url$/i, 'https://example.com'],
  [/phone_?number$/i, '+14155550123'],
  [/email$/i, 'ada@example.com'],
]

/** Tried in turn where a pattern or a length refuses the likely text. */
const otherTexts = ['+14155550123', 'en', 'example', 'example-key', '2026-01-31', '12345', 'https://example.com']

const words = (name: string) => {
  const text = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function textExample(schema: JsonSchema, name: string): string {
  if (isFile(schema)) return fileExample
  const { format = '', pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const likely = formats[format] ?? namedTexts.find(([expected]) => expected.test(name))?.[1] ?? words(name)
  const fits = (text: string) =>
    text.length >= minLength && text.length <= maxLength && (expression?.test(text) ?? true)
  return [likely, ...otherTexts].find(fits) ?? likely.slice(0, maxLength)
}

const numberExample = ({ minimum, exclusiveMinimum, maximum = Number.POSITIVE_INFINITY }: JsonSchema) =>
  Math.min(Math.max(minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1), 1), maximum)

/** Examples made from schemas: the same one at every run. */
export function exampleMaker(schemas: Schemas) {
  const objectExample = (schema: JsonSchema, side: Side, depth: number) => {
    const required = new Set(schema.required)
    const properties = Object.entries(schema.properties ?? {}).filter(
      ([name, property]) => required.has(name) || !isFile(property),
    )
    const shown = properties.filter(
      ([name, property]) => side === 'response' || required.has(name) || property.examples !== undefined,
    )
    const chosen = shown.length > 0 ? shown : properties.slice(0, 1)
    return Object.fromEntries(chosen.map(([name, property]) => [name, make(property, side, name, depth + 1)]))
  }

  const arrayExample = ({ items, minItems = 0 }: JsonSchema, side: Side, name: string, depth: number) => {
    const isDescribed = items !== undefined && Object.keys(items).length > 0
    const length = isDescribed ? Math.max(1, minItems) : minItems
    return Array.from({ length }, () => make(items ?? {}, side, name.replace(/s$/, ''), depth + 1))
  }

  const make = (schema: JsonSchema, side: Side, name: string, depth: number): unknown => {
    if (depth > maxDepth) return null
    if (schema.examples?.length) return schema.examples[0]
    if ('const' in schema) return schema.const
    if (schema.default !== undefined) return schema.default
    if (schema.enum?.length) return schema.enum[0]
    if (schema.$ref) return make(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, side, name, depth + 1)
    if (schema.allOf) {
      return Object.assign({}, ...schema.allOf.map((part) => make(part, side, name, depth + 1)))
    }
    const members = schema.anyOf ?? schema.oneOf
    if (members) return make(members.find(({ type }) => type !== 'null') ?? {}, side, name, depth + 1)
    const types = Array.isArray(schema.type) ? schema.type : [schema.type]
    switch (types.find((type) => type !== 'null')) {
      case 'string':
        return textExample(schema, name)
      case 'integer':
      case 'number':
        return numberExample(schema)
      case 'boolean':
        return true
      case 'array':
        return arrayExample(schema, side, name, depth)
      case 'object':
        return objectExample(schema, side, depth)
      default:
        return types[0] === 'null' ? null : {}
    }
  }

  return (schema: JsonSchema, side: Side, name = 'value'): unknown => make(schema, side, name, 0)
}

export type ExampleMaker = ReturnType<typeof exampleMaker>

/** An example with what someone wrote laid over it, key by key; lists are replaced. */
export function laidOver(made: unknown, written: unknown): unknown {
  if (written === undefined) return made
  if (!isObject(made) || !isObject(written)) return written
  const merged = Object.entries(written).map(([name, value]) => [name, laidOver(made[name], value)])
  return { ...made, ...Object.fromEntries(merged) }
}
