import { createTRPCClient, httpLink } from '@trpc/client'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AppRouter } from '../../packages/client/src/index.ts'
import { newUser, type SendOptions, type TestApp, testApp, testClock } from '../support/app.ts'
import { type Client, newClient, type Reply, replyOf } from '../support/client.ts'

/**
 * Procedures that take a form over REST take it over tRPC: with the same checks, in the same order, in the same words.
 */
let app: TestApp
let user: Client & { token: string }
let agent: string
beforeAll(async () => {
  app = await testApp()
  user = await newClient(app)
  agent = (await user.data('POST', '/agents', { name: 'Guide' })).id
})

const formOf = (fields: Record<string, string | File>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}
const hours = () => new File(['We open at nine.'], 'hours.txt', { type: 'text/plain' })

/** The official client, over the application. */
const official = (token: string) =>
  createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: 'http://localhost/trpc',
        headers: { authorization: `Bearer ${token}` },
        fetch: (url, init) => app.handle(new Request(url as string, init as RequestInit)),
      }),
    ],
  })

const rpc = async (procedure: string, options: SendOptions) =>
  replyOf(await app.send('POST', `/trpc/${procedure}`, { token: user.token, ...options }))

describe('with the official client', () => {
  test('a file is uploaded, and listed', async () => {
    const api = official(user.token)
    const uploaded = await api.agentFiles.upload.mutate(formOf({ agent_id: agent, file: hours() }))
    expect(uploaded).toMatchObject({ object: 'file', data: { original_name: 'hours.txt', size: 16, extracted: true } })
    const { data } = await api.agentFiles.list.query({ agent_id: agent })
    expect(data.map(({ id }) => id)).toContain(uploaded.data.id)
  })

  test('a profile is updated, where JSON does as well', async () => {
    const api = official(user.token)
    for (const input of [formOf({ name: 'Ada', company: '' }), { name: 'Ada', company: null }]) {
      expect((await api.profile.update.mutate(input)).data).toMatchObject({ name: 'Ada', company: null })
    }
    const tooLong = formOf({ name: 'x'.repeat(300) })
    const refused = await api.profile.update.mutate(tooLong).catch((error: unknown) => error)
    expect(refused).toMatchObject({ data: { httpStatus: 422, body: { message: 'The given data was invalid.' } } })
  })
})

test('of several files under one name none is taken', async () => {
  const form = formOf({ agent_id: agent, file: hours() })
  form.append('file', hours())
  const { status, body } = await rpc('agentFiles.upload', { body: form })
  expect([status, body.error.data.body.errors]).toEqual([422, { file: ['The file field must be one file.'] }])
})

describe('like REST', () => {
  const asRest = ({ status, body }: Reply) => [status, body]
  const asRpc = ({ body: { error } }: Reply) => [error.data.httpStatus, error.data.body]

  test.each<[string, Record<string, string | File>, SendOptions?]>([
    ['another extension', { file: new File(['x'], 'a.exe') }],
    ['no file', {}],
    ['a text in place of the file', { file: 'text' }],
    ['a malformed id', { agent_id: 'nobody', file: hours() }],
    ['an agent that is not there', { agent_id: crypto.randomUUID(), file: hours() }],
    ['no token', { file: hours() }, { token: '' }],
    ['a form that is none', {}, { body: '--x\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
  ])('%s is refused in the same words', async (_name, fields, options) => {
    const { agent_id = agent, ...parts } = fields
    const path = `/agents/${agent_id}/files`
    const sent = await app.send('POST', path, { token: user.token, body: formOf(parts), ...options })
    const called = await rpc('agentFiles.upload', { body: formOf({ agent_id: agent, ...fields }), ...options })
    expect(asRpc(called)).toEqual(asRest(await replyOf(sent)))
  })

  test('the gates come before the form is read, and count once', async () => {
    const limited = await testApp({ clock: testClock(), rateLimits: { perMinute: 3, turnsPerMinute: 0 } })
    const off = await newUser(limited.database, { features: [] })
    const { token } = await newUser(limited.database)
    const broken = { body: '--x\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } }
    const call = (token: string) => limited.send('POST', '/trpc/agentFiles.upload', { token, ...broken })
    expect((await call(off.token)).status).toBe(403)
    const answers = []
    for (let number = 0; number < 4; number++) answers.push(await call(token))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 429])
    expect(answers[0]?.headers.get('ratelimit-remaining')).toBe('2')
  })

  test('the same form under the same key is one file', async () => {
    const own = (await user.data('POST', '/agents', { name: 'Guide' })).id
    const send = () =>
      rpc('agentFiles.upload', {
        body: formOf({ agent_id: own, file: hours() }),
        headers: { 'idempotency-key': 'upload' },
      })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.body]).toEqual([200, first.body])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect((await user.get(`/agents/${own}/files`)).body.data).toHaveLength(1)
    const other = await rpc('agentFiles.upload', {
      body: formOf({ agent_id: own, file: new File(['Other'], 'hours.txt') }),
      headers: { 'idempotency-key': 'upload' },
    })
    expect(other.status).toBe(422)
  })
})

describe('415 says what the procedure takes', () => {
  const plain = { body: 'x', headers: { 'content-type': 'text/plain' } }
  test.each<[string, SendOptions, string]>([
    ['agentFiles.upload?batch=1', { body: new FormData() }, 'application/json'],
    ['agents.create', { body: new FormData() }, 'application/json'],
    ['agentFiles.upload', plain, 'multipart/form-data'],
    ['profile.update', plain, 'multipart/form-data or application/json'],
  ])('%s', async (procedure, options, types) => {
    const { status, body } = await rpc(procedure, options)
    const [{ error }] = [body].flat()
    expect([status, error.data.body]).toEqual([415, { message: `Unsupported content type: send ${types}.` }])
  })
})
