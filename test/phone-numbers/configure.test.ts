import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { apart, type Caller, caller } from '../support/numbers/rig.ts'
import { changeWorkspace } from '../support/rows/accounts.ts'
import { violations } from '../support/voice-platform/description.ts'

let app: TestApp
let me: Caller
let number: string
let path: string

beforeAll(async () => {
  app = await testApp()
  me = await caller(app)
  await changeWorkspace(app.database, me.workspaceId, { webhookCredentials: ['c1'] })
})
beforeEach(async () => {
  app.platform.faults.clear()
  number = (await me.number()).phone_number
  path = `/phone-numbers/${number}`
})

const put = async (body: unknown) => {
  const answer = await me.send('PUT', path, body)
  return { status: answer.status, body: await answer.json() }
}
const live = async (): Promise<Record<string, unknown>> => ({
  ...(await app.services.platform.phoneNumbers.findByNumber(number)),
})
const lastPatch = () => app.platform.requests.findLast(({ method }) => method === 'PATCH')?.body

test('every field is saved on both sides and answered', async () => {
  const body = {
    name: 'Desk',
    sms_enabled: true,
    static_ip_enabled: true,
    fallback_destination: {
      type: 'number',
      number: '+14155550199',
      message: 'One moment',
      description: 'Night desk',
      extension: '12',
      callerId: '+14155550198',
    },
    server: {
      url: 'https://example.com/hook',
      secret: 'hush',
      timeoutSeconds: 30,
      credentialId: 'c1',
      headers: { 'X-Team': 'a' },
    },
    hooks: [{ on: 'call.ringing', do: [{ type: 'say', exact: 'Hello' }] }],
  }
  const saved = await put(body)
  expect(saved.status).toBe(200)
  expect(saved.body).toMatchObject({ success: true, message: 'Phone number configuration updated.' })
  expect(saved.body.data).toMatchObject({ ...body, server: { ...body.server, staticIpAddressesEnabled: true } })
  expect(saved.body.data).not.toHaveProperty('sms_available')
  expect(saved.body.data.last_synced_at).toMatch(/^\d{4}-/)
  expect(violations('UpdateTwilioPhoneNumberDTO', lastPatch())).toEqual([])
  expect(await live()).toMatchObject({
    name: 'Desk',
    smsEnabled: true,
    fallbackDestination: body.fallback_destination,
    server: {
      url: 'https://example.com/hook',
      timeoutSeconds: 30,
      credentialId: 'c1',
      headers: { 'X-Team': 'a', 'X-Vapi-Secret': 'hush' },
      staticIpAddressesEnabled: true,
      backoffPlan: { type: 'exponential', maxRetries: 8, baseDelaySeconds: 1 },
    },
    hooks: body.hooks,
  })
  const { data } = await (await me.send('GET', path)).json()
  expect(data).toEqual({ ...saved.body.data, sms_available: true })
  expect(await apart(app, number)).toEqual([])

  const cleared = await put({ name: null, sms_enabled: null, static_ip_enabled: null, hooks: null, server: null })
  expect(cleared.body.data).toMatchObject({
    name: null,
    sms_enabled: false,
    static_ip_enabled: false,
    hooks: [],
    server: null,
    fallback_destination: body.fallback_destination,
  })
  expect(await live()).not.toHaveProperty('server')
  expect(await apart(app, number)).toEqual([])
})

test('a name that the platform has no room for is cut there only', async () => {
  const { body } = await put({ name: 'é'.repeat(255) })
  expect(body.data.name).toBe('é'.repeat(255))
  expect((await live()).name).toBe('é'.repeat(40))
})

test('the secret and header values are sealed where they are stored', async () => {
  await put({ server: { url: 'https://example.com', secret: 'hush-hush', headers: { Authorization: 'Bearer tok' } } })
  const rows = await app.database.sql`select server::text as stored from phone_numbers where phone_number = ${number}`
  expect(rows[0]?.stored).not.toMatch(/hush|Bearer/)
  const { data } = await (await me.send('GET', path)).json()
  expect(data.server).toMatchObject({ secret: 'hush-hush', headers: { Authorization: 'Bearer tok' } })
})

