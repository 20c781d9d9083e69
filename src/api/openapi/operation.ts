import { z } from 'zod'
import { refusesViewers, requiredScope } from '../auth/permission.ts'
import type { ApiError } from '../errors/api-error.ts'
import { takesIdempotencyKey } from '../idempotency/replay.ts'
import type { Operation } from '../operations.ts'
import { errorsOf } from './errors.ts'
import { type ExampleMaker, laidOver } from './examples.ts'
import { refusalExample } from './refusal.ts'
import { errorResponse, everyHeader, headersTooLarge, location, tag, unchanged } from './responses.ts'
import { tidySchema, withoutFiles, withoutNull } from './schema.ts'
import {
  type JsonSchema,
  type OperationObject,
  type ParameterObject,
  type Reference,
  type RequestBodyObject,
  type ResponseObject,
  refTo,
} from './types.ts'

/** What the operations of one document share while it is made. */
export interface Making {
  exampleOf: ExampleMaker
  /** Whether what the operation makes has a path of its own. */
  isLocated(operation: Operation): boolean
  /** Keeps a body's schema as a component, and gives the reference to it. */
  keepSchema(name: string, schema: JsonSchema): Reference
}

/** What a field is when the caller leaves it out; undefined for a field without a default. */
function defaultOf(operation: Operation, name: string): unknown {
  for (const input of operation.inputs) {
    const field = input instanceof z.ZodObject ? input.shape[name] : undefined
    const value = field instanceof z.ZodType ? field.safeParse(undefined).data : undefined
    if (value !== undefined) return value
  }
  return undefined
}

function parameterOf(operation: Operation, parameter: ParameterObject): ParameterObject {
  const { description, ...schema } = withoutNull(tidySchema(parameter.schema ?? {}))
  const fallback = defaultOf(operation, parameter.name)
  return {
    in: parameter.in,
    name: parameter.name,
    ...(description && { description }),
    ...(parameter.required && { required: true }),
    schema: { ...schema, ...(fallback !== undefined && { default: fallback }) },
  }
}

const isParameter = (entry: ParameterObject | Reference): entry is ParameterObject => 'name' in entry

const pascal = (name: string) => name.replace(/(?:^|[.-])(\w)/g, (_, letter: string) => letter.toUpperCase())

function bodyOf(
  operation: Operation,
  body: RequestBodyObject,
  { exampleOf, keepSchema }: Making,
): { body: RequestBodyObject; example: unknown } {
  const component = `${pascal(operation.name)}Body`
  let example = operation.meta.example?.request
  const content: RequestBodyObject['content'] = {}
  let required = false
  for (const [type, media] of Object.entries(body.content)) {
    const whole = tidySchema(media.schema ?? {})
    const isJson = type === 'application/json'
    const schema = isJson ? withoutFiles(whole) : whole
    if (!schema) continue
    example ??= exampleOf(schema, 'request')
    required ||= (schema.required?.length ?? 0) > 0
    content[type] = { schema: keepSchema(isJson ? component : `${component}Form`, schema), example }
  }
  return { body: { ...(required && { required }), content }, example }
}

/** A file's bytes: every stored file has a media type of its own. */
const bytes = { '*/*': { schema: { type: 'string', format: 'binary' } } } as const

/** A read of JSON, which has a tag. */
const isTagged = (method: string, { download }: Operation['meta']) => method === 'GET' && !download

function successOf(operation: Operation, method: string, described: OperationObject, { exampleOf, isLocated }: Making) {
  const ok = described.responses['200']
  const media = ok && 'content' in ok ? ok.content?.['application/json'] : undefined
  const schema = tidySchema(media?.schema ?? {})
  const replayed = takesIdempotencyKey(method, operation.meta) && {
    'Idempotency-Replayed': refTo('headers', 'IdempotencyReplayed'),
  }
  const { message, example: written } = operation.meta
  const example = laidOver(laidOver(exampleOf(schema, 'response'), message && { message }), written?.response)
  const response: ResponseObject = {
    description: operation.meta.status === 201 ? 'Created.' : 'Done.',
    headers: {
      ...everyHeader,
      ...(isTagged(method, operation.meta) && tag),
      ...(isLocated(operation) && location),
      ...replayed,
    },
    content: operation.meta.download ? bytes : { 'application/json': { schema, example } },
  }
  return response
}

