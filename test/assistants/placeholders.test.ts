import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
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

test.each([
  ['nested', { a: 1 }],
  ['a list', ['x']],
  ['too long', 'x'.repeat(5_001)],
])('a value that is %s is refused with what it may be', async (_name, value) => {
  const text = 'The variableValues.key field must be a string of at most 5000 characters, a number, true or false.'
  const { status, body } = await client.post('/assistants', { name: 'Ann', variableValues: { key: value } })
  expect([status, body.errors]).toEqual([422, { 'variableValues.key': [text] }])
})