describe('a block', () => {
  const fallback = { type: 'number', number: '+14155550199', message: 'One moment' }
  const server = { url: 'https://example.com/a', secret: 's', timeoutSeconds: 5, headers: { A: '1', B: '2' } }
  const mirror = { staticIpAddressesEnabled: false }

  test.each<[string, object, object]>([
    ['is kept when it is not sent', {}, { fallback_destination: fallback, server: { ...server, ...mirror } }],
    [
      'merges field by field',
      { fallback_destination: { message: 'Wait' }, server: { url: 'https://example.com/b' } },
      {
        fallback_destination: { ...fallback, message: 'Wait' },
        server: { ...server, url: 'https://example.com/b', ...mirror },
      },
    ],
    [
      'loses a field by null',
      { fallback_destination: { message: null }, server: { secret: null, timeoutSeconds: null } },
      {
        fallback_destination: { type: 'number', number: '+14155550199' },
        server: { url: server.url, headers: server.headers, ...mirror },
      },
    ],
    [
      'replaces headers as a whole',
      { server: { headers: { C: '3' } } },
      { fallback_destination: fallback, server: { ...server, headers: { C: '3' }, ...mirror } },
    ],
    [
      'is not changed by unknown fields alone',
      { fallback_destination: { color: 'red' }, server: { color: 'red' } },
      { fallback_destination: fallback, server: { ...server, ...mirror } },
    ],
    ['is cleared by null', { fallback_destination: null, server: null }, { fallback_destination: null, server: null }],
    ['is cleared by {}', { fallback_destination: {}, server: {} }, { fallback_destination: null, server: null }],
    [
      'keeps the static-IP mirror alone while that is on',
      { static_ip_enabled: true, server: null },
      { fallback_destination: fallback, server: { staticIpAddressesEnabled: true } },
    ],
    [
      'carries the static-IP switch',
      { static_ip_enabled: true },
      { fallback_destination: fallback, server: { ...server, staticIpAddressesEnabled: true } },
    ],
  ])('%s', async (_, change, expected) => {
    await put({ fallback_destination: fallback, server })
    const { status, body } = await put(change)
    expect(status).toBe(200)
    const { fallback_destination, server: saved } = body.data
    expect({ fallback_destination, server: saved }).toEqual(expected)
    expect(await apart(app, number)).toEqual([])
  })

  test('is merged into a whole before the platform is told', async () => {
    await put({ server, fallback_destination: fallback })
    await put({ server: { timeoutSeconds: 9 }, fallback_destination: { message: 'Wait' } })
    expect(lastPatch()).toMatchObject({
      server: { url: server.url, timeoutSeconds: 9, headers: { A: '1', B: '2', 'X-Vapi-Secret': 's' } },
      fallbackDestination: { ...fallback, message: 'Wait' },
    })
  })

  test('the static-IP switch makes a patch where there is no other server field, and goes off again', async () => {
    const on = await put({ static_ip_enabled: true })
    expect(on.body.data).toMatchObject({ static_ip_enabled: true, server: { staticIpAddressesEnabled: true } })
    expect(lastPatch()).toMatchObject({ server: { staticIpAddressesEnabled: true } })
    const off = await put({ static_ip_enabled: false })
    expect(off.body.data).toMatchObject({ static_ip_enabled: false, server: { staticIpAddressesEnabled: false } })
    expect((await live()).server).toMatchObject({ staticIpAddressesEnabled: false })
    expect((await put({ server: {} })).body.data.server).toBeNull()
  })

  test.each(['', '12345678901'])(
    'an extension that the platform does not take stays here only: "%s"',
    async (extension) => {
      const dialled = { ...fallback, extension: '12' }
      await put({ fallback_destination: { ...fallback, extension } })
      expect((await live()).fallbackDestination).toEqual(fallback)
      await put({ fallback_destination: { extension: '12' } })
      expect((await live()).fallbackDestination).toEqual(dialled)
      const { status, body } = await put({ fallback_destination: { extension } })
      expect([status, body.data.fallback_destination]).toEqual([200, { ...fallback, extension }])
      expect((await live()).fallbackDestination).toEqual(fallback)
      expect(await apart(app, number)).toEqual([])
    },
  )

  test('has its secret in one header, however another entry spells that', async () => {
    const headers = { 'x-vapi-secret': 'other', 'X-Team': 'a' }
    const { status, body } = await put({ server: { url: 'https://example.com', secret: 's1', headers } })
    expect([status, body.data.server.headers]).toEqual([200, headers])
    expect((await live()).server).toMatchObject({ headers: { 'X-Team': 'a', 'X-Vapi-Secret': 's1' } })
    expect(JSON.stringify(await live())).not.toContain('other')
    await put({ server: { secret: null } })
    expect((await live()).server).toMatchObject({ headers })
  })

  test('a destination of the other type keeps what it had, here only', async () => {
    const extended = { ...fallback, extension: '12' }
    await put({ fallback_destination: extended })
    const { body } = await put({ fallback_destination: { type: 'sip', sipUri: 'sip:a@example.com' } })
    expect(body.data.fallback_destination).toEqual({ ...extended, type: 'sip', sipUri: 'sip:a@example.com' })
    expect((await live()).fallbackDestination).toEqual({
      type: 'sip',
      sipUri: 'sip:a@example.com',
      message: 'One moment',
    })
    const back = await put({ fallback_destination: { type: 'number', number: '+14155550199' } })
    expect(back.status).toBe(200)
    expect((await live()).fallbackDestination).toEqual(extended)
  })
})

