import { beforeAll, describe, expect, test } from 'vitest'
import { type Operation, operationsOf } from '../../src/api/operations.ts'
import { appRouter } from '../../src/router.ts'
import { facesOf, freshRequest } from '../matrix/request.ts'
import { createWorld, type World } from '../matrix/world.ts'
import { testClock } from '../support/app.ts'
import { type Face, facesOf as rpcFacesOf } from '../support/rpc-faces.ts'

/** Every query and mutation, as it is answered here and by tRPC's handler (record 22): one added tomorrow is in it. */
const operations = operationsOf(appRouter).filter((operation) => facesOf(operation).includes('trpc'))
const named = (list: Operation[]) => list.map((operation) => [operation.name, operation] as const)

let world: World
let faces: { own: Face; official: Face }
beforeAll(async () => {
  world = await createWorld({ clock: testClock() })
  faces = rpcFacesOf(world.app.services)
})

const requestOf = ({ name, type }: Operation, input: unknown, token: string | undefined) => {
  const text = JSON.stringify(input)
  const headers = { 'x-request-id': 'same', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const address = `http://localhost/trpc/${name}`
  if (type === 'query') return new Request(`${address}?input=${encodeURIComponent(text)}`, { headers })
  return new Request(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: text,
  })
}

async function saidBy(face: Face, operation: Operation, input: unknown, token: string | undefined) {
  const taken = face.taken
  const response = await face.answer(requestOf(operation, input, token))
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: await response.text(), taken: face.taken - taken }
}

/** What differs between two that were made alike: what it says, not how it says it. */
const shapeOf = (text: string) =>
  JSON.stringify(JSON.parse(text, (_, value) => (typeof value === 'object' ? value : typeof value)))

/** What says how the process is at the time. */
const changing = ['admin.installation.get']

type Said = Awaited<ReturnType<typeof saidBy>>

/** Says the same of the same request, and with the same shape where it is not the same at two times. */
function expectAlike(own: Said, official: Said, isSame: boolean): void {
  expect([own.taken, official.taken]).toEqual([1, 0])
  const comparable = ({ status, headers, body }: Said) =>
    isSame ? { status, headers, body } : { status, headers: Object.keys(headers), body: shapeOf(body) }
  expect(comparable(own)).toEqual(comparable(official))
}

const tokenFor = ({ meta }: Operation) =>
  meta.access === 'public' ? undefined : meta.access === 'operator' ? world.operator.token : world.owner.token

test('there are many', () => {
  expect(operations.length).toBeGreaterThan(140)
})

describe('a request without a right, or of nothing that there is, is as by the handler of tRPC', () => {
  test.each(named(operations))('%s', async (_, operation) => {
    const wrong = Object.fromEntries([...operation.pathParameters, 'name', 'page', 'content'].map((key) => [key, {}]))
    const { viewer, operator } = world
    const tries = [
      [undefined, {}],
      [viewer.token, null],
      [viewer.token, wrong],
      [operator.token, wrong],
      [tokenFor(operation), [wrong]],
    ] as const
    for (const [token, input] of tries) {
      const own = await saidBy(faces.own, operation, input, token)
      const official = await saidBy(faces.official, operation, input, token)
      expectAlike(own, official, !changing.includes(operation.name))
    }
  })
})

describe('what is right is done the same as by the handler of tRPC', () => {
  test.each(named(operations))('%s', async (_, operation) => {
    const token = tokenFor(operation)
    const freshInput = async () => {
      const { params, input } = await freshRequest(world, operation)
      return { ...params, ...input }
    }
    const input = await freshInput()
    const own = await saidBy(faces.own, operation, input, token)
    expect(own.status).toBe(200)
    const isSame = operation.type === 'query' && !changing.includes(operation.name)
    const official = await saidBy(faces.official, operation, isSame ? input : await freshInput(), token)
    expectAlike(own, official, isSame)
  })
})
