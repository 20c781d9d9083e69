import OpenAI from 'openai'
import { LengthFinishReasonError } from 'openai/error'
import { zodResponseFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkAgainst, SchemaMismatchError } from '../../src/language-model/json-schema.ts'
import { openAiCompatibleModels } from '../../src/language-model/openai-compatible.ts'
import { withoutReasoning } from '../../src/language-model/reasoning.ts'
import { newUser, type TestApp, testApp, testClock } from '../support/app.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { listening } from '../support/listening.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

let fake: FakeModelServer
let app: TestApp
let server: ReturnType<typeof listening>
let caller: Caller
let token: string

const messages = [{ role: 'user' as const, content: 'When do you open?' }]

beforeAll(async () => {
  fake = fakeModelServer()
  const clock = testClock(new Date('2026-03-01T12:00:00.000Z'))
  app = await testApp({ models: fake.models, remember: false, clock, turns: { timeZone: 'Europe/Berlin' } })
  server = listening(app)
  token = (await newUser(app.database)).token
  caller = callerOf(app, token)
  await caller.agent()
})
afterAll(() => {
  server.stop()
  fake.stop()
})
beforeEach(() => {
  fake.script.length = 0
  fake.received.length = 0
})

const complete = (body: object) => caller.post('/chat/completions', { messages, ...body })

describe('parameters', () => {
  test('that change the response reach the model', async () => {
    const asked = {
      ...{ max_tokens: 900, max_completion_tokens: 50, temperature: 0.2, top_p: 0.9, stop: ['END'], seed: 7 },
      ...{ presence_penalty: 0.5, frequency_penalty: -0.5, user: 'ada' },
    }
    const { status, body } = await complete(asked)
    expect([status, body.warnings]).toEqual([200, undefined])
    const { max_completion_tokens: _, ...sent } = { ...asked, max_tokens: 50 }
    expect(fake.received[0]).toMatchObject(sent)
  })

  test('an empty list of texts to stop at asks for nothing, and is not sent', async () => {
    expect((await complete({ stop: [] })).status).toBe(200)
    expect(fake.received[0]).not.toHaveProperty('stop')
  })

  test('that have no effect are named, in the response and in a header; idle values are not', async () => {
    const { body, headers } = await complete({ n: 2, logprobs: true, tools: [{ type: 'function' }], audio: null })
    expect(body.warnings).toEqual([
      'logprobs has no effect here.',
      'n has no effect here.',
      'tools has no effect here.',
    ])
    expect(headers.get('x-ignored-parameters')).toBe('logprobs, n, tools')
    const idle = await complete({ n: 1, logprobs: false, tools: [], store: false, response_format: { type: 'text' } })
    expect([idle.body.warnings, idle.headers.get('x-ignored-parameters')]).toEqual([undefined, null])
  })

  test.each([
    [{ temperature: 3 }, 'temperature'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ response_format: { type: 'xml' } }, 'response_format.type'],
  ])('out of range are 422: %j', async (body, field) => {
    const { status, body: said } = await complete(body)
    expect([status, Object.keys(said.errors)]).toEqual([422, [field]])
    expect(said.error.type).toBe('invalid_request_error')
  })

  test('a cut response says so, also without a language model', async () => {
    fake.script.push({ reply: 'We open', finish: 'length' })
    expect((await complete({})).body.choices[0].finish_reason).toBe('length')
    const agent = await caller.agent({ instructions: 'The shop opens at nine and closes at six in the evening.' })
    const local = {
      agent,
      model: 'local-extractive',
      messages: [{ role: 'user', content: 'When does the shop open?' }],
    }
    const { body } = await caller.post('/chat/completions', { ...local, max_tokens: 4 })
    expect(body.choices[0]).toMatchObject({ message: { content: 'The shop opens at' }, finish_reason: 'length' })
    expect(body.usage.completion_tokens).toBe(4)
    const stopped = await caller.post('/chat/completions', { ...local, stop: ' and' })
    expect(stopped.body.choices[0]).toMatchObject({
      message: { content: 'The shop opens at nine' },
      finish_reason: 'stop',
    })
  })

  test.each(['fake-1', 'local-extractive'])(
    'a response of %s that stops before its first word says so',
    async (model) => {
      const agent = await caller.agent({ instructions: 'The shop opens at nine.' })
      fake.script.push({ reply: '' })
      const asked = { agent, model, messages: [{ role: 'user', content: 'When does the shop open?' }], stop: 'The' }
      const { status, body } = await caller.post('/chat/completions', asked)
      expect([status, body.choices?.[0]]).toEqual([
        200,
        { index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' },
      ])
    },
  )
})

