import { beforeAll, describe, expect, test } from 'vitest'
import { type Operation, operationsOf } from '../../src/api/operations.ts'
import { restRouter } from '../../src/router.ts'
import { facesOf, freshRequest } from '../matrix/request.ts'
import { callOn, createWorld, type Face, type Made, type World } from '../matrix/world.ts'
import { newUser } from '../support/app.ts'
import { endDeliveries } from '../support/rows/deliveries.ts'
import { loseResponses, storedResults } from '../support/rows/idempotency.ts'

/** Done twice they are done once: they make nothing, or bring things to where they are then already. */
const repeatable = [
  ...['assistants.reconcile', 'phoneNumbers.reconcile', 'squads.reconcile'],
  ...['assistantBuilder.preview', 'drift.scan', 'profile.update'],
]

/** All others find what they made, whatever it is. */
const makers = operationsOf(restRouter).filter(
  ({ name, methods }) => methods[0] === 'POST' && !repeatable.includes(name),
)

let world: World
beforeAll(async () => {
  world = await createWorld()
})

const send = async (path: string, body: unknown, token: string, key: string) => {
  const answer = await world.app.send('POST', path, { token, body, headers: { 'idempotency-key': key } })
  return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), body: await answer.json() }
}

const tokenFor = ({ meta }: Operation) =>
  meta.access === 'public' ? undefined : meta.access === 'operator' ? world.operator.token : world.owner.token

/** Without a token a key counts over REST alone (contract: rest 21). */
const keyedFacesOf = (operation: Operation): Face[] =>
  operation.meta.access === 'public' ? ['rest'] : facesOf(operation)

describe('a POST that is sent again under its key, after its server was killed before it responded', () => {
  test.each(makers.map((operation) => [operation.name, operation] as const))(
    '%s makes nothing again, on each face',
    async (_, operation) => {
      for (const face of keyedFacesOf(operation)) {
        const { params, input } = await freshRequest(world, operation)
        const headers = { 'idempotency-key': crypto.randomUUID() }
        const call = () => callOn(face)(world, operation, params, input, tokenFor(operation), headers)
        const first = await call()
        expect(first).toMatchObject({ status: face === 'trpc' ? 200 : (operation.meta.status ?? 200) })
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

  test("a widget's key is replaced once", async () => {
    const { assistant_id: id } = await world.make('POST', '/assistants', { name: 'Widget' })
    const rotate = () => send(`/assistants/${id}/embed/rotate-key`, {}, world.owner.token, `rotate ${id}`)
    const key = async () => (await world.make('GET', `/assistants/${id}/embed`)).public_key
    const before = await key()
    await rotate()
    const rotated = await key()
    await loseResponses(world.app.database)
    expect(await rotate()).toMatchObject({ status: 200, replayed: null })
    expect([rotated === before, await key()]).toEqual([false, rotated])
  })

  test('a webhook is sent again once', async () => {
    const body = { name: 'Told', metadata: { webhook_url: 'https://hooks.example.com/calls' } }
    const { assistant_id: id } = await world.make('POST', '/assistants', body)
    await world.make('POST', `/assistants/${id}/test-calls`, {})
    const deliveries = async () => (await world.make('GET', `/assistants/${id}/deliveries`)) as unknown as Made[]
    const [delivery] = await deliveries()
    const replay = () => send(`/deliveries/${delivery?.id}/replay`, {}, world.owner.token, `replay ${id}`)
    const first = await replay()
    await endDeliveries(world.app.database)
    await loseResponses(world.app.database)
    expect(await replay()).toEqual(first)
    expect((await deliveries())[0]).toMatchObject({ id: delivery?.id, status: 'delivered' })
  })

  test('what is repeatable is a POST that there is, and what is noted shows no token', async () => {
    const names = operationsOf(restRouter).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(repeatable))
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

  test.each<[string, string[], Record<string, string>]>([
    ['as it is', ['agents.create,agents.create'], {}],
    ['as lines', ['agents.create,agents.create'], { 'trpc-accept': 'application/jsonl' }],
    ['that asks for JSON', ['agents.create,agents.create'], { 'trpc-accept': 'application/json' }],
    ['with an escaped comma', ['agents.create%2Cagents.create'], {}],
    ['with a procedure that does not exist', ['agents.create', 'agents.nothing'], {}],
  ])('%s, of which one fails, makes the other once', async (_, names, more) => {
    const token = (await newUser(world.app.database)).token
    const headers = { 'idempotency-key': crypto.randomUUID(), ...more }
    const again = async () => {
      const body = { 0: { name: 'Once' }, 1: { name: '' } }
      const response = await world.app.send('POST', batch(names), { token, body, headers })
      return [response.headers.get('idempotency-replayed'), (await response.text()).includes('"Once"')]
    }
    for (const _try of ['first', 'second']) expect(await again()).toEqual([null, true])
    await loseResponses(world.app.database)
    expect(await again()).toEqual([null, true])
    const { data } = await (await world.app.send('GET', '/agents', { token })).json()
    expect(data).toMatchObject([{ name: 'Once' }])
  })

  test('as lines may be sent again with another body when it could not be read', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID(), 'trpc-accept': 'application/jsonl' }
    const { token } = world.operator
    const statuses: number[] = []
    for (const body of ['{', '{"0":{"name":"Read"}}']) {
      const raw = { 'content-type': 'application/json', ...headers }
      statuses.push((await world.app.send('POST', batch(['agents.create']), { token, body, headers: raw })).status)
    }
    expect(statuses).toEqual([400, 200])
  })

  test('that tRPC streams makes each of its calls, and is kept when none of them failed', async () => {
    const { token } = world.operator
    const again = async () => {
      const response = await world.app.send('POST', batch(['agents.create', 'agents.create']), {
        token,
        body: { 0: { name: 'streamed' }, 1: { name: 'streamed too' } },
        headers: { 'idempotency-key': 'streamed', 'trpc-accept': 'application/jsonl' },
      })
      const { status, headers } = response
      return { status, replayed: headers.get('idempotency-replayed'), text: await response.text() }
    }
    const first = await again()
    expect([first.text.includes('"streamed"'), first.text.includes('"streamed too"')]).toEqual([true, true])
    expect(await again()).toEqual({ status: 200, replayed: 'true', text: first.text })
  })
})
