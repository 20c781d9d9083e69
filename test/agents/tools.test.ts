import { dynamicTool, jsonSchema } from 'ai'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Knowledge } from '../../src/language-model/knowledge.ts'
import type { Toolbox } from '../../src/language-model/toolbox.ts'
import { messages } from '../../src/resources/messages/table.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

const state = { opened: 0, closed: 0, calls: [] as unknown[] }

/** Two tools of one connector; the second never answers. */
const toolbox: Toolbox = {
  async open(_agent, signal) {
    signal.throwIfAborted()
    state.opened++
    const inputSchema = jsonSchema({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    })
    const weather = dynamicTool({
      description: 'The weather forecast of a city',
      inputSchema,
      async execute(input) {
        state.calls.push(input)
        return 'Rain is expected in Lisbon all day.'
      },
    })
    const slow = dynamicTool({ description: 'Slow', inputSchema, execute: () => new Promise(() => {}) })
    const tools = { wx__forecast: weather, wx__slow: slow }
    return {
      tools,
      nameOf: (name) => name.replace('wx__', ''),
      async close() {
        state.closed++
      },
    }
  },
}

const knowledge: Knowledge = {
  search: async (_agent, { query }) =>
    query.includes('refund')
      ? [{ file: 'policy.md', heading: null, text: 'A refund takes 14 days. Shipping is free.', score: 1 }]
      : [],
}

let fake: FakeModelServer
let app: TestApp
let caller: Caller
let local: Caller
let path: string
let localPath: string

beforeAll(async () => {
  fake = fakeModelServer()
  const turns = { times: { totalMs: 5000, stepMs: 2000, toolMs: 200 } }
  app = await testApp({ models: fake.models, remember: false, toolbox, knowledge, turns })
  const { token } = await newUser(app.database)
  caller = callerOf(app, token)
  const agentId = await caller.agent()
  path = `/agents/${agentId}/chats/${await caller.chat(agentId)}/messages`
  local = callerOf(await testApp({ remember: false, toolbox, knowledge }), token)
  localPath = `/agents/${agentId}/chats/${await local.chat(agentId, { model: 'local-extractive' })}/messages`
})
afterAll(() => fake.stop())
beforeEach(() => {
  fake.script.length = 0
  fake.received.length = 0
  Object.assign(state, { opened: 0, closed: 0, calls: [] })
})

const send = (content: string) => caller.post(path, { content })

test('tools are called, named as they call themselves, and the usage is the sum of all steps', async () => {
  const call = { call: 'wx__forecast', args: '{"city":"Lisbon"}', usage: { prompt: 10, completion: 5 } }
  fake.script.push(call, call, { reply: 'Rain.', usage: { prompt: 30, completion: 2 } })
  const { status, body } = await send('Weather?')
  expect([status, body.tools_used]).toEqual([201, ['forecast']])
  expect(body.data.assistant_message.usage).toEqual({ prompt_tokens: 50, completion_tokens: 12, total_tokens: 62 })
  expect(fake.received[0]?.tools?.map((tool) => tool.function.name)).toEqual(['wx__forecast', 'wx__slow'])
  expect(fake.received[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('Lisbon') })
  expect([state.opened, state.closed, state.calls]).toEqual([1, 1, [{ city: 'Lisbon' }, { city: 'Lisbon' }]])
})

test('only texts are stored of a turn with tools', async () => {
  const rows = await app.database.db
    .select()
    .from(messages)
    .where(eq(messages.chatId, path.split('/')[4] ?? ''))
    .orderBy(asc(messages.id))
  expect(rows.map(({ role }) => role)).toEqual(['user', 'assistant'])
})

test.each([
  ['an unknown tool', { call: 'nothing' }, []],
  ['bad arguments', { call: 'wx__forecast', args: '{"city":' }, ['forecast']],
  ['a tool that does not answer', { call: 'wx__slow', args: '{"city":"x"}' }, ['slow']],
])('%s goes back to the model', async (_name, step, used) => {
  fake.script.push(step, { reply: 'Sorry.' })
  const { status, body } = await send('Weather?')
  expect([status, body.data.assistant_message.content, body.tools_used]).toEqual([201, 'Sorry.', used])
  expect(fake.received).toHaveLength(2)
  expect(state.closed).toBe(1)
})

test('the sixth step has to answer', async () => {
  const call = { call: 'wx__forecast', args: '{"city":"Lisbon"}' }
  fake.script.push(call, call, call, call, call, { reply: 'Enough.' })
  expect((await send('Weather?')).body.data.assistant_message.content).toBe('Enough.')
  expect(fake.received.map((request) => request.tool_choice)).toEqual([...Array(5).fill('auto'), 'none'])
})

test('a failed turn closes its tools', async () => {
  fake.script.push({ status: 400 })
  expect((await send('Weather?')).status).toBe(422)
  expect([state.opened, state.closed]).toEqual([1, 1])
})

test('passages of files are part of the prompt', async () => {
  await send('How long does a refund take?')
  expect(fake.received[0]?.messages[0]?.content).toContain(
    '<passage source="policy.md">\nA refund takes 14 days. Shipping is free.\n</passage>',
  )
})

test('the local model cites files', async () => {
  const { body } = await local.post(localPath, { content: 'How long does a refund take?' })
  expect(body.data.assistant_message.content).toBe('A refund takes 14 days. [policy.md]')
})

test('the local model calls a tool that fits and can be called', async () => {
  const { body } = await local.post(localPath, { content: 'What is the weather forecast for "Lisbon"?' })
  expect(state.calls).toEqual([{ city: 'Lisbon' }])
  expect(body.tools_used).toEqual(['forecast'])
  expect(body.data.assistant_message.content).toContain('Rain is expected in Lisbon all day. [wx__forecast]')
  const without = await local.post(localPath, { content: 'What is the weather forecast?' })
  expect(without.body.tools_used).toEqual([])
})