describe('a response that its length cuts while the model reasons', () => {
  const reasoning = { reply: '<think>They want the hours, so', finish: 'length' }

  test('is empty and says so; its thread goes on', async () => {
    fake.script.push(reasoning)
    const { status, body } = await complete({ max_tokens: 5 })
    expect([status, body.choices[0]]).toEqual([
      200,
      { index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'length' },
    ])
    const next = [{ role: 'user', content: 'On Mondays?' }]
    expect((await complete({ chat: body.service.chat, messages: next })).status).toBe(200)
    // Some models refuse two messages of the user after each other.
    const said = { role: 'user', content: 'When do you open?\n\nOn Mondays?' }
    expect(fake.received[1]?.messages.slice(1)).toEqual([said])
  })

  test('may be sent back with the messages that follow it, and is not read', async () => {
    fake.script.push(reasoning)
    const said = [{ role: 'user', content: 'When do you open?' }]
    const { choices } = (await complete({ messages: said, max_tokens: 5 })).body
    const thread = [...said, choices[0].message, { role: 'user', content: 'On Mondays?' }]
    const { status, body } = await complete({ messages: thread })
    expect(status).toBe(200)
    expect(fake.received[1]?.messages.slice(1)).toEqual([{ role: 'user', content: 'When do you open?\n\nOn Mondays?' }])
    const { agent, chat } = body.service
    const listed = (await caller.get(`/agents/${agent}/chats/${chat}/messages`)).body.data
    expect(listed.slice(0, 3).map(({ content }: { content: string }) => content)).toEqual(
      thread.map(({ content }) => content),
    )
  })

  test('is the documented failure where nothing would say so, as in a chat', async () => {
    const agent = await caller.agent()
    fake.script.push(reasoning)
    const path = `/agents/${agent}/chats/${await caller.chat(agent)}/messages`
    expect((await caller.post(path, { content: 'Hello' })).status).toBe(422)
  })

  test('is none for a message of the chat that is sent while the same completion runs', async () => {
    const agent = await caller.agent()
    const chat = await caller.chat(agent)
    const { promise: until, resolve } = Promise.withResolvers<void>()
    fake.script.push({ ...reasoning, until }, { reply: 'At nine.' })
    const completing = caller.post('/chat/completions', { chat, messages })
    await expect.poll(() => fake.received.length).toBe(1)
    const sending = caller.post(`/agents/${agent}/chats/${chat}/messages`, { content: 'When do you open?' })
    // It joins, or waits for the chat.
    await Bun.sleep(50)
    resolve()
    expect((await completing).body.choices[0].message.content).toBe('')
    expect((await sending).body.data.assistant_message.content).toBe('At nine.')
  })

  test('is the documented 500 where it ends for another reason', async () => {
    fake.script.push({ ...reasoning, finish: 'stop' })
    expect((await complete({})).status).toBe(500)
  })
})

