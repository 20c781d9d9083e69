import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import description from './description.json' with { type: 'json' }

type Schema = Record<string, unknown>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** `/…/u` as it is written in the description, without its slashes. */
const bare = (pattern: string) => /^\/(.*)\/[a-z]*$/.exec(pattern)?.[1] ?? pattern

/**
 * A schema of the description, read strictly: no property beyond the listed ones, `oneOf` as `anyOf` (its options
 * overlap), and without its slips (an enum beside `type: array`, strings typed as objects, empty or repeated enums).
 */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict)
  if (!isSchema(value)) return value
  const { oneOf, enum: names, pattern, ...rest } = value
  const schema: Schema = Object.fromEntries(
    Object.entries(rest).map(([key, part]) => [
      key,
      key === 'properties' && isSchema(part)
        ? Object.fromEntries(Object.entries(part).map(([name, property]) => [name, strict(property)]))
        : strict(part),
    ]),
  )
  if (oneOf) schema.anyOf = strict(oneOf)
  if (typeof pattern === 'string') schema.pattern = bare(pattern)
  if (isSchema(schema.properties)) schema.additionalProperties ??= false
  if (Array.isArray(names) && names.length > 0 && schema.type !== 'array') {
    schema.enum = [...new Set(names)]
    if (schema.type === 'object') delete schema.type
  }
  return schema
}

const targets = ['assistantId', 'squadId', 'workflowId', 'fallbackDestination', 'server']

/** The fields that null clears, which the description leaves out. */
const clearing: Record<string, string[]> = {
  UpdateAssistantDTO: ['server', 'observabilityPlan'],
  UpdateTwilioPhoneNumberDTO: targets,
  UpdateByoPhoneNumberDTO: targets,
}

const ajv = new Ajv({ strict: false, allErrors: false })
formats.default(ajv)
ajv.addSchema({ $id: 'platform', components: { schemas: strictSchemas() } })

function strictSchemas(): Schema {
  const schemas: Schema = Object.fromEntries(
    Object.entries(description.schemas).map(([name, schema]) => [name, strict(schema)]),
  )
  for (const [name, fields] of Object.entries(clearing)) {
    const update = schemas[name]
    if (!isSchema(update) || !isSchema(update.properties)) throw new Error(`The description has no ${name}`)
    for (const field of fields) update.properties[field] = { anyOf: [update.properties[field], { type: 'null' }] }
  }
  return withAbsoluteReferences(schemas) as Schema
}

function withAbsoluteReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAbsoluteReferences)
  if (!isSchema(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === '$ref' && typeof part === 'string' ? `platform${part}` : withAbsoluteReferences(part),
    ]),
  )
}

const validators = new Map<string, ValidateFunction>()

/** What the description finds wrong with a value, as short texts; empty when it is valid. */
export function violations(name: keyof typeof description.schemas, value: unknown): string[] {
  let validate = validators.get(name)
  if (!validate) {
    validate = ajv.compile({ $ref: `platform#/components/schemas/${name}` })
    validators.set(name, validate)
  }
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  )
}
