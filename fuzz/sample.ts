import type { Description, Schema } from './description.ts'
import type { JsonObject } from './json.ts'
import type { Random } from './random.ts'

/** What values are made with: `text` gives plain words, `id` something that an id field may name. */
export interface Material {
  random: Random
  description: Description
  text(): string
  id(field: string, isNumber: boolean): unknown
}

const isIdField = (field: string) => /(^|_)ids?$|Ids?$|^agent$|^chat$/.test(field)

const urls: readonly [string, ...string[]] = [
  'https://hooks.invalid/calls',
  'http://127.0.0.1:9/x?secret=1',
  'https://tools.invalid/mcp',
]

/** What ISO 8601 can write and a database cannot keep, or only just. */
const edgesOfCalendar = ['0000-01-01', '0001-01-01', '1900-01-01', '9998-12-31', '9999-12-31']
const edgesOfTime = ['0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00', '9998-12-31T23:59:59Z']

/** A number that the embedded carrier sells. */
const phoneNumber = (random: Random) => `+1${random.int(212, 989)}555${random.int(1000, 9999)}`

function textOf({ random, text }: Material, schema: Schema, field: string): string {
  const { format, minLength = 0, maxLength } = schema
  if (format === 'email') return `${text().replaceAll(/[^a-z0-9]/gi, '')}${random.int(0, 99_999)}@fuzz.invalid`
  if (format === 'uuid') return '3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d'
  if (format === 'date-time') return random.pick(['2099-01-31T09:30:00.000Z', '2098-12-31T23:59:59Z', ...edgesOfTime])
  if (format === 'date') return random.pick(['2026-01-31', '2024-02-29', ...edgesOfCalendar])
  if (format === 'uri' || /url$/i.test(field)) return random.pick(urls)
  if (/colou?r$/.test(field)) return random.pick(['#1a2b3c', 'rebeccapurple', 'rgb(1, 2, 3)'])
  if (schema.pattern) return phoneNumber(random)
  if (field === 'model' && random.chance(0.7)) return 'local-extractive'
  if (maxLength !== undefined && maxLength <= 60_000 && random.chance(0.05)) {
    return random.pick(['a', '\u{1f600}', 'é']).repeat(maxLength + random.pick([0, 0, 1]))
  }
  const made = text().padEnd(minLength, 'x')
  return maxLength === undefined ? made : made.slice(0, maxLength)
}

function numberOf({ random }: Material, { type, minimum, maximum, exclusiveMinimum }: Schema): number {
  const min = minimum ?? exclusiveMinimum ?? 0
  const max = maximum ?? Math.max(min, 1000)
  if (random.chance(0.1)) return random.pick([min, max, min - 1, max + 1])
  if (type === 'integer') return random.int(Math.max(min, -1_000_000), Math.min(max, 1_000_000))
  return min + random.next() * (Math.min(max, 1_000_000) - min)
}

function objectOf(material: Material, schema: Schema, depth: number): JsonObject {
  const { random } = material
  const required = new Set(schema.required)
  const made: JsonObject = {}
  for (const [key, member] of Object.entries(schema.properties ?? {})) {
    if (required.has(key) || random.chance(depth > 2 ? 0.2 : 0.3)) made[key] = sample(material, member, key, depth + 1)
  }
  const { additionalProperties: more } = schema
  if (typeof more === 'object' && Object.keys(made).length === 0) {
    for (let count = random.int(0, 3); count > 0; count--) {
      made[random.pick(['company_name', 'city', 'A B', 'x-key'])] = sample(material, more, '', depth + 1)
    }
  }
  return made
}

/** A value that a schema takes, most of the time; at its limits, some of the time. */
export function sample(material: Material, given: Schema, field = '', depth = 0): unknown {
  const { random, description } = material
  const schema = description.resolve(given)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pickAny(schema.enum)
  const choice = random.pickAny(schema.anyOf ?? schema.oneOf ?? [])
  if (choice) return sample(material, choice, field, depth)
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => sample(material, part, field, depth)))
  }
  if (isIdField(field) && schema.type !== 'array' && random.chance(0.8)) {
    const id = material.id(field, [schema.type].flat().includes('integer'))
    if (id !== undefined) return id
  }
  if (schema.examples?.length && !schema.pattern?.includes('\\+') && random.chance(0.3))
    return random.pickAny(schema.examples)
  const type = Array.isArray(schema.type) ? random.pickAny(schema.type) : schema.type
  switch (type) {
    case 'string':
      return textOf(material, schema, field)
    case 'integer':
    case 'number':
      return numberOf(material, { ...schema, type })
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array': {
      if (depth > 6) return []
      const { minItems = 0, maxItems = 50, items = {} } = schema
      const length = random.chance(0.03) ? Math.min(maxItems + 1, 101) : random.int(minItems, Math.max(minItems, 3))
      return Array.from({ length }, () => sample(material, items, field.replace(/s$/, ''), depth + 1))
    }
    case 'object':
      return depth > 6 ? {} : objectOf(material, schema, depth)
    default:
      return random.pick<unknown>([{}, 'x', 1, null, { a: 1 }])
  }
}
