import { beforeAll, describe, expect, test } from 'vitest'
import { type Operation, operationsOf } from '../src/api/operations.ts'
import { restRouter } from '../src/router.ts'
import { callerOf, facesOf, freshRequest, idsOf, notFound, type Request } from './matrix/request.ts'
import { type Answer, callOn, createWorld, type Input, type World } from './matrix/world.ts'
import type { TestUser } from './support/app.ts'

/** Who may do what, over every procedure of the router, on both faces: a procedure added tomorrow is in it. */
const operations = operationsOf(restRouter)
const closed = operations.filter(({ meta }) => meta.access !== 'public')
const named = (list: Operation[]) => list.map((operation) => [operation.name, operation] as const)

let world: World
beforeAll(async () => {
  world = await createWorld()
})

/** Values of a path that name nothing: what the gates refuse, they refuse before they look. */
const nowhere = ({ pathParameters }: Operation): Input => Object.fromEntries(pathParameters.map((name) => [name, '~']))

const permissionDenied = {
  status: 403,
  body: { success: false, message: 'Your workspace role does not allow this change.' },
}

const kept = new Map<string, Promise<Request>>()

/** One request of an operation for all calls that change nothing. */
function keptRequest(operation: Operation): Promise<Request> {
  const known = kept.get(operation.name) ?? freshRequest(world, operation)
  kept.set(operation.name, known)
  return known
}

/** Calls an operation with everything right but the caller, on each face. */
async function refuses(operation: Operation, caller: TestUser, expected: Answer): Promise<void> {
  const { params, input } = await keptRequest(operation)
  for (const face of facesOf(operation)) {
    const answer = await callOn(face)(world, operation, params, input, caller.token)
    expect({ face, ...answer }).toEqual({ face, ...expected })
  }
}

/** Success is 200 on tRPC, and what the operation says on REST. */
async function succeeds(operation: Operation, caller: TestUser): Promise<void> {
  for (const face of facesOf(operation)) {
    const { params, input } = await (operation.type === 'query'
      ? keptRequest(operation)
      : freshRequest(world, operation))
    const answer = await callOn(face)(world, operation, params, input, caller.token)
    const status = face === 'trpc' ? 200 : (operation.meta.status ?? 200)
    expect({ face, status: answer.status, ...(answer.status !== status && { body: answer.body }) }).toEqual({
      face,
      status,
    })
  }
}

test.each(named(closed))('%s asks for a valid token, before anything else', async (_name, operation) => {
  const message = 'Unauthenticated.'
  const envelope = { error: { message, type: 'invalid_request_error', code: 401 } }
  const body = { message, ...(operation.meta.document === 'completions' && envelope) }
  for (const token of [undefined, 'vk_wrong', world.expired, world.suspended]) {
    for (const face of operation.meta.download ? (['rest'] as const) : (['rest', 'trpc'] as const)) {
      expect(await callOn(face)(world, operation, nowhere(operation), {}, token)).toEqual({ status: 401, body })
    }
  }
})

const chats = closed.filter(({ meta }) => meta.document === 'agents' || meta.document === 'completions')
test.each(named(chats))('%s asks for a verified e-mail address', async (_name, operation) => {
  for (const face of facesOf(operation)) {
    const answer = await callOn(face)(world, operation, nowhere(operation), {}, world.unverified.token)
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      code: 'EMAIL_NOT_VERIFIED',
      message: 'Your e-mail address is not verified yet.',
    })
  }
})

const gated = closed.filter(({ meta }) => meta.feature)
test.each(named(gated))('%s asks for its feature', async (_name, operation) => {
  const { feature } = operation.meta
  for (const face of facesOf(operation)) {
    const { status, body } = await callOn(face)(world, operation, nowhere(operation), {}, world.withoutFeatures.token)
    expect([status, body]).toMatchObject([
      403,
      { success: false, message: `The feature ${feature} is not enabled for this account.`, feature },
    ])
  }
})

const withIds = operations.filter(({ pathParameters }) => pathParameters.length > 0)
test.each(named(withIds))('%s answers a malformed id as one that names nothing', async (_name, operation) => {
  const { params, input } = await keptRequest(operation)
  for (const name of operation.pathParameters) {
    const error = idsOf(operation)[name]
    if (!error) throw new Error(`${operation.name}: say in its metadata which 404 {${name}} answers (ids)`)
    for (const face of facesOf(operation)) {
      const { token } = callerOf(world, operation)
      const answer = await callOn(face)(world, operation, { ...params, [name]: '~' }, input, token)
      expect({ face, name, ...answer }).toEqual({ face, name, ...notFound(operation, error) })
    }
  }
})

const operatorsOnly = closed.filter(({ meta }) => meta.access === 'operator')
describe.each(named(operatorsOnly))('%s', (_name, operation) => {
  test('is for operators alone', async () => {
    const expected = { status: 403, body: { success: false, message: 'Only an operator may do this.' } }
    for (const caller of [world.owner, world.resellerAdmin]) await refuses(operation, caller, expected)
  })

  test('is done by an operator', () => succeeds(operation, world.operator))
})

const voice = closed.filter(({ meta }) => meta.document === 'voice')
const scoped = voice.filter(({ pathParameters }) => pathParameters.length > 0)
describe.each(named(scoped))('%s', (_name, operation) => {
  const error = idsOf(operation)[operation.pathParameters[0] ?? ''] ?? 'internal_error'

  test('is not there for another workspace, another reseller and its admin', async () => {
    for (const caller of [world.neighbour, world.otherReseller, world.otherResellerAdmin]) {
      await refuses(operation, caller, notFound(operation, error))
    }
  })

  test("is done by the owner, the reseller's admin and an operator", async () => {
    for (const caller of [world.owner, world.resellerAdmin, world.operator]) await succeeds(operation, caller)
  })
})

test.each(named(voice))('%s is for a viewer only if it reads', async (_name, operation) => {
  const isRead = operation.type === 'query' || operation.name === 'assistantBuilder.preview'
  if (isRead) await succeeds(operation, world.viewer)
  else await refuses(operation, world.viewer, permissionDenied)
})

const unscoped = voice.filter(({ pathParameters }) => pathParameters.length === 0)
test.each(named(unscoped))('%s is done by anyone else who may write', async (_name, operation) => {
  for (const caller of [world.owner, world.resellerAdmin, world.operator]) await succeeds(operation, caller)
})

const personal = closed.filter(({ meta }) => meta.access !== 'operator' && meta.document !== 'voice')
test.each(named(personal))('%s is done by the owner', (_name, operation) => succeeds(operation, world.owner))

/** A model belongs to nobody: everyone may read it. */
const owned = personal.filter(({ name, pathParameters }) => pathParameters.length > 0 && name !== 'models.get')
test.each(named(owned))('%s is not there for anyone else, admins too', async (_name, operation) => {
  const error = idsOf(operation)[operation.pathParameters[0] ?? ''] ?? 'internal_error'
  const others = [world.viewer, world.neighbour, world.resellerAdmin, world.otherReseller, world.operator]
  for (const caller of others) await refuses(operation, caller, notFound(operation, error))
})

const open = operations.filter(({ meta }) => meta.access === 'public')
test.each(named(open))('%s needs no token', async (_name, operation) => {
  for (const face of facesOf(operation)) {
    const { params, input } = await freshRequest(world, operation)
    const answer = await callOn(face)(world, operation, params, input)
    expect([answer.status, answer.body]).toEqual([operation.meta.status ?? 200, expect.anything()])
  }
})
