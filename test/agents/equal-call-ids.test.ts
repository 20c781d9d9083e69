import { dynamicTool, jsonSchema } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Toolbox } from '../../src/language-model/toolbox.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

const forecast = dynamicTool({
  description: 'The weather forecast of a city',
  inputSchema: jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
  execute: async (input) => `Rain in ${(input as { city: string }).city}.`,
})
const toolbox: Toolbox = { open: async () => ({ tools: { forecast }, nameOf: (name) => name, close: async () => {} }) }

let fake: FakeModelServer
let app: TestApp
let token: string
beforeAll(async () => {
  fake = fakeModelServer()
  app = await testApp({ models: fake.models, remember: false, toolbox })
  token = (await newUser(app.database)).token
})
afterAll(() => fake.stop())

const cities = ['Lisbon', 'Porto', 'Faro', 'Braga']
const ids = { 'the same': ['a', 'a', 'a', 'a'], 'one as it would be': ['a', 'a_2', 'a', 'b'], none: ['', '', '', ''] }

test.each(
  Object.entries(ids).flatMap(([what, given]) => [
    [what, 'application/json', given],
    [what, 'text/event-stream', given],
  ]) as [string, string, string[]][],
)('calls of one response whose ids are %s keep their arguments and results (%s)', async (_what, accept, given) => {
  const caller = callerOf(app, token)
  const agent = await caller.agent()
  const path = `/agents/${agent}/chats/${await caller.chat(agent)}/messages`
  fake.received.length = 0
  const calls = cities.map((city, at) => ({ id: given[at] ?? '', call: 'forecast', args: JSON.stringify({ city }) }))
  fake.script.push({ calls }, accept === 'application/json' ? { reply: 'Rain.' } : { pieces: ['Rain.'] })
  const response = await app.send('POST', path, { token, body: { content: 'Weather?' }, headers: { accept } })
  await response.text()

  const said = fake.received[1]?.messages.slice(-5) ?? []
  const made = said[0]?.tool_calls as { id: string; function: { arguments: string } }[]
  expect(made.map((call) => JSON.parse(call.function.arguments).city)).toEqual(cities)
  expect(new Set(made.map(({ id }) => id)).size).toBe(4)
  const results = said.slice(1) as unknown as { tool_call_id: string; content: string }[]
  expect(results.map(({ tool_call_id, content }) => [tool_call_id, content])).toEqual(
    made.map(({ id }, at) => [id, `Rain in ${cities[at]}.`]),
  )
  const { body } = await caller.get(`${path}?include=sources`)
  const uses = cities.map((city) => ({ arguments: JSON.stringify({ city }), result: `Rain in ${city}.` }))
  expect(body.data.at(-1).tool_uses).toMatchObject(uses)
})

test('a call whose arguments do not fit its tool is shown as failed, in words of our own', async () => {
  const caller = callerOf(app, token)
  const agent = await caller.agent()
  const path = `/agents/${agent}/chats/${await caller.chat(agent)}/messages`
  fake.script.push({ calls: [{ id: 'a', call: 'forecast', args: '{bad' }] }, { reply: 'I do not know.' })
  const sent = await caller.post(path, { content: 'Weather?' })
  expect([sent.status, sent.body.tools_used]).toEqual([201, ['forecast']])
  const { body } = await caller.get(`${path}?include=sources`)
  expect(body.data.at(-1).tool_uses).toEqual([
    { name: 'forecast', arguments: '{bad', result: 'The arguments do not fit the tool.', failed: true },
  ])
})
