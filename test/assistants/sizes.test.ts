import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operator } from '../admin/caller.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Client, newClient } from '../support/client.ts'

let app: TestApp
let client: Client

beforeAll(async () => {
  app = await testApp()
})
beforeEach(async () => {
  client = await newClient(app)
})

const errorsOf = async (method: string, path: string, body: object) => {
  const { status, body: answer } = await client.send(method, path, body)
  expect(status, JSON.stringify(answer).slice(0, 500)).toBe(422)
  return answer.errors
}

const value = 'v'.repeat(5000)
const variableValues = { v: value }
const placeholders = (count: number) => '{{v}}'.repeat(count)
const tooLong = (field: string, max: number) => ({
  [field]: [`The ${field} field must have at most ${max} characters once its placeholders are replaced.`],
})

describe('rendered texts are bounded', () => {
  test.each([
    ['firstMessage', { firstMessage: placeholders(3) }, 10_000],
    ['endCallMessage', { endCallMessage: placeholders(3) }, 10_000],
    ['voicemailMessage', { voicemailMessage: placeholders(3) }, 10_000],
    ['model.messages', { model: { messages: [{ role: 'system', content: placeholders(20_000) }] } }, 200_000],
    [
      'model.messages',
      { model: { messages: Array.from({ length: 3 }, () => ({ role: 'user', content: placeholders(15) })) } },
      200_000,
    ],
  ])('%s', async (field, body, max) => {
    const sent = { name: 'Desk', variableValues, ...body }
    expect(await errorsOf('POST', '/assistants', sent)).toEqual(tooLong(field, max))
    const { assistant_id: id } = (await client.send('POST', '/assistants', { name: 'Desk' })).body.data
    expect(await errorsOf('PUT', `/assistants/${id}`, sent)).toEqual(tooLong(field, max))
    expect(await errorsOf('PUT', `/assistants/${id}/advanced`, sent)).toEqual(tooLong(field, max))
  })

  test('those of a template and of the builder, too', async () => {
    const admin = await operator(app)
    const entry = { name: 'T', prompt: placeholders(20_000) }
    const template = (await admin.send('POST', '/admin/prompt-templates', entry)).body.data.id
    const base = (await admin.send('POST', '/admin/base-configs', { name: 'B', config: {} })).body.data.id
    const named = { name: 'Desk', template_id: template, variableValues }
    expect(await errorsOf('POST', '/assistants', named)).toEqual(tooLong('model.messages', 200_000))
    const built = { name: 'Desk', base_config_id: base, prompt_template_id: template, variable_values: variableValues }
    for (const path of ['/v2/assistants', '/v2/assistants/preview']) {
      expect(await errorsOf('POST', path, built)).toEqual(tooLong('model.messages', 200_000))
    }
  })

  test('as much as fits is taken', async () => {
    const body = { name: 'Desk', variableValues, firstMessage: placeholders(2) }
    expect((await client.send('POST', '/assistants', body)).body.data.first_message).toHaveLength(10_000)
  })
})

test('what merges key by key does not grow for ever', async () => {
  const { assistant_id: id } = (await client.send('POST', '/assistants', { name: 'Desk' })).body.data
  const many = (round: number) =>
    Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`v${round}_${index}`, value]))
  expect((await client.send('PUT', `/assistants/${id}`, { name: 'Desk', variableValues: many(1) })).status).toBe(200)
  expect(await errorsOf('PUT', `/assistants/${id}`, { name: 'Desk', variableValues: many(2) })).toEqual({
    variableValues: ['The variableValues field is too large: all settings together may have 400000 characters.'],
  })
})

test('a page of the list has a bounded size', async () => {
  const content = 'x'.repeat(90_000)
  const model = { messages: [content, content].map((text) => ({ role: 'user', content: text })) }
  for (let count = 0; count < 26; count++) await client.send('POST', '/assistants', { name: `Desk ${count}`, model })
  for (const path of ['/assistants', '/v2/assistants']) {
    const { status, body } = await client.send('GET', `${path}?per_page=100`)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['per_page']])
    expect((await client.send('GET', `${path}?per_page=20`)).body.data).toHaveLength(20)
  }
}, 20_000)
