import type { AnyProcedure, AnyRouter } from '@trpc/server'
import { z } from 'zod'
import type { OperationMeta } from '../src/api/meta.ts'
import { needsFile } from '../src/api/rest/body-types.ts'
import { isObject, type Json } from '../src/json/object.ts'

/**
 * The types of the typed client, as one file of TypeScript that needs nothing but tRPC's own types: each procedure's
 * input and output, printed from its zod schemas. Schemas that have a name (`meta({id})`) become types of that name.
 */

interface Definition {
  type: 'query' | 'mutation' | 'subscription'
  meta?: OperationMeta
  inputs: readonly unknown[]
  output?: unknown
}

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

/** Prints JSON schemas as types; what they define by name is collected. */
function printer(suffix: string) {
  const named = new Map<string, string>()

  const union = (types: string[]) => {
    const distinct = [...new Set(types)]
    if (distinct.includes('unknown')) return 'unknown'
    return distinct.map((type) => (type.includes('=>') ? `(${type})` : type)).join(' | ') || 'never'
  }

  function object(schema: Json): string {
    const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
    const properties = Object.entries(isObject(schema.properties) ? schema.properties : {})
    const { additionalProperties: more } = schema
    const rest = isObject(more) ? print(more) : 'unknown'
    const open = more !== undefined && more !== false
    if (properties.length === 0) return open ? `Record<string, ${rest}>` : '{}'
    const lines = properties.map(([name, property]) => {
      return `${key(name)}${required.includes(name) ? '' : '?'}: ${print(property)}`
    })
    const known = `{ ${lines.join('; ')} }`
    return open ? `${known} & { [key: string]: ${rest} }` : known
  }

  function ofType(type: unknown, schema: Json): string {
    switch (type) {
      case 'string':
        return 'string'
      case 'number':
      case 'integer':
        return 'number'
      case 'boolean':
        return 'boolean'
      case 'null':
        return 'null'
      case 'array':
        if (Array.isArray(schema.prefixItems)) return `[${schema.prefixItems.map(print).join(', ')}]`
        return `Array<${schema.items === undefined ? 'unknown' : print(schema.items)}>`
      case 'object':
        return object(schema)
      default:
        return 'unknown'
    }
  }

  function print(given: unknown): string {
    if (!isObject(given)) return 'unknown'
    if (typeof given.$ref === 'string') return `${given.$ref.split('/').at(-1)}${suffix}`
    if ('const' in given) return JSON.stringify(given.const)
    if (Array.isArray(given.enum)) return union(given.enum.map((value) => JSON.stringify(value)))
    const options = [given.anyOf, given.oneOf].find(Array.isArray)
    if (options) return union(options.map(print))
    if (Array.isArray(given.allOf)) return given.allOf.map(print).join(' & ')
    if (given.not !== undefined) return 'never'
    if (Array.isArray(given.type)) return union(given.type.map((type) => ofType(type, given)))
    return ofType(given.type, given)
  }

  /** A zod schema as a type. */
  function typeOf(schema: unknown, io: 'input' | 'output'): string {
    if (!(schema instanceof z.ZodType)) return 'unknown'
    const { $defs, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
    for (const [name, definition] of Object.entries(isObject($defs) ? $defs : {})) {
      if (!named.has(name)) {
        named.set(name, '')
        named.set(name, print(definition))
      }
    }
    return print(root)
  }

  return { typeOf, declarations: () => [...named].map(([name, type]) => `export type ${name}${suffix} = ${type}`) }
}

/** An input that has no required field may be left out. */
function inputType(type: string, schema: unknown): string {
  if (schema === undefined) return 'void'
  return schema instanceof z.ZodType && schema.safeParse({}).success ? `${type} | void` : type
}

/**
 * What a procedure takes: one that takes a form, that as well, or alone where JSON cannot hold the file that it needs.
 */
function inputOf(meta: OperationMeta | undefined, schema: unknown, print: () => string): string {
  if (needsFile(schema)) return 'FormData'
  const type = inputType(print(), schema)
  return meta?.multipart ? `FormData | ${type}` : type
}

interface Tree {
  [name: string]: Tree | string
}

function printTree(tree: Tree, indent: string): string {
  const lines = Object.entries(tree).map(([name, entry]) => {
    return `${indent}  ${key(name)}: ${typeof entry === 'string' ? entry : printTree(entry, `${indent}  `)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** The text of the types of every procedure that a typed client can call: downloads go over REST. */
export function clientTypes(router: AnyRouter): string {
  const inputs = printer('Input')
  const outputs = printer('')
  const tree: Tree = {}
  const procedures: Record<string, AnyProcedure> = router._def.procedures
  for (const [path, procedure] of Object.entries(procedures)) {
    const { type, meta, inputs: schemas, output } = procedure._def as unknown as Definition
    if (meta?.download) continue
    const [schema] = schemas
    const input = inputOf(meta, schema, () => inputs.typeOf(schema, 'input'))
    const kind = `${type[0]?.toUpperCase()}${type.slice(1)}`
    const sent = outputs.typeOf(meta?.events ?? output, 'output')
    const returned = type === 'subscription' ? `AsyncIterable<${sent}, void, unknown>` : sent
    const entry = `TRPC${kind}Procedure<{ input: ${input}; output: ${returned}; meta: unknown }>`
    const names = path.split('.')
    let at = tree
    for (const name of names.slice(0, -1)) {
      const next = at[name] ?? {}
      if (typeof next === 'string') throw new Error(`${path} is below a procedure`)
      at[name] = next
      at = next
    }
    at[names.at(-1) ?? path] = entry
  }
  const body = printTree(tree, '')
  const kinds = ['TRPCMutationProcedure', 'TRPCQueryProcedure', 'TRPCSubscriptionProcedure']
  const used = kinds.filter((kind) => body.includes(`${kind}<`))
  return [
    '// Made from the procedures by `bun run client`.',
    `import type { TRPCBuiltRouter, ${used.join(', ')} } from '@trpc/server'`,
    '',
    ...inputs.declarations(),
    ...outputs.declarations(),
    '',
    '/** What the server says of an error, beside its text. */',
    'export interface ErrorData {',
    '  code: string',
    '  path?: string',
    '  httpStatus: number',
    '  /** The body that REST answers. */',
    '  body: { message?: string; errors?: Record<string, string[]>; [key: string]: unknown }',
    '}',
    '',
    'interface Root {',
    '  ctx: object',
    '  meta: object',
    '  errorShape: { message: string; code: number; data: ErrorData }',
    '  transformer: false',
    '}',
    '',
    '/** Every procedure, with its input and output. */',
    `export type AppRouter = TRPCBuiltRouter<Root, ${body}>`,
    '',
  ].join('\n')
}
