import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

let fake: FakeModelServer
let app: TestApp
let caller: Caller

beforeAll(async () => {
  fake = fakeModelServer()
  app = await testApp({ models: fake.models, remember: false })
  caller = callerOf(app, (await newUser(app.database)).token)
  await caller.agent()
})
afterAll(() => fake.stop())
beforeEach(() => {
  fake.script.length = 0
  fake.received.length = 0
})

const messages = [{ role: 'user', content: 'When do you open?' }]
const complete = (body: object) => caller.post('/chat/completions', { messages, ...body })
const local = { model: 'local-extractive' }
const sampling = { temperature: 0.2, top_p: 0.9, seed: 7, presence_penalty: 0.5, frequency_penalty: -1, user: 'ada' }

describe('what has no effect is told', () => {
  test.each<[title: string, body: object, names: string[]]>([
    [
      'parameters that no format has',
      { top_k: 4, min_p: 0.1, spelt_wrong: { deep: 'value' } },
      ['min_p', 'spelt_wrong', 'top_k'],
    ],
    ['beside those of the format', { n: 2, top_k: 4 }, ['n', 'top_k']],
    ['values that ask for nothing', { top_k: null, best_of: false, tags: [], presence_penalty: 0, ...local }, []],
    [
      'a field of messages, once',
      {
        messages: [
          { ...messages[0], name: 'ada' },
          { ...messages[0], name: 'bea' },
        ],
      },
      ['messages.name'],
    ],
    [
      'how a model chooses words that chooses none',
      { ...local, ...sampling, stop: ['END'], max_tokens: 20 },
      Object.keys(sampling).sort(),
    ],
    ['nothing of one that does', sampling, []],
  ])('%s', async (_title, body, names) => {
    const { status, body: said, headers } = await complete(body)
    expect([status, said.warnings ?? []]).toEqual([200, names.map((name) => `${name} has no effect here.`)])
    expect(headers.get('x-ignored-parameters')).toBe(names.length > 0 ? names.join(', ') : null)
  })

  test('of many, and of names that no header can hold, as others', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`p${100 + n}`, n]))
    const { body, headers } = await complete(many)
    const named = Object.keys(many).slice(0, 20)
    expect(body.warnings).toEqual([
      ...named.map((name) => `${name} has no effect here.`),
      'Other parameters have no effect here.',
    ])
    expect(headers.get('x-ignored-parameters')).toBe([...named, '...'].join(', '))
    const odd = await complete({ 'näme\n': 1, ['x'.repeat(65)]: 1, '': 1 })
    expect(odd.body.warnings).toEqual(['Other parameters have no effect here.'])
    expect(odd.headers.get('x-ignored-parameters')).toBe('...')
  })

  test('and reaches neither the model nor the thread', async () => {
    const sent = [{ role: 'user', content: 'Hello', name: 'ada' }, ...messages]
    const { body } = await complete({ messages: sent, top_k: 4 })
    expect(fake.received[0]).not.toHaveProperty('top_k')
    expect(JSON.stringify(fake.received[0])).not.toContain('ada')
    const { agent, chat } = body.service
    const listed = await caller.get(`/agents/${agent}/chats/${chat}/messages`)
    expect(JSON.stringify(listed.body)).not.toContain('ada')
  })
})

test('metadata is returned as it was sent', async () => {
  const metadata = { order: '17', desk: 'north' }
  expect((await complete({ metadata })).body.metadata).toEqual(metadata)
  expect((await complete({ metadata: null })).body).not.toHaveProperty('metadata')
})

describe('a schema that no response can fit', () => {
  const format = (schema: object) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'hours', schema } },
  })
  const properties = { opens: { type: 'strng' } }
  const field = 'response_format.json_schema.schema'

  test.each<[schema: object, message: string]>([
    [{ type: 'strng' }, 'The schema has no type strng.'],
    [{ type: ['strng', 'nul'] }, 'The schema has no type strng or nul.'],
    [{ type: 'object', properties }, 'The schema has no type strng.'],
    [{ items: { anyOf: [{ type: 'null' }, { properties }] } }, 'The schema has no type strng.'],
    [{ $ref: '#/$defs/day', $defs: { day: { not: { type: 'strng' } } } }, 'The schema has no type strng.'],
    [{ properties: { day: { $ref: '#/$defs/day' } } }, 'The schema has no #/$defs/day.'],
    [{ prefixItems: [{ $ref: 'https://example.com/day' }] }, 'The schema refers to something outside itself.'],
    [{ type: 'x'.repeat(30_000) }, `The schema has no type ${'x'.repeat(100)}.`],
    [
      { $ref: '#/$defs/all', $defs: { all: { allOf: Array(2_000).fill({ $ref: '#/$defs/day' }) } } },
      'The schema has no #/$defs/day.',
    ],
  ])('is 422 and asks no model: %#', async (schema, message) => {
    const { status, body } = await complete(format(schema))
    const error = { message, type: 'invalid_request_error', code: 422 }
    expect([status, body]).toEqual([422, { message, errors: { [field]: [message] }, error }])
    expect(fake.received).toEqual([])
  })

  test.each([
    [{ $defs: { unused: { type: 'strng' } } }],
    [{ properties: { type: { type: 'string' }, $ref: { const: { type: 'strng' } } } }],
    [{ type: ['string', 'strng', 'object'] }],
    [{ properties: { next: { $ref: '#' } } }],
    [{ $id: 'T0', properties: { items: { items: { $ref: 'T0' } } } }],
    [{ properties: { day: { $ref: '#day' } }, $defs: { day: { $anchor: 'day' } } }],
    [{ patternProperties: { '^a': {} }, additionalProperties: { type: 'strng' } }],
  ])('is none that some response fits: %j', async (schema) => {
    fake.script.push({ reply: '{}' })
    expect((await complete(format(schema))).status).toBe(200)
  })
})
