import { beforeAll, describe, expect, test } from 'vitest'
import { type TokenScope, tokenAreas } from '../src/accounts/account.ts'
import { type Operation, operationsOf } from '../src/api/operations.ts'
import { hashToken } from '../src/resources/tokens/secret.ts'
import { restRouter } from '../src/router.ts'
import { callerOf, refusal } from './admin/caller.ts'
import { facesOf, freshRequest } from './matrix/request.ts'
import { callOn, createWorld, type World } from './matrix/world.ts'
import { newTokenFor, newUser, type TestApp, type TestClock, testApp, testClock } from './support/app.ts'
import { changeToken } from './support/rows/accounts.ts'

/** Every procedure of the router with tokens whose scopes say less than their user may. */
const operations = operationsOf(restRouter).filter(({ meta }) => meta.access !== 'public')

const areaOf = ({ meta }: Operation) => (meta.access === 'operator' ? 'admin' : (meta.feature ?? 'account'))
const reads = ({ type, meta }: Operation) => (meta.permission ?? (type === 'query' ? 'read' : 'write')) === 'read'
const neededBy = (operation: Operation): TokenScope => `${areaOf(operation)}:${reads(operation) ? 'read' : 'write'}`

let world: World
const made = new Map<string, Promise<string>>()
beforeAll(async () => {
  world = await createWorld()
})

/** A token with these scopes, of the user who may call the operation. */
function scoped(operation: Operation, scopes: TokenScope[]): Promise<string> {
  const { userId } = operation.meta.access === 'operator' ? world.operator : world.owner
  const key = `${userId} ${scopes.join()}`
  const token = made.get(key) ?? newTokenFor(world.app.database, userId, undefined, scopes)
  made.set(key, token)
  return token
}

const nowhere = ({ pathParameters }: Operation) => Object.fromEntries(pathParameters.map((name) => [name, '~']))

const missing = (scope: TokenScope) => ({
  status: 403,
  body: expect.objectContaining({ message: `This token does not have the scope ${scope}.`, scope }),
})

async function refuses(operation: Operation, scopes: TokenScope[]): Promise<void> {
  const token = await scoped(operation, scopes)
  for (const face of facesOf(operation)) {
    const response = await callOn(face)(world, operation, nowhere(operation), {}, token)
    expect({ face, scopes, ...response }).toEqual({ face, scopes, ...missing(neededBy(operation)) })
  }
}

const named = (list: Operation[]) => list.map((operation) => [operation.name, operation] as const)

/** Gives the scopes to the very token that the operation's objects were made with: a chat is seen by no other. */
async function narrow(token: string, scopes: TokenScope[] | null): Promise<void> {
  const { database, services } = world.app
  await changeToken(database, hashToken(token), { scopes })
  services.invalidateAccounts()
}

test.each(named(operations.filter(reads)))('%s is done with a token that only reads', async (_name, operation) => {
  const { params, input } = await freshRequest(world, operation)
  const { token } = operation.meta.access === 'operator' ? world.operator : world.owner
  await narrow(token, ['read'])
  try {
    for (const face of facesOf(operation)) {
      const { status, body } = await callOn(face)(world, operation, params, input, token)
      expect({ face, status, ...(status !== 200 && { body }) }).toEqual({ face, status: 200 })
    }
  } finally {
    await narrow(token, null)
  }
})

const writes = operations.filter((operation) => !reads(operation))
test.each(named(writes))('%s is refused to a token that only reads', (_name, operation) => refuses(operation, ['read']))

test.each(named(operations))('%s asks for the scope of its own area', async (_name, operation) => {
  const area = areaOf(operation)
  const others = tokenAreas.filter((other) => other !== area).map((other): TokenScope => `${other}:write`)
  await refuses(operation, reads(operation) ? others : [...others, `${area}:read`])
  for (const scope of [neededBy(operation), `${area}:write`, 'write'] as const) {
    const token = await scoped(operation, [scope])
    const { body } = await callOn('rest')(world, operation, nowhere(operation), {}, token)
    expect(body).not.toMatchObject({ scope: expect.anything() })
  }
})

describe('a token made with a token', () => {
  let app: TestApp
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    app = await testApp({ clock })
  })

  const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000)
  async function maker(scopes?: TokenScope[], expiresAt?: Date) {
    const user = await newUser(app.database, { role: 'admin' })
    return callerOf(app, { ...user, token: await newTokenFor(app.database, user.userId, expiresAt, scopes) })
  }
  const paths = ['/user/tokens', '/admin/users/{id}/tokens']

  test.each(paths)('has the end and the scopes of its maker when nothing is said: %s', async (path) => {
    const scopes: TokenScope[] = ['read', 'account:write', 'admin:write']
    const user = await maker(scopes, inMinutes(60))
    const response = await user.send('POST', path.replace('{id}', String(user.userId)), { name: 'Next' })
    expect(response).toMatchObject({ status: 201, body: { data: { scopes, expires_at: inMinutes(60).toISOString() } } })
    const listed = await user.send('GET', '/user/tokens')
    expect(listed.body.data).toMatchObject([{ name: 'Next', scopes }, { scopes }, { scopes: null }])
    const next = callerOf(app, { ...user, token: String(response.body.data.token) })
    expect(await next.send('POST', '/assistants', { name: 'Desk' })).toMatchObject(missing('assistants:write'))
    expect((await next.send('GET', '/user/access')).body.data).toMatchObject({ scopes })
    clock.advance(60 * 60_000)
    expect((await next.send('GET', '/user')).status).toBe(401)
  })

  test('may have less', async () => {
    const user = await maker()
    const expires_at = inMinutes(5).toISOString()
    const scopes = ['assistants:write', 'read', 'assistants:write']
    const { body } = await user.send('POST', '/user/tokens', { name: 'Less', expires_at, scopes })
    expect(body.data).toMatchObject({ expires_at, scopes: ['read', 'assistants:write'] })
    const narrow = await maker(['write'], inMinutes(10))
    const sent = { name: 'Less', expires_at, scopes: ['squads:read'] }
    expect((await narrow.send('POST', '/user/tokens', sent)).status).toBe(201)
  })

  const end = 'The expires_at field must not be after the end of your own token.'
  const own = 'The scopes field must name scopes of your own token.'
  const refused: [sent: () => object, field: string, text: string][] = [
    [() => ({ expires_at: null }), 'expires_at', end],
    [() => ({ expires_at: inMinutes(61).toISOString() }), 'expires_at', end],
    [() => ({ scopes: null }), 'scopes', own],
    [() => ({ scopes: ['read', 'write'] }), 'scopes.1', 'The scopes.1 field must be a scope of your own token.'],
    [() => ({ scopes: ['squads:write'] }), 'scopes.0', 'The scopes.0 field must be a scope of your own token.'],
  ]
  test.each(paths)('is refused more: %s', async (path) => {
    const user = await maker(['read', 'account:write', 'admin:write'], inMinutes(60))
    for (const [sent, field, text] of refused) {
      const response = await user.send('POST', path.replace('{id}', String(user.userId)), { name: 'More', ...sent() })
      expect(response).toEqual(refusal(field, text))
    }
  })

  test.each([[['everything']], [[]], ['read']])('cannot have the scopes %j', async (scopes) => {
    const { status, body } = await (await maker()).send('POST', '/user/tokens', { name: 'Odd', scopes })
    expect([status, Object.keys(body.errors as object)]).toEqual([422, [expect.stringMatching(/^scopes/)]])
  })
})
