import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, TRPCClientError } from '@trpc/client'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { publicProcedure, router } from '../../src/api/trpc.ts'
import type { Dependencies } from '../../src/app/dependencies.ts'
import { type AppRouter, appRouter } from '../../src/router.ts'
import { newTokenFor, newUser, type TestUser, testApp, testClock } from '../support/app.ts'
import { newDatabase } from '../support/database.ts'
import { type Face, faceOf, facesOf } from '../support/rpc-faces.ts'

let services: Dependencies
let user: TestUser
let other: Record<'viewer' | 'unverified' | 'off' | 'reader', string>
let assistantId: string
beforeAll(async () => {
  const app = await testApp({ clock: testClock() })
  services = app.services
  user = await newUser(app.database)
  other = {
    viewer: (await newUser(app.database, { workspaceId: user.workspaceId, workspaceRole: 'viewer' })).token,
    unverified: (await newUser(app.database, { emailVerified: false })).token,
    off: (await newUser(app.database, { features: [] })).token,
    reader: await newTokenFor(app.database, user.userId, undefined, ['read']),
  }
  const made = await app.send('POST', '/assistants', { token: user.token, body: { name: 'Front desk' } })
  assistantId = (await made.json()).data.assistant_id
})

interface Asked {
  method?: string
  path: string
  token?: string | null
  headers?: Record<string, string>
  body?: string
}

const requestOf = ({ method = 'GET', path, token = user.token, headers = {}, body }: Asked) =>
  new Request(`http://localhost/trpc/${path.replaceAll('ID', assistantId)}`, {
    method,
    headers: { 'x-request-id': 'same', ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body: body.replaceAll('ID', assistantId) }),
  })

/** What differs from one create to the next. */
const volatile = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|"(id|created_by)":\d+|W\/\\?"[\da-z]+\\?"/g

async function saidBy(face: Face, asked: Asked, isCreate: boolean) {
  const response = await face.answer(requestOf(asked))
  const headers = Object.fromEntries(response.headers)
  const text = JSON.stringify({ status: response.status, headers, body: await response.text() })
  return JSON.parse(isCreate ? text.replace(volatile, '-') : text)
}

async function compare(asked: Asked, isCreate = false) {
  const { own, official } = facesOf(services)
  const said = await saidBy(own, asked, isCreate)
  expect(said).toEqual(await saidBy(official, asked, isCreate))
  expect([own.taken, official.taken]).toEqual([1, 0])
  return said
}

