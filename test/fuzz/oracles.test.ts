import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { readDescription } from '../../fuzz/description.ts'
import { isObject } from '../../fuzz/json.ts'
import { choicesOf, type Lane } from '../../fuzz/lane.ts'
import { judge } from '../../fuzz/oracles.ts'
import { play, requestOf } from '../../fuzz/play.ts'
import { Pool } from '../../fuzz/pool.ts'
import type { FuzzRequest, Seen } from '../../fuzz/request.ts'
import { rpcRequest } from '../../fuzz/rpc.ts'
import { changedField, difference } from '../../fuzz/state.ts'
import { given } from '../../fuzz/target.ts'

const description = readDescription()
const bobs = '3f0c8a52-7d1e-4b6a-9c24-5e8f1a2b3c4d'

/** A lane of which no server knows; `bobs` is an object of Bob's. */
function newLane(): Lane {
  const pool = new Pool()
  pool.add('bob', { collection: '/agents', id: bobs })
  const tokens = {
    ada: 'vk_ada',
    viewer: 'vk_viewer',
    bob: 'vk_bob',
    operator: 'vk_operator',
    wrong: 'vk_w',
    nobody: undefined,
  }
  const markers = { ada: 'mk0123456789aba1x', bob: 'mk0123456789abb1x' }
  return {
    number: 0,
    maxMilliseconds: 5000,
    target: given('http://localhost', 'vk_operator'),
    description,
    cast: { tokens, markers, guests: [7] },
    pool,
  }
}

/** Ada's GET /models. */
function newRequest(change: Partial<FuzzRequest> = {}): FuzzRequest {
  const operation = description.find('GET', '/models')
  if (!operation) throw new Error('GET /models is not described')
  const call = { operation, values: {}, path: '/models', owner: undefined, sent: undefined, routed: true }
  return {
    number: 0,
    kind: 'rest',
    as: 'ada',
    method: 'GET',
    target: '/models',
    headers: [['authorization', 'Bearer vk_ada']],
    body: undefined,
    calls: [call],
    pieces: [],
    hangs: false,
    ...change,
  }
}

function newResponse(status: number, body: unknown, change: Partial<Seen> = {}): Seen {
  const text = JSON.stringify(body)
  return { status, headers: [], type: 'application/json', text, body, milliseconds: 3, ...change }
}

const model = { id: 'm', object: 'model', owned_by: 'switchboard' }
const refusal = (message: string) => newResponse(401, { message })

test('a response as described is no finding', () => {
  expect(judge(newLane(), newRequest(), refusal('Unauthenticated.'))).toEqual([])
})

