import type { AnyRouter } from '@trpc/server'
import { version } from '../../runtime/version.ts'
import { operationsOf } from '../operations.ts'
import { locationOf } from '../rest/location.ts'
import { exampleMaker } from './examples.ts'
import { description } from './info.ts'
import { describedBy, libraryDocument } from './library.ts'
import { type Making, operationObject } from './operation.ts'
import { errorSchemas, headers } from './responses.ts'
import { tidySchema } from './schema.ts'
import { shareResponses, type UsedResponse } from './shared.ts'
import { systemPaths } from './system.ts'
import { sectionOf, tagGroupsOf, tagsOf } from './tags.ts'
import { type JsonSchema, type OpenApiDocument, type ParameterObject, type PathItem, refTo } from './types.ts'

const IdempotencyKey: ParameterObject = {
  in: 'header',
  name: 'Idempotency-Key',
  description: 'Makes it safe to send this request again: for 24 hours the same key gets the first response again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const IfMatch: ParameterObject & { 'x-extension': true } = {
  in: 'header',
  name: 'If-Match',
  description: 'Tags of what was read, from `ETag`: the write is refused with 412 when the resource has changed since.',
  schema: { type: 'string' },
  'x-extension': true,
}

const sorted = <T>(entries: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)))

/** Keeps schemas under their names; what is the same is kept once, what is not gets a number. */
function schemaKeeper(schemas: Record<string, JsonSchema>): Making['keepSchema'] {
  const names = new Map<string, string>()
  return (wanted, schema) => {
    const content = JSON.stringify(schema)
    let name = names.get(content) ?? wanted
    for (let number = 2; name in schemas && names.get(content) !== name; number++) name = `${wanted}${number}`
    names.set(content, name)
    schemas[name] = schema
    return refTo('schemas', name)
  }
}

/**
 * The OpenAPI 3.1 document of a router, the same at every run.
 * @param serverUrl where the operations are served: `/` or the public URL
 */
export function openApiDocument(router: AnyRouter, serverUrl: string): OpenApiDocument {
  const library = libraryDocument(router)
  const schemas: Record<string, JsonSchema> = { ...errorSchemas }
  for (const [name, schema] of Object.entries(library.schemas)) schemas[name] = tidySchema(schema)
  const paths: Record<string, PathItem> = {}
  const used: UsedResponse[] = []
  const operations = operationsOf(router)
  const making: Making = {
    exampleOf: exampleMaker(schemas),
    isLocated: (operation) => locationOf(operation, operations) !== undefined,
    keepSchema: schemaKeeper(schemas),
  }
  const sections = sectionOf(operations)
  for (const operation of operations) {
    const described = { ...describedBy(library, operation), tags: [sections(operation)] }
    const item = paths[operation.path] ?? {}
    paths[operation.path] = item
    for (const method of operation.methods) {
      const made = operationObject(operation, method, described, making)
      item[method.toLowerCase()] = made
      const style = operation.meta.document ?? 'accounts'
      for (const [status, response] of Object.entries(made.responses)) {
        if ('$ref' in response || Number(status) < 400) continue
        const replace: UsedResponse['replace'] = (reference) => {
          made.responses[status] = reference
        }
        used.push({ response, style, replace })
      }
    }
  }
  const responses = shareResponses(used)
  Object.assign(paths, systemPaths(version))
  return {
    openapi: '3.1.0',
    info: { title: 'Switchboard', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl }],
    tags: tagsOf(paths),
    'x-tagGroups': tagGroupsOf(tagsOf(paths)),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token of a user: `Authorization: Bearer <token>`.' },
      },
      ...usedComponents(paths, { schemas: sorted(schemas), responses: sorted(responses) }),
    },
  }
}

/** The components that something refers to, directly or through another. */
function usedComponents(
  paths: Record<string, PathItem>,
  own: Pick<OpenApiDocument['components'], 'schemas' | 'responses'>,
): Omit<OpenApiDocument['components'], 'securitySchemes'> {
  const all = { ...own, parameters: { IdempotencyKey, IfMatch }, headers }
  const referred = new Set<string>()
  const follow = (text: string) => {
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      const key = `${kind}/${name}`
      if (referred.has(key)) continue
      referred.add(key)
      follow(JSON.stringify(Object.entries(all).find(([group]) => group === kind)?.[1][name as never] ?? null))
    }
  }
  follow(JSON.stringify(paths))
  const kept = <T>(kind: string, entries: Record<string, T>) =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => referred.has(`${kind}/${name}`)))
  return {
    schemas: kept('schemas', all.schemas),
    responses: kept('responses', all.responses),
    parameters: kept('parameters', all.parameters),
    headers: kept('headers', all.headers),
  }
}