/** An extension; a second media type of the response would make generated clients read nothing but streams. */
const eventStream =
  `With \`Accept: text/event-stream\` (an extension) the response is 200 and a stream: \`delta\` events with the
\`text\` as it is written, \`restart\` where what came so far is no part of the reply, then \`message\` with the body that is
documented here, or \`error\` with \`status\` and \`body\`. What is refused before that gets the documented response.`.replaceAll(
    '\n',
    ' ',
  )

/** What the metadata asks of a caller, in words. */
function requirements(meta: Operation['meta']): string {
  const { access, feature } = meta
  const needs = [
    ...(access === 'operator' ? ['an operator (role `admin`)'] : []),
    ...(feature ? [`the feature \`${feature}\``] : []),
    ...(refusesViewers(meta) ? ['the workspace role `owner` or `editor`'] : []),
  ]
  if (access === 'public') return ''
  const scope = `A token with scopes needs \`${requiredScope(meta)}\`.`
  return needs.length > 0 ? `Needs ${needs.join(' and ')}. ${scope}` : scope
}

function byStatus(errors: ApiError[]): [number, ApiError[]][] {
  const groups = new Map<number, ApiError[]>()
  for (const error of errors) groups.set(error.status, [...(groups.get(error.status) ?? []), error])
  return [...groups].sort(([a], [b]) => a - b)
}

/**
 * The whole description of an operation under one of its methods: the library's inputs and success schema, with the
 * statuses, errors, headers, examples and security that the metadata and the kernel give.
 */
export function operationObject(
  operation: Operation,
  method: string,
  described: OperationObject,
  making: Making,
): OperationObject {
  const { meta, name } = operation
  const parameters = (described.parameters ?? []).filter(isParameter).map((entry) => parameterOf(operation, entry))
  const request = described.requestBody && bodyOf(operation, described.requestBody, making)
  const path = parameters.filter((parameter) => parameter.in === 'path')
  const pathValues = path.map((entry) => [entry.name, making.exampleOf(entry.schema ?? {}, 'request', entry.name)])
  const sound = { ...Object.fromEntries(pathValues), ...(request?.example as object | undefined) }
  const refusal = refusalExample(operation, sound, request !== undefined)
  const errors = errorsOf(operation, method, refusal)
  const isAlias = method !== meta.openapi.method
  const description = [meta.openapi.description, meta.streams && eventStream, requirements(meta)]
    .filter(Boolean)
    .join('\n\n')
  return {
    operationId: isAlias ? `${described.operationId}-${method.toLowerCase()}` : described.operationId,
    summary: described.summary,
    ...(description && { description }),
    tags: described.tags,
    security: meta.access === 'public' ? [] : [{ bearer: [] }],
    ...(meta.extension && { 'x-extension': true }),
    ...(meta.streams && { 'x-event-stream': true }),
    ...(!meta.download && { 'x-trpc-procedure': name }),
    parameters: [
      ...parameters,
      ...(takesIdempotencyKey(method, meta) ? [refTo('parameters', 'IdempotencyKey')] : []),
      ...(meta.matches ? [refTo('parameters', 'IfMatch')] : []),
    ],
    ...(request && { requestBody: request.body }),
    responses: {
      [meta.status ?? 200]: successOf(operation, method, described, making),
      ...(isTagged(method, meta) && { 304: unchanged }),
      ...Object.fromEntries(
        byStatus(errors).map(([status, group]) => [status, errorResponse(group, meta.document ?? 'accounts')]),
      ),
      ...(errors.every(({ status }) => status >= 500) && { 431: headersTooLarge }),
    },
  }
}