describe('the platform', () => {
  test.each<[string, object, string, string]>([
    [
      'a fallback that it rejects',
      { fallback_destination: { type: 'number', number: '+14155550199' } },
      'fallback_destination.number',
      'fallbackDestination.number cannot be dialled',
    ],
    ['hooks that it rejects', { hooks: [{ on: 'lost' }] }, 'hooks', 'hooks.0.on must be one of the supported values'],
  ])('%s is a 422 keyed by what its message names', async (_, body, key, message) => {
    app.platform.faults.add({ method: 'PATCH', mode: 'status', status: 400, body: { message: [message] } })
    const before = await (await me.send('GET', path)).json()
    expect(await put(body)).toEqual({
      status: 422,
      body: { success: false, message, errors: { [key]: [message] } },
    })
    expect(await (await me.send('GET', path)).json()).toEqual(before)
    expect(await apart(app, number)).toEqual([])
  })

  test.each<[string, string, Record<string, string[]>]>([
    ['server.url must be https', 'server.url must be https', { 'server.url': ['server.url must be https'] }],
    [
      'see https://api.example/docs about server.url Bearer abc',
      'see the address about server.url Bearer ***',
      { 'server.url': ['see the address about server.url Bearer ***'] },
    ],
    ['The plan does not allow this.', 'The plan does not allow this.', {}],
  ])('%s is cleaned', async (said, message, errors) => {
    app.platform.faults.add({ method: 'PATCH', mode: 'status', status: 400, body: { message: said } })
    expect(await put({ name: 'x' })).toEqual({ status: 422, body: { success: false, message, errors } })
  })

  test('each of several mistakes is keyed by what its message names', async () => {
    const message = [
      'name is odd',
      'server.url is no https://x.example',
      'hooks.0 is lost',
      'server.headers are too many',
    ]
    app.platform.faults.add({ method: 'PATCH', mode: 'status', status: 400, body: { message } })
    expect(await put({ name: 'x' })).toEqual({
      status: 422,
      body: {
        success: false,
        message: 'name is odd',
        errors: {
          name: ['name is odd'],
          'server.url': ['server.url is no the address', 'server.headers are too many'],
          hooks: ['hooks.0 is lost'],
        },
      },
    })
  })

  test.each([
    [401, { message: 'Invalid Key.' }, 'The voice platform refused the configured API key.'],
    [403, { message: 'The plan does not allow this.' }, 'The plan does not allow this.'],
    [404, { message: 'Not Found' }, 'The voice platform does not know this object.'],
    [409, { error: 'pinned', message: 'The number is pinned.' }, 'The number is pinned.'],
    [422, '<html>', 'The voice platform rejected the request (status 422).'],
  ])('%i is a rejection', async (status, body, message) => {
    app.platform.faults.add({ method: 'PATCH', mode: 'status', status, body })
    expect(await put({ name: 'x' })).toEqual({ status: 422, body: { success: false, message, errors: {} } })
    expect((await (await me.send('GET', path)).json()).data.name).toBeNull()
  })

  test.each([
    ['a server error', { mode: 'status', status: 500, times: 3 }],
    ['too many requests', { mode: 'status', status: 429, times: 3 }],
    ['no connection', { mode: 'refuse', times: 3 }],
  ] as const)('%s is a 502', async (_, fault) => {
    app.platform.faults.add({ method: 'PATCH', ...fault })
    expect(await put({ name: 'x' })).toEqual({
      status: 502,
      body: { success: false, message: 'Failed to update the phone number. Please try again.' },
    })
    expect((await (await me.send('GET', path)).json()).data.name).toBeNull()
  })
})

