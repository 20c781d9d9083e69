import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorName } from '../src/api/errors/api-error.ts'
import { type Operation, operationsOf } from '../src/api/operations.ts'
import { restRouter } from '../src/router.ts'
import { callerOf, facesOf, freshRequest, idsOf, notFound, paramsOf, type Request } from './matrix/request.ts'
import { callOn, createWorld, type Input, type World, worldOf } from './matrix/world.ts'
import { newTokenFor } from './support/app.ts'

/**
 * Paths that name several objects, with ids that exist and do not belong together, and objects of another token: a
 * service that looks an object up by its id alone is found here. A procedure that is added tomorrow is in it.
 */
const operations = operationsOf(restRouter)
const named = (list: Operation[]) => list.map((operation) => [operation.name, operation] as const)

/** What does not belong to what stands before it in a path, by its 404: whose it is. */
const free: Partial<Record<ErrorName, 'owner' | 'everybody'>> = {
  // All agents of a connector's owner may use it.
  connector_not_found: 'owner',
  // An agent is shared with any user.
  share_user_not_found: 'everybody',
}

/** What is its token's, not its user's (contract: chats 2), by its 404. */
const ofToken: ErrorName[] = ['chat_not_found']

let world: World
let stranger: World
beforeAll(async () => {
  world = await createWorld()
  stranger = worldOf(world, world.otherReseller)
})

function errorOf(operation: Operation, name: string): ErrorName {
  const error = idsOf(operation)[name]
  if (!error) throw new Error(`${operation.name}: say in its metadata which 404 {${name}} answers (ids)`)
  return error
}

/** One call on each face, which finds nothing. */
async function findsNothing(operation: Operation, { params, input }: Request, error: ErrorName, token: string) {
  for (const face of facesOf(operation)) {
    const answer = await callOn(face)(world, operation, params, input, token)
    expect({ face, params, ...answer }).toEqual({ face, params, ...notFound(operation, error) })
  }
}

/** The ids below the first one of a path. */
const below = (operation: Operation) =>
  operation.pathParameters.slice(1).map((name) => ({ name, error: errorOf(operation, name) }))

/** The request with one id of the path replaced by that of `others`. */
const mixed = ({ params, input }: Request, name: string, others: Input): Request => ({
  params: { ...params, [name]: others[name] },
  input,
})

const nested = operations.filter(({ pathParameters }) => pathParameters.length > 1)
describe.each(named(nested))('%s', (_name, operation) => {
  test("finds nothing under one's own parent that is of another parent of one's own", async () => {
    const request = await freshRequest(world, operation)
    const others = await paramsOf(world, operation)
    const { token } = callerOf(world, operation)
    for (const { name, error } of below(operation).filter(({ error }) => !free[error])) {
      await findsNothing(operation, mixed(request, name, others), error, token)
    }
  })

  test("finds nothing in a path that mixes one's own with a stranger's", async () => {
    const request = await freshRequest(world, operation)
    const others = await paramsOf(stranger, operation)
    const { token } = callerOf(world, operation)
    for (const { name, error } of below(operation).filter(({ error }) => free[error] !== 'everybody')) {
      await findsNothing(operation, mixed(request, name, others), error, token)
    }
    const [parent = '', child = ''] = operation.pathParameters
    // An operator sees every parent, and misses what is not in it.
    const missed = operation.meta.access === 'operator' ? child : parent
    await findsNothing(operation, mixed(request, parent, others), errorOf(operation, missed), token)
  })
})

const tokens = operations.filter((operation) => Object.values(idsOf(operation)).some((name) => ofToken.includes(name)))
test.each(named(tokens))('%s finds nothing of another token of the same user', async (_name, operation) => {
  const request = await freshRequest(world, operation)
  const token = await newTokenFor(world.app.database, world.owner.userId)
  const error = ofToken.find((name) => Object.values(idsOf(operation)).includes(name)) ?? 'internal_error'
  await findsNothing(operation, request, error, token)
})
