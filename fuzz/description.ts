import { readFileSync } from 'node:fs'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isObject, type JsonObject } from './json.ts'

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** A part of JSON Schema, as far as values are made from it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: Schema
}

/** An operation of the description, by one of its methods. */
export interface Described {
  method: string
  path: string
  /** Dotted procedure name; none for paths that are no procedure. */
  procedure: string | undefined
  isPublic: boolean
  parameters: Parameter[]
  bodies: Record<string, { schema: Schema; example?: unknown }>
  /** Where each declared response stands, by its status. */
  responses: Record<string, string>
}

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')

/** The description that the server is held to, with one validator for each response. */
export function readDescription(text = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) {
  const document: JsonObject = JSON.parse(text)
  const ajv = new Ajv2020({ strict: false, validateFormats: true })
  formats.default(ajv)
  ajv.addSchema({ ...document, $id: 'description' })
  const validators = new Map<string, ValidateFunction>()

  /** What a JSON pointer names. */
  const at = (pointer: string): unknown => {
    let value: unknown = document
    for (const part of pointer.replace(/^#\//, '').split('/')) {
      if (!isObject(value)) return undefined
      value = value[part.replaceAll('~1', '/').replaceAll('~0', '~')]
    }
    return value
  }
  const resolved = (value: unknown): JsonObject => {
    if (!isObject(value)) return {}
    return typeof value.$ref === 'string' ? resolved(at(value.$ref)) : value
  }

  const describe = (path: string, method: string, entry: JsonObject): Described => {
    const place = `#/paths/${escaped(path)}/${method}/responses`
    const responses = Object.entries(isObject(entry.responses) ? entry.responses : {}).map(([status, response]) => {
      const named = isObject(response) && typeof response.$ref === 'string' ? response.$ref : `${place}/${status}`
      return [status, named]
    })
    const content = resolved(entry.requestBody).content
    return {
      method: method.toUpperCase(),
      path,
      procedure: typeof entry['x-trpc-procedure'] === 'string' ? entry['x-trpc-procedure'] : undefined,
      isPublic: Array.isArray(entry.security) && entry.security.length === 0,
      parameters: (Array.isArray(entry.parameters) ? entry.parameters : []).map(
        (parameter) => resolved(parameter) as unknown as Parameter,
      ),
      bodies: (isObject(content) ? content : {}) as Described['bodies'],
      responses: Object.fromEntries(responses),
    }
  }

  const operations = Object.entries(isObject(document.paths) ? document.paths : {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const entry = isObject(item) ? item[method] : undefined
      return isObject(entry) ? [describe(path, method, entry)] : []
    }),
  )

  return {
    operations,
    resolve: (schema: Schema): Schema => resolved(schema) as Schema,
    find: (method: string, path: string) =>
      operations.find((operation) => operation.method === method && operation.path === path),

    /**
     * What is wrong with a response, in words; nothing when it is as described.
     * @param type its media type, `application/json` for what came in a tRPC envelope
     */
    problem({ responses }: Described, status: number, type: string, body: unknown): string | undefined {
      const place = responses[status]
      if (place === undefined) return `status ${status} is not declared`
      const { content } = resolved(at(place))
      if (!isObject(content)) return undefined
      if (content[type] === undefined && content['*/*'] === undefined)
        return `media type "${type}" is not declared for status ${status}`
      if (type !== 'application/json' || content[type] === undefined) return undefined
      const pointer = `description${place}/content/${escaped(type)}/schema`
      const validate = validators.get(pointer) ?? ajv.compile({ $ref: pointer })
      validators.set(pointer, validate)
      if (validate(body)) return undefined
      const [first] = validate.errors ?? []
      return `the body of status ${status} is not as described: ${first?.instancePath} ${first?.message}`
    },
  }
}

export type Description = ReturnType<typeof readDescription>
