import { dynamicTool, jsonSchema } from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Knowledge } from '../../src/language-model/knowledge.ts'
import type { Toolbox } from '../../src/language-model/toolbox.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { storedMessages } from '../support/rows/chats.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer } from './fake-model-server.ts'

const forecast = 'Rain is expected in Lisbon all day.'
const state = { opened: 0, closed: 0, calls: [] as unknown[], says: forecast }

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
        return state.says
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
  search: async (_agent, question) =>
    (await question).query.includes('refund')
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
  const turns = { times: { totalMs: 5000, stepMs: 2000, toolMs: 1_000 } }
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
  Object.assign(state, { opened: 0, closed: 0, calls: [], says: forecast })
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
  const rows = await storedMessages(app.database, path.split('/')[4] ?? '')
  expect(rows.map(({ role }) => role)).toEqual(['user', 'assistant'])
})

test('a tool is called with arguments that a server sends as an object, in a stream that says no reason for its end', async () => {
  const call = { name: 'wx__forecast', arguments: { city: 'Lisbon' } }
  const delta = { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] }
  const text = `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\ndata: [DONE]\n\n`
  const response = new Response(text, { headers: { 'content-type': 'text/event-stream' } })
  fake.script.push({ response }, { reply: 'Rain.' })
  const { status, body } = await send('Weather?')
  expect([status, body.data.assistant_message.content, state.calls]).toEqual([201, 'Rain.', [{ city: 'Lisbon' }]])
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

test('what a tool gives is kept without what the database cannot store', async () => {
  state.says = 'Rain\0 in \ud800Lisbon.'
  fake.script.push({ call: 'wx__forecast', args: '"\\u0000"' }, { reply: 'Rain.' })
  expect((await send('Weather?')).status).toBe(201)
  const { body } = await caller.get(`${path}?include=sources`)
  const [use] = body.data.at(-1).tool_uses
  expect(use).toMatchObject({ name: 'forecast', result: 'Rain in \ufffdLisbon.', failed: false })
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
  expect(body.data.assistant_message.content).toContain('Rain is expected in Lisbon all day. [forecast]')
  for (const content of ['What is the weather forecast?', 'Which weather do people in Lisbon like?']) {
    expect((await local.post(localPath, { content })).body.tools_used).toEqual([])
  }
})

test.each([
  ['What is the weather forecast in New York today?', 'New York'],
  ['How is the weather in Lisbon, and will the forecast change?', 'Lisbon'],
  ["What's the weather forecast for São Paulo?", 'São Paulo'],
  ['What is the weather in Lisbon?', 'Lisbon'],
  ["What's the weather in Lisbon and what's the forecast?", 'Lisbon'],
  ['Is there a Starbucks with a weather forecast in Q3?', 'Q3'],
])('the local model takes what a question names: %s', async (content, city) => {
  const { body } = await local.post(localPath, { content })
  expect([state.calls, body.tools_used]).toEqual([[{ city }], ['forecast']])
})

describe('what a reply was made from', () => {
  const newest = async (query: string) => (await caller.get(`${path}?${query}`)).body.data.at(-1)

  test('is listed with it when it is asked for, and only then', async () => {
    fake.script.push(
      { call: 'wx__forecast', args: '{"city":"Lisbon"}' },
      { call: 'wx__slow', args: '{"city":"x"}' },
      { reply: 'It takes 14 days [policy.md].' },
    )
    await send('How long does a refund take in the rain?')
    expect(await newest('include=sources')).toMatchObject({
      content: 'It takes 14 days [policy.md].',
      tool_uses: [
        {
          name: 'forecast',
          arguments: '{"city":"Lisbon"}',
          result: 'Rain is expected in Lisbon all day.',
          failed: false,
        },
        { name: 'slow', arguments: '{"city":"x"}', result: expect.stringMatching(/./), failed: true },
      ],
      citations: [{ file: 'policy.md', heading: null }],
    })
    expect(Object.keys(await newest('per_page=1')).toSorted()).toEqual(
      ['content', 'created_at', 'id', 'model', 'object', 'role'].toSorted(),
    )
    expect((await caller.get(`${path}?include=everything`)).status).toBe(422)
  })

  test('is empty lists for a reply that drew on nothing, and nothing for a user message', async () => {
    fake.script.push({ reply: 'Hello [nowhere.md].' })
    await send('Hello')
    const [user, reply] = (await caller.get(`${path}?include=sources&per_page=2`)).body.data
    expect([user.tool_uses, reply.tool_uses, reply.citations]).toEqual([undefined, [], []])
  })
})

describe('the search of files', () => {
  const offered = () => fake.received.at(-1)?.tools?.map((tool) => tool.function.name) ?? []

  test('is offered to the model beside other tools, and what it finds can be cited', async () => {
    fake.script.push(
      { call: 'search_files', args: '{"query":"refund of shipping"}' },
      { call: 'search_files', args: '{"query":"bicycles"}' },
      { reply: 'Shipping is free [policy.md].' },
    )
    const { body } = await send('Is a refund free?')
    expect(fake.received[0]?.tools?.map((tool) => tool.function.name)).toEqual([
      'wx__forecast',
      'wx__slow',
      'search_files',
    ])
    expect(fake.received[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: '[policy.md]\nA refund takes 14 days. Shipping is free.',
    })
    expect(fake.received[2]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Nothing was found.' })
    expect(body.tools_used).toEqual(['search_files'])
  })

  test('is made three times in a turn at most', async () => {
    const call = { call: 'search_files', args: '{"query":"refund"}' }
    fake.script.push(call, call, call, call, { reply: 'Enough.' })
    await send('A refund?')
    expect(fake.received.at(-1)?.messages.at(-1)?.content).toBe('The files were searched often enough in this turn.')
  })

  test('is not offered for an agent without files, nor to the local model', async () => {
    await send('Hello')
    expect(offered()).toEqual(['wx__forecast', 'wx__slow'])
    const { body } = await local.post(localPath, { content: 'Search the files for a refund.' })
    expect(body.tools_used).toEqual([])
  })

  test('is left out for a model that calls no tools, and where a server refuses it', async () => {
    const [first] = fake.models
    if (!first) throw new Error('no model')
    const none = { open: async () => ({ tools: {}, nameOf: (name: string) => name, close: async () => {} }) }
    const parts = { remember: false, toolbox: none, knowledge }
    const { token } = await newUser(app.database)
    const turn = async (models: (typeof first)[]) => {
      const other = callerOf(await testApp({ ...parts, models }), token)
      const agentId = await other.agent()
      fake.received.length = 0
      return other.post(`/agents/${agentId}/chats/${await other.chat(agentId)}/messages`, { content: 'A refund?' })
    }
    expect((await turn([{ ...first, callsTools: false }])).status).toBe(201)
    expect([offered(), fake.received.length]).toEqual([[], 1])
    fake.script.push({ status: 400 })
    expect((await turn([first])).status).toBe(201)
    expect([offered(), fake.received.length]).toEqual([[], 2])
  })
})