const input = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`
const one = `assistants.get?${input({ assistantId: 'ID' })}`
const json = { 'content-type': 'application/json' }
const post = (path: string, body?: unknown, more: Partial<Asked> = {}): Asked => ({
  ...more,
  method: 'POST',
  path,
  headers: { ...json, ...more.headers },
  ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
})
const batch = (names: string, value: unknown) => `${names}?batch=1&${input(value)}`

/** Deeper than what writes JSON anew could follow. */
const nested = '['.repeat(60_000) + ']'.repeat(60_000)

test('what the reads of one request give together is bounded, and what of it is read at once', async () => {
  let pages = 0
  const onQuery = (statement: string) => {
    if (/\bfrom "?assistants\b.*\blimit\b/s.test(statement)) pages += 1
  }
  const database = await newDatabase({ onQuery })
  onTestFinished(() => database.close())
  const app = await testApp({ database })
  const { token } = await newUser(app.database)
  const model = { messages: Array.from({ length: 19 }, () => ({ role: 'system', content: 'x'.repeat(10_000) })) }
  for (const name of ['One', 'Two', 'Three']) {
    expect((await app.send('POST', '/assistants', { token, body: { name, model } })).status).toBe(201)
  }
  const names = Array.from({ length: 50 }, () => 'assistants.list')
  pages = 0
  await app.send('GET', '/trpc/assistants.list', { token })
  const perCall = pages
  expect(perCall).toBeGreaterThan(0)
  pages = 0
  const asked = await app.send('GET', `/trpc/${batch(names.join(','), {})}`, { token })
  const text = await asked.text()
  expect(pages).toBeLessThan(40 * perCall)
  const calls = JSON.parse(text)
  expect([asked.status, calls.length, calls[0].result.data.data.length]).toEqual([207, 50, 3])
  const message = 'What these calls give is too large for one response. Ask for fewer at a time.'
  expect(calls.at(-1).error).toMatchObject({ message, data: { httpStatus: 422 } })
  expect(text.length).toBeLessThan(17_000_000)
  const headers = { 'trpc-accept': 'application/jsonl' }
  pages = 0
  const streamed = await (await app.send('GET', `/trpc/${batch(names.join(','), {})}`, { token, headers })).text()
  expect([streamed.includes(message), streamed.length < 17_000_000]).toEqual([true, true])
  expect(pages).toBeLessThan(40 * perCall)
})

describe('a plain call is answered as by the handler of tRPC', () => {
  test.each<[string, number, () => Asked]>([
    ['one', 200, () => ({ path: one })],
    ['with a content type', 200, () => ({ path: one, headers: { 'content-type': 'Application/JSON; charset=utf-8' } })],
    ['without an input', 200, () => ({ path: 'assistants.list' })],
    ['in an encoding', 200, () => ({ path: one, headers: { 'accept-encoding': 'gzip' } })],
    ['with a tag that is known', 304, () => ({ path: one, headers: { 'if-none-match': '*' } })],
    ['of a batch', 200, () => ({ path: batch('assistants.get,assistants.list', { 0: { assistantId: 'ID' }, 1: {} }) })],
    ['of a batch of one', 200, () => ({ path: batch('assistants.get', { 0: { assistantId: 'ID' } }) })],
    ['the same twice', 200, () => ({ path: batch('assistants.list,assistants.list', {}) })],
    ['of a batch without inputs', 200, () => ({ path: 'assistants.list,agents.list?batch=1' })],
    ['among others in the address', 200, () => ({ path: `${one}&input=2&other=3&batch=0` })],
    ['with a mistake', 422, () => ({ path: `assistants.list?${input({ per_page: -1, page: 'x' })}` })],
    ['of no object', 422, () => ({ path: 'assistants.list?input=3' })],
    ['of null', 422, () => ({ path: 'assistants.list?input=null' })],
    ['that cannot be stored', 422, () => ({ path: `assistants.list?${input({ search: '\0' })}` })],
    ['of nothing', 404, () => ({ path: `assistants.get?${input({ assistantId: crypto.randomUUID() })}` })],
    ['of no id', 404, () => ({ path: `assistants.get?${input({ assistantId: 'x' })}` })],
    ['that fails beside one that does not', 207, () => ({ path: batch('assistants.get,assistants.list', {}) })],
    ['that fails with all others', 404, () => ({ path: batch('assistants.get,assistants.get', {}) })],
    ['without a token', 401, () => ({ path: one, token: null })],
    ['with a wrong token', 401, () => ({ path: one, token: 'vk_wrong' })],
    ['of a batch without a token', 401, () => ({ path: batch('assistants.list,agents.list', {}), token: null })],
    ['without the feature', 403, () => ({ path: one, token: other.off })],
    ['before the address is verified', 409, () => ({ path: 'agents.list', token: other.unverified })],
    ['of an operator', 403, () => ({ path: 'admin.workspaces.list' })],
  ])('a query %s: %i', async (_what, status, asked) => {
    const said = await compare(asked())
    expect(said.status).toBe(status)
  })

  test.each<[string, number, () => Asked]>([
    ['a change', 200, () => post('assistants.update', { assistantId: 'ID', name: 'Front desk' })],
    ['a mistake', 422, () => post('assistants.update', { assistantId: 'ID', name: '' })],
    ['no body', 404, () => post('assistants.update')],
    ['null', 422, () => post('assistants.update', 'null')],
    ['a list', 422, () => post('assistants.update', [])],
    ['a batch', 207, () => post('assistants.update,assistants.delete?batch=1', { 0: { assistantId: 'ID' } })],
    [
      'numbers beyond all',
      207,
      () =>
        post('assistants.update,assistants.update?batch=1', '{"0":{"assistantId":"ID","maxDurationSeconds":1e400}}'),
    ],
    ['nesting', 422, () => post('agents.create,agents.create?batch=1', `{"0":${nested}}`)],
    ['nesting, complete', 422, () => post('agents.create?batch=1', `{"0":${nested}}`)],
    [
      'a tag that is not current',
      412,
      () => post('assistants.update', { assistantId: 'ID', name: 'Front desk' }, { headers: { 'if-match': '"x"' } }),
    ],
    [
      'a viewer',
      403,
      () => post('assistants.update', { assistantId: 'ID', name: 'Front desk' }, { token: other.viewer }),
    ],
    ['a token that only reads', 403, () => post('assistants.update', { assistantId: 'ID' }, { token: other.reader })],
    ['no token', 401, () => post('assistants.update', { assistantId: 'ID' }, { token: null })],
  ])('a mutation with %s: %i', async (_what, status, asked) => {
    const said = await compare(asked())
    expect(said.status).toBe(status)
  })

  test('what is made anew, but for its ids', async () => {
    const said = await compare(post('agents.create', { name: 'Support' }), true)
    expect([said.status, said.body]).toEqual([200, expect.stringContaining('"name":"Support"')])
  })
})

test.each<[string, () => Asked]>([
  ['no procedure', () => ({ path: 'assistants.nothing' })],
  ['a batch with one', () => ({ path: batch('assistants.list,assistants.nothing', {}) })],
  ['another kind in a batch', () => post('assistants.update,assistants.list?batch=1', {})],
  ['a query that is posted', () => post('assistants.list', {})],
  ['a mutation that is asked for', () => ({ path: `assistants.update?${input({})}` })],
  ['malformed input', () => ({ path: 'assistants.list?input=%7B' })],
  ['an empty input', () => ({ path: 'assistants.list?input=' })],
  ['a batch of no object', () => ({ path: 'assistants.list,agents.list?batch=1&input=3' })],
  ['a malformed body', () => post('assistants.update', '{')],
  ['another type', () => post('assistants.update', 'a', { headers: { 'content-type': 'text/plain' } })],
  ['no type', () => ({ method: 'POST', path: 'assistants.update', headers: { 'content-type': '' }, body: '{}' })],
  ['too many calls', () => ({ path: batch(Array(51).fill('assistants.list').join(','), {}) })],
  ['a stream of a batch', () => ({ path: batch('models.list', {}), headers: { 'trpc-accept': 'application/jsonl' } })],
  [
    'a stream by accept',
    () => ({ path: batch('models.list', {}), headers: { accept: 'text/html, application/jsonl' } }),
  ],
  ['parameters of a connection', () => ({ path: 'assistants.list?connectionParams=3' })],
  ['an escaped name', () => ({ path: 'assistants%2Elist' })],
  ['a name that cannot be read', () => ({ path: 'assistants.%E0%A4' })],
])('%s is left to the handler of tRPC', async (_what, asked) => {
  const { own } = facesOf(services)
  await own.answer(requestOf(asked()))
  expect(own.taken).toBe(0)
})

test.each(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is left to it as well', async (method) => {
  const { own } = facesOf(services)
  await own.answer(requestOf({ method, path: one }))
  expect(own.taken).toBe(0)
})

test('a batch whose commas are escaped is taken as one whose are not', async () => {
  const { own, official } = facesOf(services)
  for (const query of ['', `&${input({})}`, `&${input({ 1: { per_page: 1 } })}`]) {
    const path = `assistants.list,agents.list?batch=1${query}`
    const said = await saidBy(own, { path }, false)
    expect(said.status).toBe(200)
    expect(await saidBy(official, { path: path.replace(',', '%2C') }, false)).toEqual(said)
  }
})

test('limits and their headers', async () => {
  const said: unknown[] = []
  for (const isOwn of [true, false]) {
    const limited = await testApp({ clock: testClock(), rateLimits: { perMinute: 2 } })
    const face = faceOf(limited.services, appRouter, isOwn)
    const path = batch('models.list,models.list,models.list', {})
    said.push(await saidBy(face, { path }, false), await saidBy(face, { path: 'models.list' }, false))
  }
  expect(said.slice(0, 2)).toEqual(said.slice(2))
  expect(said).toMatchObject([{ status: 207 }, { status: 429, headers: { 'ratelimit-remaining': '0' } }, {}, {}])
})

test('an Idempotency-Key keeps what either of them said', async () => {
  const { own, official } = facesOf(services)
  const asked = post('agents.create', { name: 'Once' }, { headers: { 'idempotency-key': crypto.randomUUID() } })
  const first = await saidBy(own, asked, false)
  const second = await saidBy(official, asked, false)
  expect(second.body).toBe(first.body)
  expect(second.headers['idempotency-replayed']).toBe('true')
})

const odd = router({
  nothing: publicProcedure.output(z.undefined()).query(() => undefined),
  without: publicProcedure.output(z.any()).query(() => () => 'a function has no JSON'),
  hidden: publicProcedure.output(z.any()).query(() => ({ toJSON: () => undefined })),
  half: publicProcedure.output(z.string()).query(() => 'x'.repeat(8_000_000 - '""'.length)),
  more: publicProcedure.output(z.string()).query(() => 'x'.repeat(8_000_001 - '""'.length)),
  date: publicProcedure.output(z.object({ at: z.date() })).query(() => ({ at: new Date(0) })),
  broken: publicProcedure.output(z.string()).query(() => {
    throw new Error('not foreseen')
  }),
  wrong: publicProcedure.output(z.string()).query(() => 3 as unknown as string),
  left: publicProcedure.output(z.string()).query(
    ({ signal }) =>
      new Promise<string>((resolve) => {
        if (signal?.aborted) resolve('aborted')
        signal?.addEventListener('abort', () => resolve('aborted'))
      }),
  ),
})

test.each([
  ['nothing', 200],
  ['without', 200],
  ['hidden', 200],
  ['date', 200],
  ['broken', 500],
  ['wrong', 500],
  ['nothing,without,date,broken,wrong?batch=1', 207],
  ['half,half?batch=1', 200],
  ['half,more?batch=1', 207],
])('what a procedure does: %s, %i', async (path, status) => {
  const { own, official } = facesOf(services, odd)
  const [said, byTrpc] = [
    await saidBy(own, { path, token: null }, false),
    await saidBy(official, { path, token: null }, false),
  ]
  // Long bodies are compared as a whole: their difference would tell nobody anything.
  expect(said.body === byTrpc.body).toBe(true)
  expect({ ...said, body: '' }).toEqual({ ...byTrpc, body: '' })
  expect([said.status, own.taken]).toEqual([status, 1])
})

test.each(['left', 'left,left?batch=1'])('a caller who leaves ends the work: %s', async (path) => {
  const { own, official } = facesOf(services, odd)
  const said: string[] = []
  for (const face of [own, official]) {
    const leaving = new AbortController()
    const answered = face.answer(new Request(`http://localhost/trpc/${path}`, { signal: leaving.signal }))
    leaving.abort()
    said.push(await (await answered).text())
  }
  expect(said[0]).toBe(said[1])
  expect(said[0]).toContain('{"result":{"data":"aborted"}}')
  expect(own.taken).toBe(1)
})

