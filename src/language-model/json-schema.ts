import { isObject } from '../json/object.ts'

/** A value does not fit a schema. `message` names the place, and holds nothing of the value. */
export class SchemaMismatchError extends Error {
  override readonly name = 'SchemaMismatchError'
}

export type Schema = boolean | { readonly [key: string]: unknown }

/**
 * What judging may take: a schema that somebody sends is interpreted, never compiled, and within these bounds. A step
 * is a part of a value held against a part of a schema, and as many more as lists and texts are long that are read for
 * it.
 */
const maxSteps = 50_000
const maxDepth = 200
const charactersPerStep = 50

export const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isObject(value)

/** The types that there are. */
export const typeMatches: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  array: (value) => Array.isArray(value),
  object: isObject,
}

const stepsOf = (length: number) => Math.ceil(length / charactersPerStep)

/** A part of a schema as it is read once, however often something is held against it. */
interface Part {
  /** What an `enum` lists. */
  plain: ReadonlySet<unknown>
  objects: readonly unknown[]
  types: readonly string[]
  /** Steps that its lists and texts take each time. */
  steps: number
  allOf: readonly Schema[]
  anyOf: readonly Schema[] | undefined
  oneOf: readonly Schema[] | undefined
  /** What its `$ref` names; null where that is nothing. */
  target: Schema | null | undefined
}

const schemasIn = (value: unknown): Schema[] | undefined => (Array.isArray(value) ? value.filter(isSchema) : undefined)

/** Reads a part of a schema, without the parts that it holds. */
export function readPart(root: Schema, schema: Record<string, unknown>): Part {
  const { enum: values, const: value, required, type, $ref } = schema
  const all: unknown[] = Array.isArray(values) ? values : []
  const objects = all.filter((one) => typeof one === 'object' && one !== null)
  return {
    plain: new Set(all),
    objects,
    types: [type].flat().filter((one) => typeof one === 'string'),
    steps: stepsOf(JSON.stringify([objects, value, required, type]).length),
    allOf: schemasIn(schema.allOf) ?? [],
    anyOf: schemasIn(schema.anyOf),
    oneOf: schemasIn(schema.oneOf),
    target: $ref === undefined ? undefined : referenced(root, $ref),
  }
}

const maxPathLength = 300

/** A place within a response, as far as it is told: names may be as long as the response. */
const below = (path: string, part: string) => `${path}${part.slice(0, maxPathLength)}`.slice(0, maxPathLength)

/** Steps that a value itself takes, without its parts. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return stepsOf(value.length)
  return isObject(value) ? Object.keys(value).length : 0
}

/** Bounds of numbers and sizes: keyword, what of a value it measures, and whether that is within. */
const bounds: [
  keyword: string,
  measure: (value: unknown) => number | undefined,
  within: (a: number, b: number) => boolean,
][] = [
  ['minimum', numberOf, (a, b) => a >= b],
  ['maximum', numberOf, (a, b) => a <= b],
  ['exclusiveMinimum', numberOf, (a, b) => a > b],
  ['exclusiveMaximum', numberOf, (a, b) => a < b],
  ['multipleOf', numberOf, (a, b) => b > 0 && Math.abs(a - Math.round(a / b) * b) <= 1e-12 * Math.max(1, Math.abs(a))],
  ['minLength', (value) => (typeof value === 'string' ? [...value].length : undefined), (a, b) => a >= b],
  ['maxLength', (value) => (typeof value === 'string' ? [...value].length : undefined), (a, b) => a <= b],
  ['minItems', (value) => (Array.isArray(value) ? value.length : undefined), (a, b) => a >= b],
  ['maxItems', (value) => (Array.isArray(value) ? value.length : undefined), (a, b) => a <= b],
  ['minProperties', (value) => (isObject(value) ? Object.keys(value).length : undefined), (a, b) => a >= b],
  ['maxProperties', (value) => (isObject(value) ? Object.keys(value).length : undefined), (a, b) => a <= b],
]

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

const isLocal = (reference: unknown): reference is string => typeof reference === 'string' && /^#(\/|$)/.test(reference)

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The names that the parts of a schema have: each `$id`, and each `$anchor` after `#`. Found once. */
const namesIn = new WeakMap<object, Map<string, Schema>>()

function namedParts(root: object): Map<string, Schema> {
  const known = namesIn.get(root)
  if (known) return known
  const names = new Map<string, Schema>()
  const open: unknown[] = [root]
  while (open.length > 0) {
    const part = open.pop()
    if (Array.isArray(part)) for (const item of part) open.push(item)
    if (!isObject(part)) continue
    const { $id, $anchor } = part
    if (typeof $id === 'string' && !names.has($id)) names.set($id, part)
    if (typeof $anchor === 'string' && !names.has(`#${$anchor}`)) names.set(`#${$anchor}`, part)
    for (const key of Object.keys(part)) if (!isPlain.has(key)) open.push(part[key])
  }
  namesIn.set(root, names)
  return names
}

/** What is below these is values, no schemas. */
const isPlain: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])