describe('JSON', () => {
  const Hours = z.object({ opens: z.int(), days: z.array(z.enum(['Mon', 'Tue'])) })
  const format = zodResponseFormat(Hours, 'hours')
  const fits = '{"opens":9,"days":["Mon"]}'

  test('the official client parses a response of a schema', async () => {
    fake.script.push({ reply: `\`\`\`json\n${fits}\n\`\`\`` })
    const client = new OpenAI({ apiKey: token, baseURL: server.url })
    const parsed = await client.chat.completions.parse({ model: 'fake-1', messages, response_format: format })
    expect(parsed.choices[0]?.message.parsed).toEqual({ opens: 9, days: ['Mon'] })
    expect(JSON.stringify(fake.received[0]?.messages[0]?.content)).toContain('JSON of this schema')
    expect(fake.received[0]?.response_format).toEqual({ type: 'json_object' })
  })

  test('a response of another form is repaired once, and both calls count', async () => {
    fake.script.push({ reply: '{"opens":"nine","days":[]}' }, { reply: fits })
    const { status, body } = await complete({ response_format: format })
    expect([status, body.choices[0].message.content]).toEqual([200, fits])
    expect(body.usage).toEqual({ prompt_tokens: 40, completion_tokens: 14, total_tokens: 54 })
    expect(fake.received[1]?.messages.at(-1)?.content).toContain('the response.opens must be integer.')
    const thread = await app.database.sql`select role from messages where chat_id = ${body.service.chat} order by id`
    expect(thread.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  test('what is still of another form is the documented 500, an APIError for the client, and stores nothing', async () => {
    fake.script.push({ reply: 'Nine o clock' }, { reply: '[]' })
    const client = new OpenAI({ apiKey: token, baseURL: server.url })
    const request = client.chat.completions.create({
      model: 'fake-1',
      messages,
      response_format: { type: 'json_object' },
    })
    const error = await request.catch((thrown) => thrown)
    expect(error).toBeInstanceOf(OpenAI.InternalServerError)
    expect([error.status, error.error.type]).toEqual([500, 'api_error'])
    expect(fake.received).toHaveLength(2)
  })

  test('a cut one raises the client’s own error', async () => {
    fake.script.push({ reply: '{"opens":', finish: 'length' })
    const client = new OpenAI({ apiKey: token, baseURL: server.url })
    const request = client.chat.completions.parse({ model: 'fake-1', messages, response_format: format })
    await expect(request).rejects.toBeInstanceOf(LengthFinishReasonError)
  })

  const one = (schema: object, value: unknown) => () => checkAgainst({ ...schema }, value)
  test.each([
    [{ type: ['string', 'null'] }, 3, 'the response must be string or null.'],
    [{ enum: ['a', 1] }, 'b', 'the response must be one of the listed values.'],
    [{ required: ['a'] }, {}, 'the response.a is missing.'],
    [
      { properties: { a: { const: 1 } }, additionalProperties: false },
      { a: 1, b: 2 },
      'the response.b is not allowed.',
    ],
    [{ items: { minimum: 3 } }, [3, 2], 'the response[1] is beyond minimum 3.'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'the response fits none of its alternatives.'],
    [{ oneOf: [{ type: 'number' }, { minimum: 0 }] }, 1, 'the response must fit exactly one of its alternatives.'],
    [{ $ref: '#/$defs/a', $defs: { a: { maxLength: 2 } } }, 'abc', 'the response is beyond maxLength 2.'],
    [{ $ref: 'https://example.com/a' }, 1, 'The schema refers to something outside itself.'],
    [
      { $id: 'T0', properties: { items: { items: { $ref: 'T0' } } }, type: 'object' },
      { items: [1] },
      'the response.items[0] must be object.',
    ],
    [{ $ref: '#day', $defs: { day: { $anchor: 'day', maxLength: 2 } } }, 'abc', 'the response is beyond maxLength 2.'],
    [{ $ref: 'T0', const: { $id: 'T0' } }, 1, 'The schema refers to something outside itself.'],
    [{ $ref: '#' }, 1, 'The schema takes too long to check.'],
    [{ $ref: '#/a' }, 1, 'The schema has no #/a.'],
    [{ $ref: '#/%zz' }, 1, 'The schema has no #/%zz.'],
    [{ prefixItems: [true], items: { type: 'null' } }, [1, null, 2], 'the response[2] must be null.'],
  ])('%j refuses %j', (schema, value, message) => {
    expect(one(schema, value)).toThrow(message)
  })

  const nothing = Array(7_000).fill(0)
  test.each<[title: string, part: object, value: unknown]>([
    ['lists of what is no schema', { allOf: nothing, anyOf: [true, ...nothing], oneOf: [true, ...nothing] }, 'a'],
    ['a reference of many steps', { $ref: `#${'/'.repeat(20_000)}`, allOf: [] }, 'a'],
    ['a list that nothing is said of', { items: 0 }, nothing],
    ['a text whose length is not asked for', { anyOf: [true] }, 'a'.repeat(2_500)],
  ])('%s is not read again for each thing held against it', (_title, part, value) => {
    const again = Array.from({ length: 90 }, () => ({ $ref: '#/$defs/part' }))
    const $defs = { part, again: { anyOf: [false, { allOf: again }, true] } }
    const schema = { $defs, allOf: Array.from({ length: 100 }, () => ({ $ref: '#/$defs/again' })) }
    const check = () => {
      try {
        checkAgainst(schema, value)
      } catch (error) {
        expect(error).toBeInstanceOf(SchemaMismatchError)
      }
    }
    check()
    expect(cpuMs(check)).toBeLessThan(500)
  })

  test('a schema that would take for ever ends', () => {
    const steps = Array.from({ length: 60 }, (_, n) => [`a${n}`, { anyOf: [ref(n + 1), ref(n + 1)] }])
    const $defs = Object.fromEntries([...steps, ['a60', { type: 'string' }]])
    const check = () => expect(one({ ...ref(0), $defs }, 1)).toThrow('The schema takes too long to check.')
    expect(cpuMs(check)).toBeLessThan(3_000)
  })
  const ref = (n: number) => ({ $ref: `#/$defs/a${n}` })

  test('values that fit are taken', () => {
    const node = { type: 'object', properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } } }
    expect(one(node, { next: { next: { next: null } } })).not.toThrow()
  })
})

describe('what a model is told and what it thinks', () => {
  test('date, time and zone are in the prompt', async () => {
    await complete({})
    expect(String(fake.received[0]?.messages[0]?.content)).toContain(
      'It is Sunday, 1 March 2026 at 13:00 (Europe/Berlin).',
    )
  })

  test.each([
    ['<think>They ask for hours.</think>\n\nAt nine.', 'At nine.'],
    ['They ask for hours.</think>At nine.', 'At nine.'],
    ['At nine.<thinking>Was that right', 'At nine.'],
    ['<THINK>a</THINK>At <reasoning>b</reasoning>nine.', 'At nine.'],
    ['I think at nine.', 'I think at nine.'],
  ])('%s', (text, shown) => {
    expect(withoutReasoning(text).trim()).toBe(shown)
  })

  test('reasoning reaches neither the caller nor the thread', async () => {
    fake.script.push({ reply: '<think>secret thought</think>At nine.' })
    const { body } = await complete({})
    expect(body.choices[0].message.content).toBe('At nine.')
    const message = { role: 'assistant', content: 'At ten.', reasoning_content: 'secret thought' }
    fake.script.push({ body: { id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] } })
    const next = await complete({ chat: body.service.chat })
    expect(next.body.choices[0].message.content).toBe('At ten.')
    const stored = await app.database.sql`select content from messages where chat_id = ${body.service.chat}`
    expect(JSON.stringify(stored)).not.toContain('secret')
    fake.script.push({ reply: '<think>nothing else</think>' })
    expect((await complete({})).status).toBe(500)
  })

  test('bounds of a model are its own', async () => {
    const other = fakeModelServer()
    const baseUrl = `${other.baseUrl}`
    const models = openAiCompatibleModels({ baseUrl, apiKey: undefined, models: ['tiny;context=400;output=60'] }, fetch)
    const small = await testApp({ models, remember: false })
    const user = callerOf(small, (await newUser(small.database)).token)
    await user.agent()
    const long = Array.from({ length: 30 }, (_, n) => ({
      role: n % 2 ? 'assistant' : 'user',
      content: `Number ${n}. `.repeat(20),
    }))
    const { body } = await user.post('/chat/completions', { messages: [...long, ...messages] })
    expect(body.model).toBe('tiny')
    expect(other.received[0]?.max_tokens).toBe(60)
    expect(other.received[0]?.messages.length).toBeLessThan(8)
    await other.stop()
  })
})
