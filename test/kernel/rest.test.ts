import { Elysia } from 'elysia'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { serveWith } from '../../src/api/http/request.ts'
import { get, post, put } from '../../src/api/meta.ts'
import { registerRest } from '../../src/api/rest/register.ts'
import { rpcHandler, unknownPath } from '../../src/api/rpc/handler.ts'
import { integerId } from '../../src/api/schemas.ts'
import { publicProcedure, router, workspaceProcedure } from '../../src/api/trpc.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { replyOf } from '../support/client.ts'
import { loopback } from '../support/connections.ts'

const Echo = z.object({ input: z.unknown() })
const tag = 'Test'

const kernelRouter = router({
  list: publicProcedure
    .meta(get('/things', 'List', { tag }))
    .input(
      z.object({
        page: z.int().default(1),
        ratio: z.number().optional(),
        lite: z.boolean().default(false),
        include: z.array(z.string()).optional(),
        ids: z.array(z.int()).optional(),
        kind: z.enum(['a', 'b']).nullable().optional(),
        text: z.string().optional(),
      }),
    )
    .output(Echo)
    .query(({ input }) => ({ input })),
  fixed: publicProcedure
    .meta(get('/things/fixed', 'Fixed', { tag }))
    .input(z.object({}))
    .output(Echo)
    .query(() => ({ input: 'fixed' })),
  one: publicProcedure
    .meta(get('/things/{id}', 'One', { tag, ids: { id: 'catalogue_entry_not_found' } }))
    .input(z.object({ id: integerId }))
    .output(Echo)
    .query(({ input }) => ({ input })),
  nested: publicProcedure
    .meta(get('/things/{id}/parts/{part}', 'Part', { tag, ids: { id: 'user_not_found', part: 'token_not_found' } }))
    .input(z.object({ id: integerId, part: z.string() }))
    .output(Echo)
    .query(({ input }) => ({ input })),
  change: publicProcedure
    .meta(put('/things/{id}', 'Change', { tag, also: ['PATCH'], ids: { id: 'catalogue_entry_not_found' } }))
    .input(z.object({ id: integerId, on: z.boolean(), count: z.int().optional() }))
    .output(Echo)
    .mutation(({ input }) => ({ input })),
  restore: publicProcedure
    .meta(post('/things/{id}/restore', 'Restore', { tag, ids: { id: 'catalogue_entry_not_found' } }))
    .input(z.object({ id: integerId }))
    .output(Echo)
    .mutation(({ input }) => ({ input })),
  upload: publicProcedure
    .meta(post('/files', 'Upload', { tag, multipart: true, status: 201 }))
    .input(z.object({ file: z.file().optional(), size: z.int().optional(), tags: z.array(z.string()).optional() }))
    .output(Echo)
    .mutation(async ({ input }) => ({ input: { ...input, file: await input.file?.text() } })),
  fail: publicProcedure
    .meta(get('/fail', 'Fail', { tag }))
    .input(z.object({}))
    .output(Echo)
    .query(() => {
      throw new Error('select * from secrets where password = hunter2')
    }),
  lost: publicProcedure
    .meta(get('/lost', 'Lose the database', { tag }))
    .input(z.object({}))
    .output(Echo)
    .query(() => {
      throw new Error('Failed query', { cause: Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' }) })
    }),
  badOutput: publicProcedure
    .meta(get('/bad-output', 'Bad output', { tag }))
    .input(z.object({}))
    .output(z.object({ required: z.string() }))
    .query(() => ({}) as { required: string }),
  closed: workspaceProcedure
    .meta(post('/closed', 'Closed', { tag, feature: 'assistants' }))
    .input(z.object({ text: z.string() }))
    .output(Echo)
    .mutation(({ input }) => ({ input })),
})

let base: TestApp
let app: Elysia
beforeAll(async () => {
  base = await testApp()
  app = new Elysia()
  const serve = serveWith(base.services, loopback)
  registerRest(app, kernelRouter, serve)
  app.route('ALL', '/trpc/*', serve(rpcHandler(kernelRouter)), { parse: 'none' })
  app.route('ALL', '/*', serve(unknownPath), { parse: 'none' })
})

/** To a server that has the router above alone. */
const send = async (method: string, path: string, init: RequestInit = {}) =>
  replyOf(await app.handle(new Request(`http://localhost${path}`, { method, ...init })))
const json = (body: unknown) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

describe('text values', () => {
  const query: [string, object][] = [
    ['', { page: 1, lite: false }],
    ['?page=3&ratio=-1.5&lite=true', { page: 3, ratio: -1.5, lite: true }],
    ['?lite=1', { page: 1, lite: true }],
    ['?lite=0&text=', { page: 1, lite: false, text: '' }],
    ['?page=&kind=', { page: 1, lite: false, kind: null }],
    ['?include=a,b&include=c', { page: 1, lite: false, include: ['a', 'b', 'c'] }],
    ['?include[]=a&include[]=b', { page: 1, lite: false, include: ['a', 'b'] }],
    ['?include[0]=a&include[1]=b', { page: 1, lite: false, include: ['a', 'b'] }],
    ['?include%5B0%5D=a&include[1]=b,c&include=d', { page: 1, lite: false, include: ['a', 'b', 'c', 'd'] }],
    ['?ids[0]=1&ids[1]=2&ids[2]=', { page: 1, lite: false, ids: [1, 2] }],
    ['?page[0]=3&text[0]=a&foo[0]=b', { page: 1, lite: false }],
    ['?include[x]=a&include[0][1]=b&include[10000]=c&include[-1]=d', { page: 1, lite: false }],
    ['?ids=1,2', { page: 1, lite: false, ids: [1, 2] }],
    ['?text=a%20b%2Bc+d', { page: 1, lite: false, text: 'a b+c d' }],
    ['?text=true&unknown=1', { page: 1, lite: false, text: 'true' }],
  ]
  test.each(query)('%s', async (text, input) => {
    expect((await send('GET', `/things${text}`)).body).toEqual({ input })
  })

  test.each([
    ['?page=x', { page: ['The page field must be an integer.'] }],
    ['?page=1.5', { page: ['The page field must be an integer.'] }],
    ['?page=1.0', { page: ['The page field must be an integer.'] }],
    ['?lite=yes', { lite: ['The lite field must be true or false.'] }],
    ['?kind=c', { kind: ['The kind field must be one of: a, b.'] }],
    ['?text=%00', { text: ['The text field contains characters that cannot be stored.'] }],
  ])('%s is refused', async (text, errors) => {
    const { status, body } = await send('GET', `/things${text}`)
    expect(status).toBe(422)
    expect(body).toEqual({ message: Object.values(errors)[0]?.[0], errors })
  })

  test('JSON bodies are strict, and no REST call loosens what tRPC accepts', async () => {
    expect((await send('PUT', '/things/1', json({ on: 'false' }))).body.errors).toEqual({
      on: ['The on field must be true or false.'],
    })
    expect((await send('PUT', '/things/1', json({ on: false, count: '2' }))).status).toBe(422)
    expect((await send('GET', '/things?lite=false&page=2')).status).toBe(200)
    const { status, body } = await send('POST', '/trpc/change', json({ id: 1, on: 'false' }))
    expect(status).toBe(422)
    expect(body.error.data).toMatchObject({
      httpStatus: 422,
      body: { message: 'The on field must be true or false.', errors: { on: ['The on field must be true or false.'] } },
    })
    const list = await send('GET', `/trpc/list?input=${encodeURIComponent('{"lite":"false"}')}`)
    expect(list.status).toBe(422)
  })

  test('forms are read as text, files as files', async () => {
    const form = new FormData()
    form.set('file', new File(['hello'], 'a.txt'))
    form.set('size', '5')
    form.append('tags', 'x')
    form.append('tags[1]', 'y')
    const { status, body } = await send('POST', '/files', { body: form })
    expect(status).toBe(201)
    expect(body).toEqual({ input: { file: 'hello', size: 5, tags: ['x', 'y'] } })
  })
})

test('a lost database is the same 503 on both faces', async () => {
  const message = 'The service is temporarily unavailable. Please try again.'
  const rest = await send('GET', '/lost')
  expect([rest.status, rest.body]).toEqual([503, { message }])
  const rpc = await send('GET', '/trpc/lost?input=%7B%7D')
  expect([rpc.status, rpc.body.error.data.httpStatus, rpc.body.error.data.body]).toEqual([503, 503, { message }])
})

describe('routing', () => {
  test('a fixed path is not a parameter, for any method', async () => {
    expect((await send('GET', '/things/fixed')).body).toEqual({ input: 'fixed' })
    const { status, headers } = await send('PUT', '/things/fixed', json({ on: true }))
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test.each([
    ['PROPFIND', '/things', 'GET, HEAD'],
    ['LINK', '/things/7', 'GET, HEAD, PUT, PATCH'],
    ['REPORT', '/things/fixed', 'GET, HEAD'],
    ['PURGE', '/things/7/parts/2', 'GET, HEAD'],
  ])('%s of a known path is 405', async (method, path, allow) => {
    const { status, headers, body } = await send(method, path)
    expect([status, headers.get('allow')]).toEqual([405, allow])
    expect(body).toEqual({ message: 'This path does not answer that method.' })
    expect((await send(method, '/nowhere')).status).toBe(404)
    expect((await send(method, '/closed')).status).toBe(401)
  })

  test.each(['PUT', 'PATCH'])('%s reaches the same procedure', async (method) => {
    expect((await send(method, '/things/7', json({ on: true, id: 9 }))).body).toEqual({ input: { id: 7, on: true } })
  })

  test.each([
    ['GET', '/nowhere', 404, { message: 'No such path.' }],
    ['DELETE', '/things/7', 405, { message: 'This path does not answer that method.' }],
    ['GET', '/things/abc', 404, { success: false, message: 'Catalogue entry not found' }],
    ['GET', '/things/0', 404, { success: false, message: 'Catalogue entry not found' }],
    ['GET', '/things/2147483648', 404, { success: false, message: 'Catalogue entry not found' }],
    ['GET', '/things/x/parts/1', 404, { success: false, message: 'User not found' }],
  ])('%s %s is %i', async (method, path, status, body) => {
    expect(await send(method, path)).toMatchObject({ status, body })
  })

  test('path values are decoded', async () => {
    expect((await send('GET', '/things/1/parts/a%2Fb%20c')).body).toEqual({ input: { id: 1, part: 'a/b c' } })
  })

  test('HEAD answers like GET without a body', async () => {
    const { status, body, headers } = await send('HEAD', '/things')
    expect([status, body, headers.get('content-type')]).toEqual([200, '', 'application/json; charset=utf-8'])
  })

  test('a preflight is answered without a token', async () => {
    const { status, headers } = await send('OPTIONS', '/closed', { headers: { origin: 'https://a.example' } })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toBe('POST, OPTIONS')
    expect(headers.get('access-control-allow-headers')).toContain('Idempotency-Key')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('bodies', () => {
  const target = '/things/1'
  test.each([
    [
      'malformed JSON',
      { body: '{"on":', headers: { 'content-type': 'application/json' } },
      400,
      'The body is not valid JSON.',
    ],
    ['a list', json([1]), 422, 'The body field must be an object.'],
    ['null', json(null), 422, 'The body field must be an object.'],
    ['a text', json('x'), 422, 'The body field must be an object.'],
    [
      'bytes that are no UTF-8',
      { body: new Uint8Array([0xff, 0xfe]), headers: { 'content-type': 'application/json' } },
      400,
      'The body is not valid JSON.',
    ],
    [
      'another type',
      { body: 'on=true', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'Unsupported content type: send application/json.',
    ],
    ['a form where none is taken', { body: new FormData() }, 415, 'Unsupported content type: send application/json.'],
    ['too much', json({ on: true, text: 'x'.repeat(1024 * 1024) }), 413, 'The body is too large: at most 1 MB.'],
  ])('%s is refused', async (_what, init, status, message) => {
    expect(await send('PUT', target, init)).toMatchObject({ status, body: { message } })
  })

  test.each([
    ['no field at all', '/things/1/restore', 200, { id: 1 }],
    ['no required field', '/files', 201, {}],
  ])('null is no body for an operation with %s', async (_what, path, status, input) => {
    for (const init of [json(null), { body: ' null\n' }, json({}), {}]) {
      expect(await send('POST', path, init)).toMatchObject({ status, body: { input } })
    }
    for (const other of [[], 'null', 0, false]) {
      const refused = { status: 422, body: { message: 'The body field must be an object.' } }
      expect(await send('POST', path, json(other))).toMatchObject(refused)
    }
  })

  test('a stream without a length is bounded too', async () => {
    const chunk = new Uint8Array(64 * 1024).fill(32)
    let sent = 0
    const body = new ReadableStream({
      pull: (controller) => (sent++ > 40 ? controller.close() : controller.enqueue(chunk)),
    })
    const answer = await send('PUT', target, { body, headers: { 'content-type': 'application/json' } })
    expect(answer.status).toBe(413)
  })

  test('a charset and no content type are accepted', async () => {
    const body = JSON.stringify({ on: true })
    expect(
      (await send('PUT', target, { body, headers: { 'content-type': 'application/json; charset=utf-8' } })).status,
    ).toBe(200)
    const bytes = new TextEncoder().encode(body)
    expect((await send('PUT', target, { body: bytes })).status).toBe(200)
  })

  test('deep nesting is refused by name', async () => {
    const deep = `{"on":true,"x":${'['.repeat(200)}${']'.repeat(200)}}`
    const { status, body } = await send('PUT', target, { body: deep, headers: { 'content-type': 'application/json' } })
    expect(status).toBe(422)
    expect(body.message).toContain('nested too deeply')
  })
})

describe('failures', () => {
  test.each(['/fail', '/bad-output'])('%s says nothing of its inside', async (path) => {
    const { status, body } = await send('GET', path)
    expect([status, body]).toEqual([500, { message: 'Something went wrong on our side. Please try again.' }])
    const rpc = await send('GET', `/trpc/${path === '/fail' ? 'fail' : 'badOutput'}?input={}`)
    expect(rpc.status).toBe(500)
    expect(JSON.stringify(rpc.body)).not.toMatch(/hunter2|stack|required/)
  })

  test('an unknown procedure and a malformed tRPC body', async () => {
    expect((await send('GET', '/trpc/nothing')).body.error.data).toMatchObject({
      httpStatus: 404,
      body: { message: 'No such path.' },
    })
    const { status } = await send('POST', '/trpc/change', {
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(status).toBe(400)
  })
})

describe('request ids', () => {
  test.each([
    ['abc-123', true],
    ['has space', false],
    ['x'.repeat(129), false],
  ])('%s is echoed: %s', async (given, echoed) => {
    const { headers } = await send('GET', '/things', { headers: { 'x-request-id': given } })
    const id = headers.get('x-request-id')
    if (echoed) expect(id).toBe(given)
    else expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('the order of checks', () => {
  test('401, then feature 403, then body and validation', async () => {
    const { token } = await newUser(base.database, { features: ['squads'] })
    const broken = { body: '{', headers: { 'content-type': 'text/csv' } }
    expect(await send('POST', '/closed', broken)).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } })
    expect((await send('GET', '/closed')).status).toBe(401)
    const asUser = { ...broken, headers: { ...broken.headers, authorization: `Bearer ${token}` } }
    expect(await send('POST', '/closed', asUser)).toMatchObject({
      status: 403,
      body: {
        success: false,
        message: 'The feature assistants is not enabled for this account.',
        feature: 'assistants',
      },
    })
    expect((await send('GET', '/closed', { headers: { authorization: `Bearer ${token}` } })).status).toBe(405)
    const full = await newUser(base.database)
    const asFull = { ...broken, headers: { ...broken.headers, authorization: `Bearer ${full.token}` } }
    expect((await send('POST', '/closed', asFull)).status).toBe(415)
  })
})
