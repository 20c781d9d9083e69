import { isObject } from '../json/object.ts'
import { isSchema, noTarget, readPart, type Schema, typeMatches } from './json-schema.ts'

const maxNameLength = 100

/** The schemas that values are held against after this one. */
function* partsOf(schema: Record<string, unknown>): Generator<unknown> {
  const { properties, patternProperties, additionalProperties, items, prefixItems, not } = schema
  if (isObject(properties)) yield* Object.values(properties)
  if (Array.isArray(prefixItems)) yield* prefixItems
  if (!isObject(patternProperties)) yield additionalProperties
  yield items
  yield not
}

/**
 * What of a schema no value can fit, told before a model is asked for one: a type that does not exist, and a reference
 * to nothing. Each part is read once, and only those that values are held against. Undefined where there is no such
 * part.
 */
export function faultIn(root: Schema): string | undefined {
  const seen = new Set<unknown>()
  const open: unknown[] = [root]
  while (open.length > 0) {
    const schema = open.pop()
    if (!isSchema(schema) || typeof schema === 'boolean' || seen.has(schema)) continue
    seen.add(schema)
    const { target, types, allOf, anyOf = [], oneOf = [] } = readPart(root, schema)
    if (target === null) return noTarget(schema.$ref).message
    if (types.length > 0 && !types.some((type) => Object.hasOwn(typeMatches, type))) {
      return `The schema has no type ${types.join(' or ').slice(0, maxNameLength)}.`
    }
    for (const parts of [[target], allOf, anyOf, oneOf, partsOf(schema)]) for (const part of parts) open.push(part)
  }
  return undefined
}
