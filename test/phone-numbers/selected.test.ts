import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { embeddedCarrier } from '../../src/carrier/embedded/carrier.ts'
import type { DatabaseHandle } from '../../src/db/client.ts'
import type { Fault } from '../../src/voice-platform/embedded/faults.ts'
import { newTokenFor, type TestApp, testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'
import { type FaultyCarrier, faultyCarrier } from '../support/numbers/faulty-carrier.ts'
import { nextNumber } from '../support/numbers/numbers.ts'
import { apart, type Caller, caller } from '../support/numbers/rig.ts'
import { makeDue } from '../support/rows/numbers.ts'

let database: DatabaseHandle
let carrier: FaultyCarrier
let app: TestApp
let me: Caller
let number: string

beforeAll(async () => {
  database = await freshDatabase()
  carrier = faultyCarrier(embeddedCarrier(database.db))
  app = await testApp({ database, carrier, mirrorTimes: { leaseMs: 300, graceMs: 400, waitMs: 20_000 } })
  me = await caller(app)
})
afterAll(() => database.close())
beforeEach(() => {
  app.platform.faults.clear()
  carrier.clear()
  number = nextNumber()
})

const create = async (body: object = {}, headers?: Record<string, string>) => {
  const sent = { name: 'Desk', selected_phone_number: number, ...body }
  const answer = await me.send('POST', '/assistants', sent, headers)
  return { status: answer.status, body: await answer.json() }
}
const held = async () => (await me.send('GET', `/phone-numbers/${number}`)).json()
const count = async () => (await (await me.send('GET', '/assistants')).json()).pagination.total
const live = () => app.services.platform.phoneNumbers.findByNumber(number)

test('an assistant is created with a number that is bought and attached in the same request', async () => {
  const { status, body } = await create()
  expect(status).toBe(201)
  const { data } = await held()
  expect(body.data).toMatchObject({ phone_number: number, phone_number_id: data.voice_phone_number_id })
  expect(data).toMatchObject({
    assistant_id: body.data.id,
    voice_assistant_id: body.data.voice_assistant_id,
    assistant: { id: body.data.id, name: 'Desk', voice_assistant_id: body.data.voice_assistant_id },
  })
  expect(await live()).toMatchObject({ assistantId: body.data.voice_assistant_id })
  expect(await apart(app, number)).toEqual([])
})

test.each([
  ['not in E.164', { selected_phone_number: '4155550100' }],
  ['over 20 characters', { selected_phone_number: `+1${'4'.repeat(20)}` }],
])('a number %s is a 422 with its text', async (_, body) => {
  const message = 'Phone number must be in international format (e.g., +1234567890).'
  expect(await create(body)).toEqual({
    status: 422,
    body: { success: false, message, errors: { selected_phone_number: [message] } },
  })
})

test('when the number cannot be bought, no assistant is made', async () => {
  const before = await count()
  carrier.fail('buy', 'refuse')
  expect(await create()).toEqual({
    status: 500,
    body: { success: false, message: 'Failed to purchase phone number: This number is no longer available.' },
  })
  expect(await count()).toBe(before)
  const theirs = await caller(app)
  await theirs.data(201, 'POST', '/phone-numbers', { phone_number: number })
  expect(await create()).toEqual({
    status: 500,
    body: { success: false, message: 'Failed to purchase phone number: This number is already in use.' },
  })
})

test('when the number cannot be registered yet, no assistant is made and the number stays, unassigned', async () => {
  const before = await count()
  app.platform.faults.add({
    method: 'POST',
    path: /phone-number/,
    mode: 'status',
    status: 400,
    body: { message: 'no' },
  })
  expect(await create()).toEqual({
    status: 500,
    body: {
      success: false,
      message: 'Failed to purchase phone number: It was bought, but the voice platform did not register it yet.',
    },
  })
  expect(await count()).toBe(before)
  expect((await held()).data).toMatchObject({ voice_phone_number_id: null, voice_assistant_id: null })
  await makeDue(database, number)
  await app.services.phoneNumbers.work.run()
  expect((await held()).data.voice_phone_number_id).not.toBeNull()
  expect(await apart(app, number)).toEqual([])
})

test('when the assistant’s own live write fails, the number stays, unassigned, and the next create attaches it', async () => {
  const { buy } = carrier.calls
  app.platform.faults.add({ method: 'POST', path: /assistant/, mode: 'status', status: 400, body: { message: 'no' } })
  expect(await create()).toEqual({
    status: 500,
    body: { success: false, message: 'Failed to create assistant in Cloud. Please try again.' },
  })
  expect((await held()).data).toMatchObject({ voice_assistant_id: null, assistant: null })
  expect(await apart(app, number)).toEqual([])
  const { status, body } = await create()
  expect(status).toBe(201)
  expect(body.data.phone_number).toBe(number)
  expect(carrier.calls.buy).toBe(buy + 1)
  expect(await apart(app, number)).toEqual([])
})

test('a number that leads somewhere already is not taken away', async () => {
  const { body } = await create()
  expect(await create({ name: 'Second' })).toEqual({
    status: 500,
    body: { success: false, message: 'Failed to purchase phone number: This account has this number already.' },
  })
  expect((await held()).data.assistant_id).toBe(body.data.id)
})

const refusals: [string, Omit<Fault, 'method' | 'path'>][] = [
  ['refuses it', { mode: 'status', status: 400, body: { message: ['assistantId is refused'] } }],
  ['fails', { mode: 'status', status: 500, times: 100 }],
  ['is out of reach', { mode: 'refuse', times: 100 }],
]

test.each(refusals)(
  'when the platform is told of the attachment and %s, nothing is made or shown',
  async (_, fault) => {
    await me.data(201, 'POST', '/phone-numbers', { phone_number: number })
    const before = (await held()).data
    const total = await count()
    const { length } = (await app.services.platform.assistants.list()) as unknown[]
    app.platform.faults.add({ method: 'PATCH', path: /phone-number/, ...fault })
    expect(await create()).toEqual({
      status: 500,
      body: { success: false, message: 'Failed to create assistant in Cloud. Please try again.' },
    })
    app.platform.faults.clear()
    expect((await held()).data).toEqual(before)
    expect(await count()).toBe(total)
    expect((await app.services.platform.assistants.list()) as unknown[]).toHaveLength(length)
    expect(await apart(app, number)).toEqual([])
    const { status, body } = await create()
    expect([status, body.data.phone_number]).toEqual([201, number])
    expect(await live()).toMatchObject({ assistantId: body.data.voice_assistant_id })
    expect(await apart(app, number)).toEqual([])
  },
)

test('when the assistant cannot be saved after its number was told, the number leads nowhere again', async () => {
  await me.data(201, 'POST', '/phone-numbers', { phone_number: number })
  await database.sql`alter table assistants add constraint no_room check (name <> 'No room')`
  expect((await create({ name: 'No room' })).status).toBe(500)
  await database.sql`alter table assistants drop constraint no_room`
  expect((await live())?.assistantId ?? null).toBeNull()
  expect((await held()).data).toMatchObject({ voice_assistant_id: null, assistant: null })
  expect(await apart(app, number)).toEqual([])
})

test('the same create asked for again buys nothing more', async () => {
  const { buy } = carrier.calls
  const key = { 'idempotency-key': `create ${number}` }
  const first = await create({}, key)
  expect(await create({}, key)).toEqual(first)
  expect(carrier.calls.buy).toBe(buy + 1)
})

test('an admin’s create for another user buys the number for that user', async () => {
  const admin = await caller(app, { role: 'admin' })
  await admin.data(201, 'POST', '/assistants', { name: 'Theirs', selected_phone_number: number, user_id: me.userId })
  expect((await held()).data).toMatchObject({ user_id: me.userId, created_by: admin.userId })
})

test('a number is bought only for who may buy numbers, and nothing is made for others', async () => {
  const body = { name: 'Desk', selected_phone_number: number }
  const without = await caller(app, { features: ['assistants'] })
  const refused = await without.send('POST', '/assistants', body)
  expect([refused.status, await refused.json()]).toEqual([
    403,
    {
      success: false,
      message: 'The feature phone_numbers is not enabled for this account.',
      feature: 'phone_numbers',
    },
  ])
  const narrow = await newTokenFor(database, me.userId, undefined, ['assistants:write', 'phone_numbers:read'])
  const scoped = await app.send('POST', '/assistants', { token: narrow, body })
  expect([scoped.status, await scoped.json()]).toMatchObject([403, { scope: 'phone_numbers:write' }])
  expect((await (await without.send('GET', '/assistants')).json()).data).toEqual([])
  expect(await live()).toBeNull()
  for (const given of [{ selected_phone_number: null }, {}]) {
    expect((await without.send('POST', '/assistants', { name: 'Desk', ...given })).status).toBe(201)
  }
})
