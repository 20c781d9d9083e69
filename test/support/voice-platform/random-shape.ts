import description from './description.json' with { type: 'json' }
import { violations } from './description.ts'
import type { createRandom } from './random-assistant.ts'

type Random = ReturnType<typeof createRandom>
type Schema = Record<string, unknown>

const schemas: Record<string, Schema> = description.schemas
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : [])
const maxDepth = 5
const maxItems = 2

function textFor(random: Random, { minLength, maxLength, format, pattern }: Schema): string {
  if (format === 'uuid') return '6a3e1fd2-7ab4-4f42-8d6b-6f1f0e9e2c11'
  if (format === 'date-time') return '2026-03-01T12:00:00.000Z'
  if (format === 'uri' || (typeof pattern === 'string' && pattern.includes('http'))) return 'https://example.com/x'
  const min = typeof minLength === 'number' ? minLength : 0
  const max = typeof maxLength === 'number' ? Math.min(maxLength, 60) : 60
  return [...random.text(max), ...'a'.repeat(min)].slice(0, Math.max(max, min)).join('')
}

/** A value that a schema of the platform's description allows, as far as its words say. */
function valueFor(random: Random, schema: Schema, depth: number): unknown {
  if (typeof schema.$ref === 'string') {
    return valueFor(random, schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, depth)
  }
  const options = [...listOf(schema.oneOf), ...listOf(schema.anyOf)]
  if (options.length > 0) return valueFor(random, random.one(options), depth)
  const parts = listOf(schema.allOf)
  if (parts.length > 0) return Object.assign({}, ...parts.map((part) => valueFor(random, part, depth)))
  if (schema.type === 'array') {
    const items = isSchema(schema.items) ? schema.items : {}
    const length = depth >= maxDepth ? 0 : random.whole(0, maxItems)
    return Array.from({ length }, () => valueFor(random, items, depth + 1))
  }
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return random.one(schema.enum)
  const [least, most] = [schema.minimum, schema.maximum].map((bound) => (typeof bound === 'number' ? bound : undefined))
  if (schema.type === 'number' || schema.type === 'integer') return random.whole(least ?? 1, most ?? (least ?? 1) + 50)
  if (schema.type === 'boolean') return random.flag()
  if (schema.type === 'string') return textFor(random, schema)
  if (!isSchema(schema.properties)) return {}
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  const chosen = Object.entries(schema.properties).filter(
    ([name]) => required.includes(name) || (depth < maxDepth && random.flag()),
  )
  return Object.fromEntries(
    chosen.map(([name, property]) => [name, valueFor(random, isSchema(property) ? property : {}, depth + 1)]),
  )
}

const tries = 6

/** A body that the description allows for a new object: any of its fields, absent or with any value. */
export function randomBody(random: Random, name: 'CreateAssistantDTO'): Schema {
  const properties = schemas[name]?.properties
  const body: Schema = {}
  for (const [field, property] of Object.entries(isSchema(properties) ? properties : {})) {
    if (!isSchema(property) || random.flag()) continue
    for (let attempt = 0; attempt < tries; attempt++) {
      const value = valueFor(random, property, 0)
      if (violations(name, { [field]: value }).length > 0) continue
      body[field] = value
      break
    }
  }
  return body
}
