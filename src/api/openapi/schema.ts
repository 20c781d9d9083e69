import type { JsonSchema } from './types.ts'

const unbounded = Number.MAX_SAFE_INTEGER

/** Bounds that only say "an integer that JavaScript can hold", and the pattern that `format: uuid` says already. */
const saysNothing = (schema: JsonSchema, keyword: string, value: unknown) =>
  (keyword === 'minimum' && value === -unbounded) ||
  (keyword === 'maximum' && value === unbounded) ||
  (keyword === 'pattern' && schema.format === 'uuid')

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function tidyKeyword(keyword: string, value: unknown): unknown {
  if (keyword === 'properties' && isSchema(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => [name, isSchema(child) ? tidySchema(child) : child]),
    )
  }
  if (keyword === 'items' || keyword === 'additionalProperties' || keyword === 'propertyNames') {
    return isSchema(value) ? tidySchema(value) : value
  }
  if ((keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf') && Array.isArray(value)) {
    return value.map((child) => (isSchema(child) ? tidySchema(child) : child))
  }
  return value
}

/** "Something or null" in one schema, where the something has a single type. */
function joinNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...outer } = schema
  const [inner, nothing] = anyOf ?? []
  const joins = anyOf?.length === 2 && nothing?.type === 'null' && typeof inner?.type === 'string'
  if (!joins || !inner || 'const' in inner) return schema
  return { ...inner, type: [String(inner.type), 'null'], ...(inner.enum && { enum: [...inner.enum, null] }), ...outer }
}

/** The same schema in a form that reads well: no bounds that say nothing, `null` as one of the types. */
export function tidySchema(schema: JsonSchema): JsonSchema {
  const tidy: JsonSchema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (!saysNothing(schema, keyword, value)) tidy[keyword] = tidyKeyword(keyword, value)
  }
  return joinNull(tidy)
}

/** The schema without `null`, which text in a path or query cannot be. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, enum: values, ...rest } = schema
  const types = Array.isArray(type) ? type.filter((name) => name !== 'null') : type
  const members = anyOf?.filter((member) => member.type !== 'null')
  const [only] = members ?? []
  if (members?.length === 1 && only) return { ...only, ...rest }
  return {
    ...rest,
    ...(types !== undefined && { type: Array.isArray(types) && types.length === 1 ? types[0] : types }),
    ...(values && { enum: values.filter((value) => value !== null) }),
    ...(members && { anyOf: members }),
  }
}

/** Whether a property is a file, which JSON cannot carry. */
export const isFile = (schema: JsonSchema): boolean =>
  schema.format === 'binary' || (schema.items !== undefined && isFile(schema.items))

/**
 * The JSON form of a multipart body: without its file fields. Undefined when it needs a file, which JSON cannot give.
 */
export function withoutFiles(schema: JsonSchema): JsonSchema | undefined {
  const all = Object.entries(schema.properties ?? {})
  const plain = all.filter(([, property]) => !isFile(property))
  if (plain.length === all.length) return schema
  const needsFile = all.some(([name, property]) => isFile(property) && schema.required?.includes(name))
  return needsFile ? undefined : { ...schema, properties: Object.fromEntries(plain) }
}
