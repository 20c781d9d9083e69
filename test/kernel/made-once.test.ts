import { beforeAll, describe, expect, test } from 'vitest'
import { operationsOf } from '../../src/api/operations.ts'
import { restRouter } from '../../src/router.ts'
import { facesOf, freshRequest } from '../matrix/request.ts'
import { callOn, createWorld, type World } from '../matrix/world.ts'
import { loseResponses, storedResults } from '../support/rows/idempotency.ts'

const creates = operationsOf(restRouter).filter(({ methods, meta }) => methods[0] === 'POST' && meta.status === 201)

let world: World
beforeAll(async () => {
  world = await createWorld()
})

const send = async (path: string, body: unknown, token: string, key: string) => {
  const answer = await world.app.send('POST', path, { token, body, headers: { 'idempotency-key': key } })
  return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), body: await answer.json() }
}

describe('a create that is sent again under its key, after its server was killed before it responded', () => {
  test.each(creates.map((operation) => [operation.name, operation] as const))(
    '%s makes nothing again, on each face',
    async (name, operation) => {
      const { token } = operation.meta.access === 'operator' ? world.operator : world.owner
      for (const face of facesOf(operation)) {
        const { params, input } = await freshRequest(world, operation)
        const call = () =>
          callOn(face)(world, operation, params, input, token, { 'idempotency-key': `${name} on ${face}` })
        const first = await call()
        expect(first).toMatchObject({ status: face === 'trpc' ? 200 : 201 })
        await loseResponses(world.app.database)
        expect(await call()).toEqual(first)
      }
    },
  )

  test('an import starts once, and is found while it runs', async () => {
    const { id } = await world.app.services.platform.assistants.create({ name: 'From outside' })
    const start = () => send('/imports', { ids: [id] }, world.operator.token, 'an import')
    const first = await start()
    expect(first).toMatchObject({ status: 201, body: { data: { state: 'running', total: 1 } } })
    await loseResponses(world.app.database)
    expect(await start()).toEqual(first)
  })

  test('covers the creates of operators, and what is noted shows no token', async () => {
    expect(creates.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'admin.workspaces.create',
        'admin.resellers.create',
        'admin.users.create',
        'tokens.create',
      ]),
    )
    const { data } = (await send('/user/tokens', { name: 'Script' }, world.owner.token, 'a token')).body
    const noted = await storedResults(world.app.database)
    expect([noted.length > 2, noted.includes(data.token)]).toEqual([true, false])
  })
})

describe('a keyed batch over tRPC', () => {
  const batch = (names: string[]) => `/trpc/${names.join(',')}?batch=1`

  test.each([
    ['agents.create', { name: 'a' }, { name: 'b' }],
    ['assistants.create', { name: 'a' }, { name: 'b' }],
    ['admin.workspaces.create', { name: 'a' }, { name: 'b' }],
    ['admin.resellers.create', { name: 'a' }, { name: 'a' }],
  ])('two of %s are two, also when they are sent again', async (name, one, two) => {
    const { token } = world.operator
    const made = await send(batch([name, name]), { 0: one, 1: two }, token, `two of ${name}`)
    const data = made.body.map(
      ({ result }: { result: { data: { data: Record<string, unknown> } } }) => result.data.data,
    )
    expect(data).toMatchObject([one, two])
    const ids = data.map((row: Record<string, unknown>) => row.id)
    expect(new Set(ids).size).toBe(2)
    await loseResponses(world.app.database)
    expect((await send(batch([name, name]), { 0: one, 1: two }, token, `two of ${name}`)).body).toEqual(made.body)
  })

  test('of which one failed is run again: what was made is found, and the rest tried', async () => {
    const { token } = world.operator
    const input = { 0: { name: 'Once' }, 1: { name: 'Ada', email: 'no address' } }
    const again = () => send(batch(['admin.workspaces.create', 'admin.users.create']), input, token, 'one of two')
    const [first, second] = [await again(), await again()]
    expect([first.status, second.status, second.replayed]).toEqual([207, 207, null])
    expect(second.body[0]).toEqual(first.body[0])
    expect(second.body[1].error.data.httpStatus).toBe(422)
  })

  test('that tRPC streams makes each of its calls', async () => {
    const { token } = world.operator
    const answer = await world.app.send('POST', batch(['agents.create', 'agents.create']), {
      token,
      body: { 0: { name: 'streamed' }, 1: { name: 'streamed too' } },
      headers: { 'idempotency-key': 'streamed', 'trpc-accept': 'application/jsonl' },
    })
    const text = await answer.text()
    expect([answer.status, text.includes('"streamed"'), text.includes('"streamed too"')]).toEqual([200, true, true])
  })
})