test.each<[string, Seen, RegExp, Partial<FuzzRequest>?]>([
  ['a 500', newResponse(500, { message: 'Broken' }), /^status 500/],
  ['a status that is not declared', newResponse(418, { message: 'Tea' }), /status 418 is not declared/],
  [
    'a body that is not as described',
    newResponse(200, { object: 'list', data: [{ ...model, id: 5 }] }),
    /not as described/,
  ],
  ['a body that is no JSON', newResponse(200, {}, { text: '{', body: undefined }), /the body is no JSON/],
  [
    'a refusal in HTML',
    newResponse(401, {}, { type: 'text/html', text: '<p>', body: undefined }),
    /media type "text\/html"/,
  ],
  ['a slow response', { ...refusal('Unauthenticated.'), milliseconds: 5001 }, /took 5001 ms/],
  ['a stack trace', refusal('at handler (/app/main.js:1:2)'), /a stack trace/],
  ['SQL', refusal('Failed query: select "id" from "users"'), /holds SQL/],
  ['the name of an error', refusal('TypeError: undefined'), /the name of an error/],
  ["another's token", refusal('vk_bob'), /the token of bob is shown/],
  ["another's words", refusal('Agent of mk0123456789abb1x'), /another tenant's marker/],
  ["another's id", refusal(`Agent ${bobs}`), /another tenant's id/],
  [
    'done without a token',
    newResponse(200, { object: 'list', data: [] }),
    /done without a token/,
    { as: 'nobody', headers: [] },
  ],
])('%s is a finding', (_name, seen, expected, change) => {
  expect(judge(newLane(), newRequest(change), seen).join('\n')).toMatch(expected)
})

test("a call that is done with another tenant's object is a finding", () => {
  const request = newRequest()
  const calls = request.calls.map((call) => ({ ...call, owner: 'bob' as const }))
  const found = judge(newLane(), { ...request, calls }, newResponse(200, { object: 'list', data: [] }))
  expect(found).toContain('GET /models: done with an object of bob')
})

test('what a tenant named itself may be said back', () => {
  const target = `/models?id=${bobs}`
  expect(judge(newLane(), newRequest({ target }), refusal(`No ${bobs}`))).toEqual([])
})

test('what a visitor wrote is read by the owner of the website', () => {
  const shown = refusal('Hello from mk0123456789abb1x')
  expect(judge(newLane(), newRequest({ target: '/assistants/1/conversations' }), shown)).toEqual([])
})

test("another's draft that a tenant sends as voice_workflow_id may be said back, and nowhere else", () => {
  const draft = 'draft_front-desk-mk0123456789abb1x-33d0a219'
  const shown = refusal(`It leads to ${draft}`)
  const sending = (field: string) => judge(newLane(), newRequest({ body: JSON.stringify({ [field]: draft }) }), shown)
  expect(sending('voice_workflow_id')).toEqual([])
  expect(sending('voice_squad_id').join()).toMatch(/another tenant's marker/)
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

test('what an operator writes to over tRPC stays what it is, whatever is wrong with the rest', () => {
  const lane = newLane()
  lane.pool.add('operator', { collection: '/admin/users', id: '4711' })
  const operation = description.find('PATCH', '/admin/users/{id}')
  if (!operation) throw new Error('PATCH /admin/users/{id} is not described')
  const named = Array.from({ length: 300 }, (_, number) => {
    const { body } = rpcRequest(lane, choicesOf(7, number), number, 'operator', operation)
    const whole = parsed(String(body))
    return isObject(whole) && !('0' in whole) ? whole.id : undefined
  }).filter((id) => id !== undefined)
  expect(named.length).toBeGreaterThan(50)
  // Ids that name nobody are sent as well.
  expect([...new Set(named.map(Number))].filter((id) => id > 0 && id < 1000)).toEqual([])
})

test('a change behind a refusal is seen, and a value that reads differently', () => {
  const before = new Map<string, unknown>([['/agents', { status: 200, body: [{ name: 'A' }] }]])
  expect(difference(before, new Map(before))).toBeUndefined()
  expect(difference(before, new Map([['/agents', { status: 200, body: [] }]]))).toBe('/agents')
  expect(changedField({ name: 'A', maxTokens: 5 }, { name: 'A', max_tokens: 5 })).toBeUndefined()
  expect(changedField({ maxTokens: 5 }, { max_tokens: 6 })).toBe('maxTokens: 5 reads 6')
})

test('the same seed makes the same requests, another seed others', () => {
  const made = (seed: number) => Array.from({ length: 200 }, (_, number) => requestOf(newLane(), seed, number))
  expect(made(7)).toEqual(made(7))
  expect(made(8)).not.toEqual(made(7))
})

test('what a refused write changes is found; after a write that was left, when it changes it again', async () => {
  let reads = 0
  const steps = { always: () => reads++, once: () => Math.min(reads++, 1) }
  let next: () => number = steps.always
  const server = Bun.serve({
    port: 0,
    fetch: ({ method }) =>
      Response.json(method === 'GET' ? { data: [next()] } : {}, { status: method === 'GET' ? 200 : 404 }),
  })
  const lane = { ...newLane(), target: given(server.url.origin, 'vk_operator') }
  const numbers = Array.from({ length: 400 }, (_, number) => number)
  const rest = numbers.filter((one) => requestOf(lane, 1, one).kind === 'rest')
  /** Whether a difference is found in one of the requests, each of which meets lists that change so. */
  const isFound = async (step: () => number, of: Lane) => {
    next = step
    for (const number of rest) {
      reads = 0
      const found = await play({ ...of }, 1, number)
      if (found.some(({ problem }) => /^refused with 404, and \/.+ reads differently$/.test(problem))) return true
    }
    return false
  }
  const left = () => ({ ...lane, leftAt: performance.now() + 60_000, maxMilliseconds: 5 })
  expect(await isFound(steps.always, lane)).toBe(true)
  expect(await isFound(steps.once, lane)).toBe(true)
  expect(await isFound(steps.always, left())).toBe(true)
  expect(await isFound(steps.once, left())).toBe(false)
  server.stop(true)

  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const unheard: Lane = { ...newLane(), target: given(`http://127.0.0.1:${port}`, 'vk_operator') }
  const isLeft = ({ hangs, calls }: FuzzRequest) => hangs && calls.some(({ operation }) => operation.method !== 'GET')
  const number = numbers.find((one) => isLeft(requestOf(unheard, 1, one)))
  await play(unheard, 1, Number(number))
  expect(unheard.leftAt).toBeGreaterThan(0)
  silent.close()
})