/** The part of a schema that a local reference names, by its place or its name, or null. */
function referenced(root: Schema, reference: unknown): Schema | null {
  if (!isLocal(reference)) {
    return typeof root === 'object' && typeof reference === 'string' ? (namedParts(root).get(reference) ?? null) : null
  }
  let at: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    at = (isObject(at) || Array.isArray(at)) && Object.hasOwn(at, name) ? Object(at)[name] : undefined
  }
  return isSchema(at) ? at : null
}

/** What is wrong with a reference that names nothing. */
export const noTarget = (reference: unknown) =>
  new SchemaMismatchError(
    typeof reference === 'string' && reference.startsWith('#')
      ? `The schema has no ${reference.slice(0, 100)}.`
      : 'The schema refers to something outside itself.',
  )

/**
 * Checks a value against a JSON schema: types, `enum`, `const`, properties, items, `anyOf`, `oneOf`, `allOf`, `not`,
 * local references and bounds. `pattern`, `format` and other keywords are not looked at.
 * @throws SchemaMismatchError for a value that does not fit, and for a schema that takes too long.
 */
export function checkAgainst(root: Schema, value: unknown): void {
  let steps = 0
  const known = new WeakMap<object, Part>()
  const partOf = (schema: Record<string, unknown>): Part => {
    const part = known.get(schema) ?? readPart(root, schema)
    known.set(schema, part)
    return part
  }
  const spend = (count: number, depth: number) => {
    steps += count
    if (steps > maxSteps || depth > maxDepth) throw new SchemaMismatchError('The schema takes too long to check.')
  }

  const fits = (schema: Schema, item: unknown, path: string, depth: number): boolean => {
    try {
      check(schema, item, path, depth)
      return true
    } catch (error) {
      if (error instanceof SchemaMismatchError && steps <= maxSteps) return false
      throw error
    }
  }

  const checkObject = (schema: Record<string, unknown>, item: Record<string, unknown>, path: string, depth: number) => {
    const properties = isObject(schema.properties) ? schema.properties : {}
    for (const name of Array.isArray(schema.required) ? schema.required : []) {
      if (!Object.hasOwn(item, String(name))) throw new SchemaMismatchError(`${below(path, `.${name}`)} is missing.`)
    }
    // Which names a pattern takes is not looked at, so nothing is said of the others.
    const others = isObject(schema.patternProperties) ? undefined : schema.additionalProperties
    for (const [name, part] of Object.entries(item)) {
      const own = Object.hasOwn(properties, name) ? properties[name] : others
      if (isSchema(own)) check(own, part, below(path, `.${name}`), depth + 1)
    }
  }

  const checkArray = (schema: Record<string, unknown>, item: unknown[], path: string, depth: number) => {
    const first: unknown[] = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
    for (const [index, part] of item.entries()) {
      const own = index < first.length ? first[index] : schema.items
      if (isSchema(own)) check(own, part, below(path, `[${index}]`), depth + 1)
    }
  }

  const checkCombined = ({ allOf, anyOf, oneOf }: Part, not: unknown, item: unknown, path: string, depth: number) => {
    for (const one of allOf) check(one, item, path, depth + 1)
    if (anyOf && !anyOf.some((one) => fits(one, item, path, depth + 1))) {
      throw new SchemaMismatchError(`${path} fits none of its alternatives.`)
    }
    if (oneOf && oneOf.filter((one) => fits(one, item, path, depth + 1)).length !== 1) {
      throw new SchemaMismatchError(`${path} must fit exactly one of its alternatives.`)
    }
    if (isSchema(not) && fits(not, item, path, depth + 1)) {
      throw new SchemaMismatchError(`${path} is of a form that is excluded.`)
    }
  }

  const check = (schema: Schema, item: unknown, path: string, depth: number): void => {
    spend(1, depth)
    if (schema === true) return
    if (schema === false) throw new SchemaMismatchError(`${path} is not allowed.`)
    const part = partOf(schema)
    spend(part.steps + sizeOf(item), depth)
    if (part.target === null) throw noTarget(schema.$ref)
    if (part.target !== undefined) check(part.target, item, path, depth + 1)
    const { types, plain, objects } = part
    if (types.length > 0 && !types.some((type) => Object.hasOwn(typeMatches, type) && typeMatches[type]?.(item))) {
      throw new SchemaMismatchError(`${path} must be ${types.join(' or ')}.`)
    }
    if (Array.isArray(schema.enum) && !plain.has(item) && !objects.some((one) => Bun.deepEquals(one, item))) {
      throw new SchemaMismatchError(`${path} must be one of the listed values.`)
    }
    if (Object.hasOwn(schema, 'const') && !Bun.deepEquals(schema.const, item)) {
      throw new SchemaMismatchError(`${path} must be the given value.`)
    }
    for (const [keyword, measure, within] of bounds) {
      const bound = schema[keyword]
      const size = typeof bound === 'number' ? measure(item) : undefined
      if (typeof bound === 'number' && size !== undefined && !within(size, bound)) {
        throw new SchemaMismatchError(`${path} is beyond ${keyword} ${bound}.`)
      }
    }
    if (Array.isArray(item)) checkArray(schema, item, path, depth)
    if (isObject(item)) checkObject(schema, item, path, depth)
    checkCombined(part, schema.not, item, path, depth)
  }

  check(root, value, 'the response', 0)
}
