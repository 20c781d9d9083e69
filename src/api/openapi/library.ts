import type { AnyRouter } from '@trpc/server'
import { generateOpenApiDocument } from 'trpc-to-openapi'
import { z } from 'zod'
import { type Operation, operationsOf } from '../operations.ts'
import type { JsonSchema, OperationObject, PathItem } from './types.ts'

const hasBody = ({ meta }: Operation) => !['GET', 'DELETE'].includes(meta.openapi.method)

/**
 * The library refuses path and query fields that are not text, numbers or booleans, and forgets what an optional one
 * says of itself; a pipe it takes as it is, and zod documents a pipe by what goes in.
 */
function withPipedParameters(operation: Operation): unknown[] {
  return operation.inputs.map((input) => {
    if (!(input instanceof z.ZodObject)) return input
    const shape: Record<string, z.ZodType> = {}
    for (const [name, field] of Object.entries(input.shape)) {
      if (!(field instanceof z.ZodType)) continue
      const isParameter = !hasBody(operation) || operation.pathParameters.includes(name)
      shape[name] = isParameter ? field.pipe(z.any()) : field
    }
    const { catchall } = input._zod.def
    const copy = z.object(shape)
    const { title, description, examples } = input.meta() ?? {}
    return (catchall instanceof z.ZodType ? copy.catchall(catchall) : copy).meta({ title, description, examples })
  })
}

/** Paths with the operations' parameters, bodies and success schemas, and the component schemas, from the library. */
export interface LibraryDocument {
  paths: Record<string, PathItem>
  schemas: Record<string, JsonSchema>
}

/**
 * Lets trpc-to-openapi describe a router's inputs and outputs; of a procedure it reads only `_def`.
 * Throws, naming the procedure, for an input or output that cannot be described.
 */
export function libraryDocument(router: AnyRouter): LibraryDocument {
  const definitions: Record<string, { _def: object }> = router._def.procedures
  const procedures = Object.fromEntries(
    operationsOf(router).map((operation) => {
      const openapi = { ...operation.meta.openapi, errorResponses: [] }
      const inputs = withPipedParameters(operation)
      return [operation.name, { _def: { ...definitions[operation.name]?._def, inputs, meta: { openapi } } }]
    }),
  )
  const document = generateOpenApiDocument({ _def: { procedures } } as never, {
    title: '',
    version: '',
    baseUrl: '/',
    openApiVersion: '3.1.0',
  })
  const plain: { paths?: Record<string, PathItem>; components?: { schemas?: Record<string, JsonSchema> } } = JSON.parse(
    JSON.stringify({ paths: document.paths, components: document.components }),
  )
  return { paths: plain.paths ?? {}, schemas: plain.components?.schemas ?? {} }
}

/** The library's description of one operation. */
export function describedBy({ paths }: LibraryDocument, { path, meta }: Operation): OperationObject {
  const described = paths[path]?.[meta.openapi.method.toLowerCase()]
  if (!described) throw new Error(`${meta.openapi.method} ${path} is not described`)
  return described
}
