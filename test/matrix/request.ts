import { z } from 'zod'
import { ApiError, type ErrorName, errorBody } from '../../src/api/errors/api-error.ts'
import type { Operation } from '../../src/api/operations.ts'
import type { TestUser } from '../support/app.ts'
import { inputs, oneFace } from './inputs.ts'
import { factories } from './resources.ts'
import type { Answer, Face, Input, World } from './world.ts'

/** A call of an operation in which everything is right. */
export interface Request {
  params: Input
  input: Input
}

export const facesOf = ({ name }: Operation): Face[] => (oneFace[name] ? [oneFace[name]] : ['rest', 'trpc'])

/** The 404s that an operation's path parameters answer. */
export const idsOf = ({ meta }: Operation): Record<string, ErrorName> => meta.ids ?? {}

/** Who calls an operation with everything right: an operator where that is asked for. */
export const callerOf = ({ operator, owner }: World, { meta }: Operation): TestUser =>
  meta.access === 'operator' ? operator : owner

/**
 * The answer of an id that is nothing: its resource's own 404, and of a version to restore the 422 of one that is not
 * there.
 */
export function notFound({ meta }: Operation, name: ErrorName): Answer {
  return {
    status: name === 'version_unknown' ? 422 : 404,
    body: errorBody(new ApiError(name), meta.document ?? 'accounts'),
  }
}

/** What the path names, made for this one call, all of the world's owner. */
export async function paramsOf(world: World, operation: Operation): Promise<Input> {
  const params: Input = {}
  for (const name of operation.pathParameters) {
    const error = idsOf(operation)[name]
    const factory = error && factories[error]
    if (!factory) {
      throw new Error(`${operation.name}: add a factory of what {${name}} names (${error}) to test/matrix/resources.ts`)
    }
    params[name] = await factory(world, params, operation)
  }
  return params
}

/** The fields besides the path's that an operation cannot do without. */
function requiredFields({ inputs: schemas, pathParameters }: Operation): string[] {
  const shapes = schemas.flatMap((schema) => (schema instanceof z.ZodObject ? Object.entries(schema.shape) : []))
  return shapes
    .filter(([name, schema]) => !pathParameters.includes(name) && !z.safeParse(schema as z.ZodType, undefined).success)
    .map(([name]) => name)
}

async function inputOf(world: World, operation: Operation, params: Input): Promise<Input> {
  const make = inputs[operation.name]
  const required = requiredFields(operation)
  if (!make && required.length > 0) {
    throw new Error(`${operation.name}: add a valid input (${required.join(', ')}) to test/matrix/inputs.ts`)
  }
  return (await make?.(world, params)) ?? {}
}

/** A request of an operation, with objects of the world's owner that nothing else is done with. */
export async function freshRequest(world: World, operation: Operation): Promise<Request> {
  const params = await paramsOf(world, operation)
  return { params, input: await inputOf(world, operation, params) }
}