test.each<[string, object, object]>([
  ['a number', { number: '+14155550199' }, { type: 'number', number: '+14155550199' }],
  ['an address', { sipUri: 'sip:desk@example.com' }, { type: 'sip', sipUri: 'sip:desk@example.com' }],
])('a destination of %s alone has its type', async (_, sent, stored) => {
  const { status, body } = await put({ fallback_destination: sent })
  expect(status).toBe(200)
  expect(body.data.fallback_destination).toEqual(stored)
  expect((await live()).fallbackDestination).toEqual(stored)
})

test.each<[string, object, object, string, string]>([
  [
    'its address',
    { type: 'sip', sipUri: 'sip:a@b.c', number: '+14155550199' },
    { sipUri: null },
    'sipUri',
    'A SIP URI is required when the destination type is SIP.',
  ],
  [
    'its number',
    { type: 'number', number: '+14155550199' },
    { number: null },
    'number',
    'A fallback phone number is required when the destination type is a number.',
  ],
  [
    'its number, for an address',
    { number: '+14155550199' },
    { number: null, sipUri: 'sip:a@b.c' },
    'number',
    'A fallback phone number is required when the destination type is a number.',
  ],
])('a destination that loses %s is refused on that field', async (_, stored, sent, field, text) => {
  const saved = await put({ fallback_destination: stored })
  expect(await put({ fallback_destination: sent })).toEqual({
    status: 422,
    body: { success: false, message: text, errors: { [`fallback_destination.${field}`]: [text] } },
  })
  const { data } = await (await me.send('GET', path)).json()
  expect(data.fallback_destination).toEqual(saved.body.data.fallback_destination)
  expect(await apart(app, number)).toEqual([])
})

test('an extension that is longer than the platform takes is kept here alone', async () => {
  const destination = { type: 'number', number: '+14155550199', extension: '1'.repeat(255) }
  const { status, body } = await put({ fallback_destination: destination })
  expect(status).toBe(200)
  expect(body.data.fallback_destination).toEqual(destination)
  expect((await live()).fallbackDestination).toEqual({ type: 'number', number: '+14155550199' })
  expect(await apart(app, number)).toEqual([])
  await put({ fallback_destination: { extension: '1234567890' } })
  expect((await live()).fallbackDestination).toMatchObject({ extension: '1234567890' })
})