test.each([
  ['httpLink', httpLink],
  ['httpBatchLink', httpBatchLink],
  ['httpBatchStreamLink', httpBatchStreamLink],
] as const)('leaving over %s ends the work of each call', async (_name, link) => {
  const { own, official } = facesOf(services, odd)
  for (const face of [own, official]) {
    let requests = 0
    const client = createTRPCClient<typeof odd>({
      links: [
        link({
          url: 'http://localhost/trpc',
          fetch: (url, options) => {
            requests += 1
            return face.answer(new Request(String(url), options as RequestInit))
          },
        }),
      ],
    })
    const leaving = new AbortController()
    const asked = [1, 2].map(() => client.left.query(undefined, { signal: leaving.signal }))
    await expect.poll(() => requests).toBe(link === httpLink ? 2 : 1)
    leaving.abort()
    expect(await Promise.all(asked)).toEqual(['aborted', 'aborted'])
  }
})

/** What the official client makes of calls, over each of its links. */
async function heardBy(face: Face, link: typeof httpLink | typeof httpBatchLink | typeof httpBatchStreamLink) {
  const client = createTRPCClient<AppRouter>({
    links: [
      link({
        url: 'http://localhost/trpc',
        headers: { authorization: `Bearer ${user.token}`, 'x-request-id': 'same' },
        fetch: (url, options) => face.answer(new Request(String(url), options as RequestInit)),
      }),
    ],
  })
  const settled = await Promise.allSettled([
    client.assistants.get.query({ assistantId }),
    client.assistants.list.query({ lite: true }),
    client.assistants.get.query({ assistantId: crypto.randomUUID() }),
    client.assistants.update.mutate({ assistantId, name: 'Front desk' }),
    client.assistants.update.mutate({ assistantId, name: '' }),
  ])
  return settled.map((result) => {
    if (result.status === 'fulfilled') return result.value
    const { message, data, shape } = result.reason as TRPCClientError<AppRouter>
    return { isOurs: result.reason instanceof TRPCClientError, message, data, shape }
  })
}

test.each([
  ['httpLink', httpLink, 5],
  ['httpBatchLink', httpBatchLink, 2],
  ['httpBatchStreamLink', httpBatchStreamLink, 0],
] as const)('the official client hears the same over %s', async (_name, link, taken) => {
  const { own, official } = facesOf(services)
  const heard = await heardBy(own, link)
  expect(heard).toEqual(await heardBy(official, link))
  expect(heard).toMatchObject([{ data: { name: 'Front desk' } }, {}, { message: 'Assistant not found' }, {}, {}])
  expect(own.taken).toBe(taken)
})
