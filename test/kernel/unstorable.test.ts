import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { type Client, clientOf, replyOf } from '../support/client.ts'

let app: TestApp
let token: string
let client: Client
let assistant: string
beforeAll(async () => {
  app = await testApp()
  token = (await newUser(app.database, { role: 'admin' })).token
  client = clientOf(app, token)
  assistant = `/assistants/${(await client.data('POST', '/assistants', { name: 'Base' })).assistant_id}`
})

/** Sends JSON as it is written here, which `JSON.stringify` would not write. */
const sendRaw = async (method: string, path: string, body: string) =>
  replyOf(await app.send(method, path, { token, body, headers: { 'content-type': 'application/json' } }))

type Refused = [method: string, path: () => string, body: string, field: string]

describe('a key __proto__ is refused by name', () => {
  const refused: Refused[] = [
    ['PUT', () => assistant, '{"name":"A","variableValues":{"__proto__":"x"}}', 'variableValues.__proto__'],
    ['PUT', () => assistant, '{"name":"A","__proto__":{"name":"B"}}', '__proto__'],
    ['PUT', () => '/phone-numbers/14155550123', '{"server":{"headers":{"__proto__":"x"}}}', 'server.headers.__proto__'],
    ['POST', () => '/trpc/assistants.create', '{"name":"A","metadata":{"__proto__":1}}', 'metadata.__proto__'],
    ['POST', () => '/trpc/assistants.create', '{"__proto__":1}', '__proto__'],
  ]
  test.each(refused)('%s %o %s', async (method, path, body, field) => {
    const message = `The ${field} field has a name that cannot be stored.`
    const { status, body: said } = await sendRaw(method, path(), body)
    const { errors } = said.error?.data.body ?? said
    expect([status, Object.entries(errors)]).toEqual([422, [[field, [message]]]])
  })

  test('in the envelope of completions', async () => {
    const answer = await sendRaw('POST', '/chat/completions', '{"messages":[],"metadata":{"__proto__":"x"}}')
    expect([answer.status, answer.body.error.param ?? answer.body.error.message]).toEqual([
      422,
      expect.stringContaining('metadata.__proto__'),
    ])
  })

  test('other names that objects have are kept', async () => {
    const variableValues = { constructor: 'a', toString: 'b', prototype: 'c' }
    const saved = await client.data('PUT', assistant, { name: 'A', variableValues })
    expect(saved.metadata.variable_values).toEqual(variableValues)
  })
})

describe('a number beyond a double is refused by name', () => {
  const refused: Refused[] = [
    ['PUT', () => assistant, '{"name":"A","variableValues":{"city":1e999}}', 'variableValues.city'],
    ['PUT', () => assistant, '{"name":"A","stopSpeakingPlan":{"numWords":1e999}}', 'stopSpeakingPlan.numWords'],
    ['POST', () => '/assistants', '{"name":"A","metadata":{"list":[1,{"at":-1e999}]}}', 'metadata.list.1.at'],
    ['POST', () => '/squads', '{"name":"S","variableValues":{"city":-1e999}}', 'variableValues.city'],
    ['POST', () => '/v2/assistants', '{"name":"A","variables":{"city":1e999}}', 'variables.city'],
    ['PUT', () => '/phone-numbers/14155550123', '{"server":{"timeoutSeconds":1e999}}', 'server.timeoutSeconds'],
    ['POST', () => '/agents', '{"name":"A","temperature":1e999}', 'temperature'],
    ['POST', () => '/admin/base-configs', '{"name":"B","config":{"x":[1e999]}}', 'config.x.0'],
  ]
  test.each(refused)('%s %o %s', async (method, path, body, field) => {
    const message = `The ${field} field contains a number that cannot be stored.`
    const answer = await sendRaw(method, path(), body)
    expect([answer.status, answer.body.message, answer.body.errors]).toEqual([422, message, { [field]: [message] }])
  })

  test('over tRPC as well', async () => {
    const answer = await sendRaw('POST', '/trpc/assistants.create', '{"name":"A","variableValues":{"city":1e999}}')
    expect([answer.status, Object.keys(answer.body.error.data.body.errors)]).toEqual([422, ['variableValues.city']])
  })

  test('the largest number that there is stays one', async () => {
    const largest = '{"name":"A","variableValues":{"city":1.7976931348623157e308}}'
    const { status, body } = await sendRaw('PUT', assistant, largest)
    expect([status, body.data.metadata.variable_values.city]).toEqual([200, Number.MAX_VALUE])
  })
})
