import { beforeAll, expect, test } from 'vitest'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'

let app: TestApp
let client: Client
beforeAll(async () => {
  app = await testApp()
  client = await newClient(app)
})

const greeting = async (firstMessage: string, variableValues: Record<string, unknown> = {}) =>
  (await client.data('POST', '/assistants', { name: 'Ann', firstMessage, variableValues })).first_message

test.each(['name_1', 'größe', 'ключ', '名', 'first name', 'a-b.c', 'über uns 2', 'naïve'])(
  'the value of %s stands in the place of its placeholder',
  async (key) => {
    expect(await greeting(`[{{${key}}}] [{{ ${key}  }}] [{{${key}x}}]`, { [key]: 'value' })).toBe(
      `[value] [value] [{{${key}x}}]`,
    )
  },
)

test.each([
  '{{}} {{ }} {{a',
  '{{"now" | date: "%A"}}',
  '{{first name}}',
  '{{toString}}',
  '{{__proto__}}',
  `{{${'x'.repeat(700)}}}`,
])('what has no value stays as it is: %s', async (text) => {
  expect(await greeting(text, { other: 'value' })).toBe(text)
})

test('braces without end take no time', async () => {
  const messages = [{ role: 'user', content: '{{a '.repeat(25_000) }]
  const started = performance.now()
  expect((await client.post('/assistants', { name: 'Ann', model: { messages } })).status).toBe(201)
  expect(performance.now() - started).toBeLessThan(5_000)
})

test('values of any kind are kept, and those that are no texts, numbers or switches replace nothing', async () => {
  const variableValues = { nested: { a: 1 }, list: ['x'], long: 'x'.repeat(9_000), on: true }
  const firstMessage = '{{nested}} {{list}} {{on}}'
  const { status, body } = await client.post('/assistants', { name: 'Ann', firstMessage, variableValues })
  expect(status).toBe(201)
  expect(body.data).toMatchObject({
    first_message: '{{nested}} {{list}} true',
    metadata: { variable_values: variableValues },
  })
  const merged = await client.data('PUT', `/assistants/${body.data.assistant_id}`, {
    name: 'Ann',
    variableValues: { list: ['y'], on: null },
  })
  const { on: _gone, ...kept } = variableValues
  expect(merged.metadata.variable_values).toEqual({ ...kept, list: ['y'] })
})

test('what a record makes of metadata fills placeholders, but for whose it is and when it was saved', async () => {
  const keys = ['webhook_url', 'type', 'personality', 'personality_id', 'user', 'user_id', 'created_at', 'updated_at']
  const firstMessage = keys.map((key) => `{{${key}}}`).join(' ')
  const own = '{{user}} {{user_id}} {{created_at}} {{updated_at}}'
  const operator = await newUser(app.database, { role: 'admin' })
  const entry = { name: 'Mira', voice: { provider: 'vapi', voiceId: 'Elliot' }, prompt: 'You are {{personality}}.' }
  const made = await app.send('POST', '/admin/personalities', { token: operator.token, body: entry })
  const { id: personalityId } = (await made.json()).data
  const metadata = { webhook_url: 'https://e.com/a' }
  const record = await client.data('POST', '/assistants', { name: 'Ann', firstMessage, metadata })
  expect(record.first_message).toBe(`https://e.com/a demo {{personality}} {{personality_id}} ${own}`)
  const path = `/assistants/${record.assistant_id}`
  const body = { name: 'Ann', type: 'production', personality_id: personalityId, metadata: { webhook_url: null } }
  const saved = await client.data('PUT', `${path}/advanced`, body)
  expect(saved.first_message).toBe(`{{webhook_url}} production Mira ${personalityId} ${own}`)
  const prompt = { role: 'system', content: 'You are Mira.' }
  expect(saved.coreData.model.messages).toEqual([prompt])
  const variableValues = { type: 'mine' }
  expect((await client.data('PUT', path, { name: 'Ann', variableValues })).first_message).toContain('mine Mira')
  await client.data('PUT', path, { name: 'Ann', firstMessage: '{{personality}} is {{type}}' })
  const [{ changes }] = await client.data('GET', `${path}/update-log`)
  expect(changes).toMatchObject([{ path: 'firstMessage' }])
})
