import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { createModels } from '../../src/language-model/models.ts'
import { converseThrough } from '../../src/resources/calls/converse.ts'
import { type FakeModelServer, fakeModelServer } from '../agents/fake-model-server.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { type Caller, caller } from '../support/numbers/rig.ts'
import { attemptsOfCall } from '../support/rows/deliveries.ts'
import { changeNumber } from '../support/rows/numbers.ts'

type Json = Record<string, unknown>

let app: TestApp
let me: Caller
let fake: FakeModelServer
beforeAll(async () => {
  fake = fakeModelServer()
  const { db } = await testDatabase()
  const models = createModels(localModel(), fake.models)
  const converse = converseThrough({ db, models, slots: createSlots({ total: 40 }) })
  app = await testApp({ models: fake.models }, { converse, plays: true })
  me = await caller(app)
})
afterAll(() => fake.stop())
beforeEach(() => {
  fake.script.length = 0
})

const body = async (answer: Promise<Response>) => {
  const { status, ...read } = await answer.then(async (got) => ({ status: got.status, body: await got.json() }))
  return { status, ...read }
}

const assistant = (name: string, over: object = {}): Promise<{ assistant_id: string }> =>
  me.data(201, 'POST', '/assistants', { name, firstMessage: `${name} here.`, ...over }) as never

/** A published squad whose first member hands invoices over to the second. */
async function squad(): Promise<string> {
  const [front, billing] = [await assistant('Front'), await assistant('Billing')]
  const draft = await me.data(201, 'POST', '/squads', { name: 'Office', members: [] })
  const destination = { type: 'assistant', assistantName: 'Billing', description: 'invoices', message: 'One moment.' }
  const members = [
    { assistantId: front.assistant_id, assistantDestinations: [destination] },
    { assistantId: billing.assistant_id },
  ]
  const { external_squad_id } = await me.data(200, 'PUT', `/squads/${draft.external_squad_id}`, {
    name: 'Office',
    members,
  })
  return String(external_squad_id)
}

test.each<[unknown, string, string]>([
  [1, 'messages.0', 'The messages.0 field must be a string.'],
  [null, 'messages.0', 'The messages.0 field must be a string.'],
  ['x'.repeat(5_000), 'messages.0', 'The messages.0 field must have at most 4000 characters.'],
  [
    { role: 'user', content: 'x'.repeat(5_000) },
    'messages.0.content',
    'The messages.0.content field must have at most 4000 characters.',
  ],
  [{ role: 'user' }, 'messages.0.content', 'The messages.0.content field is required.'],
  [{ role: 'assistant', content: 'Hi' }, 'messages.0.role', 'The messages.0.role field must be one of: user.'],
])('a line of a test call that is none is 422: %.40j', async (message, field, text) => {
  const { assistant_id } = await assistant('Front')
  const sent = me.send('POST', `/assistants/${assistant_id}/test-calls`, { messages: [message] })
  expect(await body(sent)).toEqual({
    status: 422,
    body: { success: false, message: text, errors: { [field]: [text] } },
  })
})

describe('a test call to a squad', () => {
  test('says what is overridden for all members, over what one overrides', async () => {
    const { assistant_id } = await assistant('Front')
    const { external_squad_id: draft } = await me.data(201, 'POST', '/squads', { name: 'Office', members: [] })
    const published = await me.data(200, 'PUT', `/squads/${draft}`, {
      name: 'Office',
      members: [{ assistantId: assistant_id, assistantOverrides: { firstMessage: 'Mine.', endCallMessage: 'Bye.' } }],
      membersOverrides: { firstMessage: 'Ours.' },
    })
    const made: Json = await me.data(201, 'POST', `/squads/${published.external_squad_id}/test-calls`, {})
    expect(made.transcript).toMatch(/^AI: Ours\.\n/)
  })

  test('is told with a fraction of a retry, as the platform takes it, rounded up', async () => {
    const { assistant_id } = await assistant('Front')
    const { external_squad_id: draft } = await me.data(201, 'POST', '/squads', { name: 'Office', members: [] })
    const backoffPlan = { type: 'fixed', maxRetries: 1.5, baseDelaySeconds: 0.5 }
    const server = { url: 'https://hooks.example.com/calls', timeoutSeconds: 2.5, backoffPlan }
    const published = await me.data(200, 'PUT', `/squads/${draft}`, {
      name: 'Office',
      members: [{ assistantId: assistant_id, assistantOverrides: { server } }],
    })
    const made: Json = await me.data(201, 'POST', `/squads/${published.external_squad_id}/test-calls`, {})
    expect(made.status).toBe('ended')
    const told = await attemptsOfCall(app.database, String(made.id))
    expect(told).toContainEqual({ attempts: 3, plan: { ...backoffPlan, maxRetries: 2 } })
  })

  test('is answered by its first member, who hands it over', async () => {
    const made: Json = await me.data(201, 'POST', `/squads/${await squad()}/test-calls`, {
      messages: ['My invoices are wrong.', 'Thanks.'],
    })
    expect(made).toMatchObject({ type: 'webCall', ended_reason: 'customer-ended-call' })
    expect(made.transcript).toBe(
      [
        'AI: Front here.',
        'User: My invoices are wrong.',
        'AI: One moment.',
        'AI: Billing here.',
        'User: Thanks.',
        'AI: echo: Thanks.',
        '',
      ].join('\n'),
    )
  })

  test('is 422 for a draft, and 404 for a squad of others', async () => {
    const draft = await me.data(201, 'POST', '/squads', { name: 'Office', members: [] })
    expect(await body(me.send('POST', `/squads/${draft.external_squad_id}/test-calls`, {}))).toEqual({
      status: 422,
      body: { success: false, message: 'This squad is a draft. Publish it to call it.' },
    })
    const stranger = await caller(app)
    expect((await stranger.send('POST', `/squads/${await squad()}/test-calls`, {})).status).toBe(404)
  })
})

