import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp, testClock } from '../support/app.ts'

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await testApp()
  user = await newUser(app.database)
})

const long = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
const json = { 'content-type': 'application/json' }
const post = async (procedure: string, body: unknown, headers = {}, token: string | undefined = user.token) => {
  const answer = await app.send('POST', `/trpc/${procedure}`, { token, body, headers: { ...json, ...headers } })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}
/** A tRPC error that carries a REST body. */
const errorOf = (path: string, httpStatus: number, body: Record<string, unknown>) => ({
  error: {
    message: body.message,
    code: expect.any(Number),
    data: { code: expect.any(String), path, httpStatus, body },
  },
})

describe('a request that is refused before its call runs is a tRPC error with the body of REST', () => {
  const keyTooLong = { 'idempotency-key': 'k'.repeat(256) }
  const keyMessage = 'The Idempotency-Key header must be 1 to 255 characters.'
  const onKey = (message: string) => ({ message, errors: { 'Idempotency-Key': [message] } })
  const tooLarge = 'The body is too large: at most 1 MB.'
  const broken = 'The body is not valid JSON.'
  const otherType = 'Unsupported content type: send application/json.'
  test.each([
    ['agents.create', 422, keyTooLong, {}, onKey(keyMessage)],
    ['assistants.create', 422, keyTooLong, {}, { success: false, ...onKey(keyMessage) }],
    ['agents.create', 413, {}, long, { message: tooLarge }],
    ['assistants.create', 413, {}, long, { message: tooLarge }],
    ['agents.create', 400, {}, '{"name":', { message: broken }],
    ['assistants.create', 400, {}, '{"name":', { message: broken }],
    ['agents.create', 415, { 'content-type': 'text/plain' }, '{}', { message: otherType }],
    ['agents.create', 415, { 'content-type': 'multipart/form-data; boundary=x' }, '--x--', { message: otherType }],
  ])('%s %i %j', async (path, status, headers, body, said) => {
    const refused = await post(path, body, headers)
    expect([refused.status, refused.body]).toEqual([status, errorOf(path, status, said)])
    expect(refused.headers.get('content-type')).toBe('application/json')
  })

  test('a body without a type is JSON, as on REST', async () => {
    expect((await post('agents.create', '{"name":"One"}', { 'content-type': '' })).status).toBe(200)
  })

  test('a request that tRPC cannot read is told so in JSON', async () => {
    const refused = await post('agents.create,agents.list?batch=1', '{"0":{},"1":{}}')
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/json'])
  })

  test('of completions, in their envelope', async () => {
    for (const [body, code, message] of [
      [long, 413, tooLarge],
      ['{"messages":', 400, broken],
    ] as const) {
      const refused = await post('completions.create', body)
      const error = { message, type: 'invalid_request_error', code }
      expect([refused.status, refused.body.error.data.body]).toEqual([code, { error }])
    }
  })

  test('a body that breaks off, under a key that is free again afterwards', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    expect((await post('agents.create', '{"name":', headers)).status).toBe(400)
    expect((await post('agents.create', { name: 'One' }, headers)).status).toBe(200)
    const nobody = await post('agents.create', '{"name":', {}, 'vk_nobody')
    expect(nobody.status).toBe(401)
  })

  test('an Idempotency-Key with another body', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    expect((await post('agents.create', { name: 'One' }, headers)).status).toBe(200)
    const refused = await post('agents.create', { name: 'Two' }, headers)
    const message = 'This Idempotency-Key was used with another body.'
    expect([refused.status, refused.body]).toEqual([422, errorOf('agents.create', 422, onKey(message))])
  })

  test('each call of a batch gets it', async () => {
    const refused = await post('agents.create,chats.create?batch=1', '{"0":{},"1":{}}', keyTooLong)
    const said = onKey(keyMessage)
    expect([refused.status, refused.body]).toEqual([
      422,
      [errorOf('agents.create', 422, said), errorOf('chats.create', 422, said)],
    ])
  })

  test('each call of a batch in the words of its own document', async () => {
    const path = 'completions.create,admin.tokens.delete,assistants.create'
    const refused = await post(`${path}?batch=1`, '{"0":{},"1":{},"2":{}}', { 'idempotency-key': '' })
    const said = { success: false, message: 'Only an operator may do this.' }
    const error = { message: said.message, type: 'invalid_request_error', code: 403 }
    expect([refused.status, refused.body]).toEqual([
      403,
      [
        errorOf('completions.create', 403, { ...said, error }),
        errorOf('admin.tokens.delete', 403, said),
        errorOf('assistants.create', 403, said),
      ],
    ])
  })

  test('after 401, 409 and 403, as on REST', async () => {
    const unverified = await newUser(app.database, { emailVerified: false })
    const off = await newUser(app.database, { features: [] })
    const other = { 'content-type': 'text/plain' }
    const statuses = ['vk_wrong', unverified.token, off.token].flatMap((token) => [
      post('agents.create', long, {}, token),
      post('agents.create', '{}', other, token),
    ])
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([401, 401, 409, 409, 403, 403])
  })

  test('a procedure that does not exist is 404, and an address that cannot be read no 500', async () => {
    expect((await post('agents.nothing', long)).status).toBe(404)
    expect((await post('agents.%E0%A4', long)).status).toBeLessThan(500)
  })
})

test('headers of errors come over tRPC too: Retry-After, and what a client should do', async () => {
  const limited = await testApp({ clock: testClock(), rateLimits: { perMinute: 1 } })
  const get = () => limited.send('GET', '/trpc/agents.list', { token: user.token })
  await get()
  const refused = await get()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  const nobody = await app.send('GET', '/trpc/agents.list')
  expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
})

describe('a method that is not that of the procedure', () => {
  const wrong = { message: 'This path does not answer that method.' }
  const call = async (method: string, path: string, token?: string) => {
    const body = method === 'GET' ? undefined : {}
    const response = await app.send(method, `/trpc/${path}`, { ...(token && { token }), body })
    return { status: response.status, allow: response.headers.get('allow'), body: await response.json() }
  }

  test.each([
    ['GET', 'assistants.create', 'POST'],
    ['POST', 'assistants.list', 'GET'],
    ['PUT', 'agents.list', 'GET'],
    ['GET', 'assistants.create,assistants.update?batch=1', 'POST'],
  ])('%s %s is 401 without a token, and 405 with its methods with one', async (method, path, allow) => {
    const stranger = await call(method, path)
    expect([stranger.status, stranger.allow]).toEqual([401, null])
    const known = await call(method, path, user.token)
    expect([known.status, known.allow]).toEqual([405, allow])
    const [said] = [known.body].flat()
    expect(said).toEqual(errorOf(path.split(/[,?]/)[0] ?? '', 405, wrong))
  })

  test('of one that needs no token is 405', async () => {
    expect(await call('GET', 'widget.chat')).toMatchObject({ status: 405, allow: 'POST' })
  })
})
