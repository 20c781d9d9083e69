import { isObject, type Json } from '../src/json/object.ts'

/** A value that a command takes: a parameter of the path or query, or a field of the body. */
export interface Field {
  name: string
  in: 'path' | 'query' | 'body'
  required: boolean
  description: string
  /** `file` goes as multipart/form-data; `json` is an object or a list. */
  type: 'text' | 'number' | 'boolean' | 'json' | 'file'
}

/** An operation of the description as a command: `squads list`. */
export interface OperationCommand {
  words: string[]
  summary: string
  method: string
  path: string
  fields: Field[]
  /** The response holds bytes. */
  download: boolean
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

const kebab = (word: string) => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Follows `$ref` within the description. */
function resolved(description: Json, schema: unknown): Json {
  if (!isObject(schema)) return {}
  if (typeof schema.$ref !== 'string') return schema
  let target: unknown = description
  for (const key of schema.$ref.slice(2).split('/')) target = isObject(target) ? target[key] : undefined
  return resolved(description, target)
}

function typeOf(description: Json, given: unknown): Field['type'] {
  const schema = resolved(description, given)
  if (schema.format === 'binary') return 'file'
  const options = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (options) {
    const named = options.filter((option) => resolved(description, option).type !== 'null')
    const [first = 'text', ...others] = named.map((option) => typeOf(description, option))
    return others.every((other) => other === first) ? first : 'json'
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  const [type] = types.filter((name) => name !== 'null')
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  return type === 'object' || type === 'array' || (type === undefined && !schema.enum) ? 'json' : 'text'
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function bodyFields(description: Json, operation: Json): Field[] {
  const body = isObject(operation.requestBody) ? operation.requestBody : {}
  const content = isObject(body.content) ? body.content : {}
  const media = content['multipart/form-data'] ?? content['application/json']
  const schema = resolved(description, isObject(media) ? media.schema : undefined)
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(isObject(schema.properties) ? schema.properties : {}).map(([name, property]) => ({
    name,
    in: 'body' as const,
    required: required.includes(name),
    description: textOf(resolved(description, property).description),
    type: typeOf(description, property),
  }))
}

function parameterFields(description: Json, operation: Json): Field[] {
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : []
  return parameters.flatMap((given) => {
    const parameter = resolved(description, given)
    if (parameter.in !== 'path' && parameter.in !== 'query') return []
    return [
      {
        name: textOf(parameter.name),
        in: parameter.in,
        required: parameter.required === true,
        description: textOf(parameter.description),
        type: typeOf(description, parameter.schema),
      },
    ]
  })
}

/** Whether the success response is anything but JSON. */
function isDownload(operation: Json): boolean {
  const responses = isObject(operation.responses) ? operation.responses : {}
  const success = isObject(responses['200']) ? responses['200'] : {}
  return isObject(success.content) && !('application/json' in success.content)
}

/** The dotted name of an operation; a download is no procedure of typed RPC, but has a name like one. */
function nameOf(operation: Json): string | undefined {
  const { operationId, 'x-trpc-procedure': procedure } = operation
  if (typeof procedure === 'string') return procedure
  return typeof operationId === 'string' && isDownload(operation) ? operationId.replaceAll('-', '.') : undefined
}

/** Every procedure of the description as a command, by its dotted name: `admin.users.list` is `admin users list`. */
export function operationCommands(description: Json): OperationCommand[] {
  const commands: OperationCommand[] = []
  for (const [path, item] of Object.entries(isObject(description.paths) ? description.paths : {})) {
    if (!isObject(item)) continue
    for (const method of methods) {
      const operation = item[method]
      const name = isObject(operation) ? nameOf(operation) : undefined
      if (!isObject(operation) || name === undefined) continue
      const words = name.split('.').map(kebab)
      // A second method of the same procedure does the same.
      if (commands.some((known) => known.words.join(' ') === words.join(' '))) continue
      commands.push({
        words,
        summary: textOf(operation.summary),
        method: method.toUpperCase(),
        path,
        fields: [...parameterFields(description, operation), ...bodyFields(description, operation)],
        download: isDownload(operation),
      })
    }
  }
  return commands
}