describe('a test call to a number', () => {
  const callNumber = async (routing: object, call: object = { messages: ['Hi'] }): Promise<Json> => {
    const { phone_number } = await me.number()
    await me.data(200, 'PUT', `/phone-numbers/${phone_number}`, routing)
    return me.data(201, 'POST', `/phone-numbers/${phone_number.slice(1)}/test-calls`, call)
  }

  test('is answered by the assistant that it is routed to', async () => {
    const { assistant_id } = await assistant('Desk')
    const made = await callNumber({ voice_assistant_id: assistant_id })
    expect(made).toMatchObject({ type: 'inboundPhoneCall', transcript: 'AI: Desk here.\nUser: Hi\nAI: echo: Hi\n' })
  })

  test('is answered by the squad that it is routed to', async () => {
    const made = await callNumber({ voice_squad_id: await squad() }, { messages: ['An invoice, please.'] })
    expect(String(made.transcript)).toContain('AI: One moment.\nAI: Billing here.\n')
  })

  test('goes to its fallback destination when nobody is set', async () => {
    const fallback_destination = { type: 'number', number: '+14155550999' }
    expect(await callNumber({ fallback_destination })).toMatchObject({ ended_reason: 'assistant-forwarded-call' })
  })

  test('is 422 before the voice platform knows it', async () => {
    const { id, phone_number: number } = await me.number()
    await changeNumber(app.database, number, { voicePhoneNumberId: null })
    expect(await body(me.send('POST', `/phone-numbers/${id}/test-calls`, {}))).toEqual({
      status: 422,
      body: {
        success: false,
        message: 'This phone number is not registered on the voice platform yet, so it cannot be called.',
      },
    })
  })
})

describe('a caller in words', () => {
  const scenario = 'An impatient guest who wants to cancel a table for two.'
  const play = async (...replies: string[]): Promise<Json> => {
    fake.script.push(...replies.map((reply) => ({ reply })))
    const { assistant_id } = await assistant('Bistro')
    return me.data(201, 'POST', `/assistants/${assistant_id}/test-calls`, { scenario })
  }

  test('is played by the language model, which sees the call from the other side', async () => {
    const before = fake.received.length
    const made = await play('Cancel my table.', 'For which name?', 'Morgan.', 'It is cancelled.', 'Goodbye.', 'Bye.')
    expect(made.transcript).toBe(
      [
        'AI: Bistro here.',
        'User: Cancel my table.',
        'AI: For which name?',
        'User: Morgan.',
        'AI: It is cancelled.',
        'User: Goodbye.',
        'AI: Bye.',
        '',
      ].join('\n'),
    )
    expect(made.ended_reason).toBe('customer-ended-call')
    const [first, , second] = fake.received.slice(before)
    expect(String(first?.messages[0]?.content)).toContain(scenario)
    expect(second?.messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Bistro here.'],
      ['assistant', 'Cancel my table.'],
      ['user', 'For which name?'],
    ])
  })

  test('hangs up when it says so', async () => {
    const made = await play('Cancel my table. [hangs up]', 'For which name?', '[hangs up]')
    expect(made.transcript).toBe('AI: Bistro here.\nUser: Cancel my table.\nAI: For which name?\n')
  })

  test('hangs up after twelve lines', async () => {
    const made = await play()
    expect(String(made.transcript).match(/^User:/gm)).toHaveLength(12)
  })

  test('is 422 without a language model', async () => {
    const plain = await testApp({ database: app.database })
    const user = await caller(plain)
    const { assistant_id } = await user.assistant()
    const text =
      'The scenario field must be one of question, booking, goodbye, silent, voicemail, busy, no-answer: words of your own take a language model.'
    expect(await body(user.send('POST', `/assistants/${assistant_id}/test-calls`, { scenario }))).toMatchObject({
      status: 422,
      body: { errors: { scenario: [text] } },
    })
  })
})
