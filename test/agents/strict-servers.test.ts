import { dynamicTool, jsonSchema } from 'ai'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { createModels } from '../../src/language-model/models.ts'
import { openAiCompatibleModels } from '../../src/language-model/openai-compatible.ts'
import type { Toolbox } from '../../src/language-model/toolbox.ts'
import { converseThrough } from '../../src/resources/calls/converse.ts'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { type Caller as Owner, caller as ownerOf } from '../support/numbers/rig.ts'
import { addMessages, storedChat } from '../support/rows/chats.ts'
import { type Caller, callerOf } from './caller.ts'
import type { Received } from './fake-model-server.ts'

const received: Received[] = []
const isSummary = ({ messages: [system] }: Received) => String(system?.content).includes('running summary')
const turns = () => received.filter((request) => !isSummary(request))
const rolesOf = (request: Received | undefined) => request?.messages.map(({ role }) => role)

/** A server whose template wants a user first, and then each side in its turn. */
const strict = Object.assign(
  async (_url: unknown, init?: { body?: unknown }) => {
    const request: Received = JSON.parse(String(init?.body))
    received.push(request)
    const [first, ...roles] = request.messages.map(({ role }) => role)
    if (first !== 'system' || roles.some((role, at) => role !== (at % 2 === 0 ? 'user' : 'assistant'))) {
      return Response.json({ error: { message: 'Conversation roles must alternate user/assistant' } }, { status: 400 })
    }
    const reply = `I see. ${request.messages.at(-1)?.content}`
    const message = { role: 'assistant', content: isSummary(request) ? 'They walked.' : reply }
    return Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
  },
  { preconnect: fetch.preconnect },
)

let toolCount = 0
const toolbox: Toolbox = {
  async open() {
    const tool = dynamicTool({
      description: 'Looks up a parcel by its number. '.repeat(27),
      inputSchema: jsonSchema({ type: 'object' }),
      execute: async () => 'Nothing.',
    })
    const tools = Object.fromEntries(Array.from({ length: toolCount }, (_, at) => [`parcels__find_${at}`, tool]))
    return { tools, nameOf: (name) => name, close: async () => {} }
  },
}

let app: TestApp
let caller: Caller
let owner: Owner
beforeAll(async () => {
  const entries = ['small;context=2000', 'usual']
  const server = { baseUrl: 'http://model.test/v1', apiKey: undefined, models: entries }
  const models = openAiCompatibleModels(server, strict)
  const { db } = await testDatabase()
  const converse = converseThrough({
    db,
    models: createModels(localModel(), models),
    slots: createSlots({ total: 40 }),
  })
  app = await testApp({ models, remember: false, toolbox }, { converse })
  caller = callerOf(app, (await newUser(app.database)).token)
  owner = await ownerOf(app)
})
beforeEach(() => {
  received.length = 0
  toolCount = 0
})

async function newChat(model: string) {
  const agent = await caller.agent()
  const chatId = await caller.chat(agent, { model })
  return {
    chatId,
    async send(content: string) {
      const { status } = await caller.post(`/agents/${agent}/chats/${chatId}/messages`, { content })
      await app.services.summaries.idle()
      return status
    },
  }
}

describe('a model is told of a user first (contract: chats 19)', () => {
  test('in a chat that is summarised again and again, whose newest messages begin with a question', async () => {
    const { chatId, send } = await newChat('small')
    for (let turn = 1; turn <= 20; turn++) {
      expect(await send(`Message ${turn}. ${'We walked along the river. '.repeat(25)}`)).toBe(201)
    }
    expect((await storedChat(app.database, chatId))?.summary).toBe('They walked.')
    expect(turns().every(({ messages }) => messages[1]?.content !== '…')).toBe(true)
    const summaries = received.filter(isSummary).map(({ messages }) => JSON.parse(String(messages[1]?.content)))
    expect(summaries.length).toBeGreaterThan(1)
    for (const { newer_messages: read } of summaries)
      expect([read[0].role, read.at(-1).role]).toEqual(['user', 'assistant'])
  })

  test('in a chat of which earlier releases summarised a question without its reply', async () => {
    const { chatId, send } = await newChat('usual')
    await addMessages(app.database, chatId, [{ role: 'assistant', content: 'The parcel is 4711.' }], new Date())
    expect(await send('Which parcel?')).toBe(201)
    expect(received[0]?.messages.slice(1).map(({ content }) => content)).toEqual([
      '…',
      'The parcel is 4711.',
      'Which parcel?',
    ])
  })

  test('in a chat of more messages than a turn reads', async () => {
    const { chatId, send } = await newChat('usual')
    const said = Array.from({ length: 240 }, (_, at) => ({
      role: at % 2 ? ('assistant' as const) : ('user' as const),
      content: `m${at}`,
    }))
    await addMessages(app.database, chatId, said, new Date())
    expect(await send('And now?')).toBe(201)
    expect(received[0]?.messages[1]).toEqual({ role: 'user', content: 'm40' })
  })

  test('in a completion that begins with a greeting', async () => {
    const messages = [
      { role: 'assistant', content: 'Good day.' },
      { role: 'user', content: 'Hello' },
    ]
    expect((await caller.post('/chat/completions', { messages, model: 'usual' })).status).toBe(200)
    expect(received[0]?.messages.slice(1)).toEqual([{ role: 'user', content: '…' }, ...messages])
  })

  test('in a conversation that an assistant opens', async () => {
    const { assistant_id } = await owner.data(201, 'POST', '/assistants', { name: 'Desk', firstMessage: 'Good day.' })
    const path = `/assistants/${assistant_id}/test-calls`
    const made = await owner.data(201, 'POST', path, { messages: ['Hello'] })
    expect(made.transcript).toContain('I see.')
    expect(rolesOf(received[0])).toEqual(['system', 'user', 'assistant', 'user'])
  })
})

test.each([20, 45, 64, 100])('%i tools leave a chat its memory, and a short one is not summarised', async (count) => {
  toolCount = count
  const { send } = await newChat('usual')
  for (let turn = 1; turn <= 6; turn++) expect(await send(`A short message ${turn}.`)).toBe(201)
  expect(received).toHaveLength(6)
  expect(received.at(-1)?.messages).toHaveLength(12)
})
