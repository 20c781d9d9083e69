import { dynamicTool, jsonSchema } from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { createModels } from '../../src/language-model/models.ts'
import { openAiCompatibleModels } from '../../src/language-model/openai-compatible.ts'
import type { Toolbox } from '../../src/language-model/toolbox.ts'
import { converseThrough } from '../../src/resources/calls/converse.ts'
import { type Caller, callerOf } from '../agents/caller.ts'
import { countingModelServer } from '../agents/counting-model-server.ts'
import { newAssistant } from '../calls/call.ts'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { credit, dropPrice, newPayer, setPrice, stored, storedBudget } from '../support/payer.ts'

const model = 'counting'
const contextTokens = 12_000
const page = 'Opening hours and prices. '.repeat(400).slice(0, 8_000)

const toolbox: Toolbox = {
  open: async () => ({
    tools: {
      lookup: dynamicTool({
        description: 'Looks something up',
        inputSchema: jsonSchema({ type: 'object', properties: {} }),
        execute: async () => page,
      }),
    },
    nameOf: (name) => name,
    close: async () => {},
  }),
}

let server: ReturnType<typeof countingModelServer>
let app: TestApp
beforeAll(async () => {
  server = countingModelServer()
  const models = openAiCompatibleModels({ baseUrl: server.baseUrl, apiKey: undefined, models: [model] }, fetch)
  const database = await testDatabase()
  await setPrice({ database }, model, 1, 2)
  const slots = createSlots({ total: 40, perKey: 40 })
  const converse = converseThrough({ db: database.db, models: createModels(localModel(), models), slots })
  const turns = { contextTokens, outputTokens: 1_024 }
  const overrides = { models, remember: false, summarise: false, toolbox, turns, turnSlots: slots }
  app = await testApp({ ...overrides, allowPrivateNetwork: ['127.0.0.1'] }, { converse })
})
afterAll(async () => {
  await dropPrice({ database: await testDatabase() }, model)
  await server.stop()
})
beforeEach(() => {
  server.taken.length = 0
  Object.assign(server.writing, { writes: 100_000, calls: 4, says: true })
})

const payer = async (balance: number, currency: 'tokens' | 'usd' = 'tokens') => {
  const user = await newPayer(app, currency)
  await credit(app, user, currency, balance)
  return user
}

/** Sends `hi` in a new chat of an agent whose tool returns 8,000 characters. */
const say = async (caller: Caller, agent: string, headers = {}) => {
  const chat = await caller.chat(agent)
  return caller.post(`/agents/${agent}/chats/${chat}/messages`, { content: 'hi' }, headers)
}

const turnOf = async (user: TestUser, headers = {}) => {
  const caller = callerOf(app, user.token)
  return say(caller, await caller.agent(), headers)
}

const charged = async (user: TestUser, currency: 'tokens' | 'usd' = 'tokens') => {
  const { deltas, ...wallet } = await stored(app, user, currency)
  return { ...wallet, spent: deltas.slice(1).reduce((sum, delta) => sum - delta, 0) }
}

describe('a turn with tools', () => {
  test.each([450, 700, 3_000])(
    'ends with an answer though its model calls tools against its word: %i tokens',
    async (balance) => {
      server.writing.obeys = false
      onTestFinished(() => {
        server.writing.obeys = true
      })
      const user = await payer(balance)
      const { status } = await turnOf(user)
      const { spent, held, holds } = await charged(user)
      expect({ status, spent, held, holds }).toEqual({ status: 201, spent: server.total(), held: 0, holds: [] })
      expect(spent).toBeLessThanOrEqual(balance)
    },
  )

  test.each(['application/json', 'text/event-stream'])(
    'is asked once more without tools where its model does nothing but call some in the last step (%s)',
    async (accept) => {
      Object.assign(server.writing, { obeys: false, calls: 1, writes: 8 })
      onTestFinished(() => {
        server.writing.obeys = true
      })
      const user = await payer(1_000_000)
      const { status, body } = await turnOf(user, { accept })
      expect([status < 300, JSON.stringify(body)]).toEqual([true, expect.stringContaining('word'.repeat(8))])
      expect(server.taken.map(({ asked }) => asked.tools?.length ?? 0)).toEqual([1, 1, 1, 1, 1, 1, 0])
      const given = server.taken.at(-1)?.asked.messages.filter(({ role }) => role === 'tool') ?? []
      expect(given).toHaveLength(5)
      expect(await charged(user)).toMatchObject({ spent: server.total(), held: 0 })
    },
  )

  test.each([
    ['1,000 tokens', 1_000, {}],
    ['1,000 tokens, streamed', 1_000, { accept: 'text/event-stream' }],
    ['12,000 tokens', 12_000, {}],
  ])('asks the model for no more than its balance of %s pays for', async (_name, balance, headers) => {
    const user = await payer(balance)
    await turnOf(user, headers)
    const { spent, held, holds } = await charged(user)
    expect(server.taken.length).toBeGreaterThan(1)
    expect(server.total()).toBeLessThanOrEqual(balance)
    expect({ spent, held, holds }).toEqual({ spent: server.total(), held: 0, holds: [] })
    expect(server.taken.at(-1)?.asked.tool_choice ?? 'none').toBe('none')
  })

  test.each(['application/json', 'text/event-stream'])(
    'is answered, or refused before the model is asked (%s)',
    async (accept) => {
      for (const balance of [60, 250, 340, 420, 600, 900, 2_500, 6_000, 9_000, 20_000, 60_000]) {
        server.taken.length = 0
        const user = await payer(balance)
        const { status, body } = await turnOf(user, { accept })
        const isAnswered = status < 300 && !JSON.stringify(body).includes('insufficient_tokens')
        expect([balance, isAnswered, isAnswered || status]).toEqual([
          balance,
          ...(server.taken.length > 0 ? [true, true] : [false, 402]),
        ])
        expect(server.total()).toBeLessThanOrEqual(balance)
        expect((await charged(user)).spent).toBe(server.total())
      }
    },
  )

  test.each([
    [1_000, 402, 0],
    [3_000, 500, 2],
    [6_000, 500, 2],
    [20_000, 500, 2],
  ])('in a form is refused first on a balance of %i, or has its response repaired', async (balance, status, least) => {
    const user = await payer(balance)
    const caller = callerOf(app, user.token)
    const messages = [{ role: 'user', content: 'hi' }]
    const body = { agent: await caller.agent(), messages, response_format: { type: 'json_object' } }
    // What the server writes is no JSON.
    expect((await caller.post('/chat/completions', body)).status).toBe(status)
    expect(server.taken.length).toBeGreaterThanOrEqual(least)
    expect(server.total()).toBeLessThanOrEqual(least === 0 ? 0 : balance)
    expect(await charged(user)).toMatchObject({ spent: 0, held: 0, balance })
  })

  test('in dollars takes no more than its balance', async () => {
    const user = await payer(5_000, 'usd')
    expect((await turnOf(user)).status).toBe(201)
    const cost = server.taken.reduce((sum, { prompt, completion }) => sum + prompt + 2 * completion, 0)
    expect(cost).toBeLessThanOrEqual(5_000)
    expect(await charged(user, 'usd')).toMatchObject({ spent: cost, held: 0 })
  })

  const oneRequest = 3_000
  test.each([
    ['balance', oneRequest, undefined, {}],
    ['balance, streamed', oneRequest, undefined, { accept: 'text/event-stream' }],
    ['budget', 1_000_000, oneRequest, {}],
  ])('goes on without tools where the %s pays for one request alone', async (_name, balance, budget, headers) => {
    const user = await payer(balance)
    const caller = callerOf(app, user.token)
    const agent = await caller.agent()
    if (budget) await caller.send('PUT', `/agents/${agent}/budget`, { window: 'day', tokens: budget })
    const path = `/agents/${agent}/chats/${await caller.chat(agent)}/messages`
    const { status } = await caller.post(path, { content: 'Where? '.repeat(1_100) }, headers)
    expect(status).toBe('accept' in headers ? 200 : 201)
    expect(server.taken.map(({ asked }) => asked.tools)).toEqual([undefined])
    const { spent, held } = await charged(user)
    expect({ spent, held }).toEqual({ spent: server.total(), held: 0 })
    expect(spent).toBeLessThanOrEqual(oneRequest)
  })

  test('ten at once take no more than their balance together', async () => {
    const user = await payer(20_000)
    const caller = callerOf(app, user.token)
    const agent = await caller.agent()
    const answers = await Promise.all(Array.from({ length: 10 }, () => say(caller, agent)))
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(3)
    expect(answers.every(({ status }) => [201, 402, 429].includes(status))).toBe(true)
    expect(server.total()).toBeLessThanOrEqual(20_000)
    expect(await charged(user)).toMatchObject({ spent: server.total(), held: 0, holds: [] })
  })

  test('takes no more than the budget of its agent', async () => {
    const user = await payer(1_000_000)
    const caller = callerOf(app, user.token)
    const agent = await caller.agent()
    await caller.send('PUT', `/agents/${agent}/budget`, { window: 'day', tokens: 1_000 })
    expect((await say(caller, agent)).status).toBe(201)
    expect(server.total()).toBeLessThanOrEqual(1_000)
    expect(await charged(user)).toMatchObject({ spent: server.total(), held: 0 })
    const [row] = await app.database.sql<{ id: number }[]>`select id from agents where agent_id = ${agent}`
    expect(await storedBudget(app.database, { agentId: row?.id ?? 0 })).toMatchObject({
      spent: server.total(),
      held: 0,
    })
  })

  test('has six steps where the balance pays for them, with what its tools gave cut to the context', async () => {
    const user = await payer(1_000_000)
    Object.assign(server.writing, { writes: 200 })
    expect((await turnOf(user)).status).toBe(201)
    expect(server.taken).toHaveLength(6)
    expect(Math.max(...server.taken.map(({ prompt }) => prompt))).toBeLessThanOrEqual(contextTokens)
    const results = server.taken.at(-1)?.asked.messages.filter(({ role }) => role === 'tool') ?? []
    expect(results).toHaveLength(20)
    expect(results.some(({ content }) => String(content).endsWith('[… cut]'))).toBe(true)
    expect(await charged(user)).toMatchObject({ spent: server.total(), held: 0 })
  })

  test('calls at most eight tools in a step', async () => {
    const user = await payer(1_000_000)
    Object.assign(server.writing, { calls: 30, writes: 2_000 })
    await turnOf(user)
    expect(server.taken[1]?.asked.messages.filter(({ role }) => role === 'tool')).toHaveLength(8)
  })

  test('leaves room for what its tools give in a long chat', async () => {
    const caller = callerOf(app, (await newUser(app.database)).token)
    const agent = await caller.agent()
    const chat = await caller.chat(agent)
    const path = `/agents/${agent}/chats/${chat}/messages`
    Object.assign(server.writing, { calls: 0, writes: 900 })
    for (let turn = 0; turn < 8; turn++) await caller.post(path, { content: 'word '.repeat(1_500) })
    Object.assign(server.writing, { calls: 2, writes: 100 })
    server.taken.length = 0
    expect((await caller.post(path, { content: 'hi' })).status).toBe(201)
    expect(Math.max(...server.taken.map(({ prompt }) => prompt))).toBeLessThanOrEqual(contextTokens)
    const given = server.taken[1]?.asked.messages.filter(({ role }) => role === 'tool') ?? []
    expect(given.map(({ content }) => String(content).length > 4_000)).toEqual([true, true])
  })
})

describe('a turn with tools of a server that says nothing of its usage', () => {
  test.each(['application/json', 'text/event-stream'])('is charged for every step (%s)', async (accept) => {
    Object.assign(server.writing, { says: false, writes: 200 })
    const user = await payer(1_000_000)
    await turnOf(user, { accept })
    expect(server.taken).toHaveLength(6)
    const { spent, entries } = await charged(user)
    const [prompt, completion] = [entries[1]?.promptTokens ?? 0, entries[1]?.completionTokens ?? 0]
    const sum = (of: 'prompt' | 'completion') => server.taken.reduce((total, taken) => total + taken[of], 0)
    // The tokenizer here finds fewer tokens than the server, which counts one for four characters.
    expect(prompt).toBeGreaterThan(sum('prompt') * 0.7)
    expect(completion).toBeGreaterThan(sum('completion') * 0.6)
    expect(prompt + completion).toBeLessThanOrEqual(server.total())
    expect(spent).toBe(prompt + completion)
  })

  test('takes no more than its balance', async () => {
    Object.assign(server.writing, { says: false })
    const user = await payer(6_000)
    expect((await turnOf(user)).status).toBe(201)
    expect(server.total()).toBeLessThanOrEqual(6_000)
    expect((await charged(user)).spent).toBeGreaterThan(server.total() * 0.7)
  })
})

test('a test call with a tool takes no more than the balance of its workspace', async () => {
  const tool = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answerCall })
  const user = await payer(3_000)
  const { assistantId } = await newAssistant(app, user, {
    serverMessages: ['tool-calls'],
    model: {
      tools: [
        {
          type: 'function',
          function: { name: 'lookup', description: 'Looks up.', parameters: { type: 'object', properties: {} } },
          server: { url: `http://127.0.0.1:${tool.port}` },
        },
      ],
    },
  })
  const body = { messages: ['When are you open?'] }
  const answer = await app.send('POST', `/assistants/${assistantId}/test-calls`, { token: user.token, body })
  await tool.stop(true)
  expect(answer.status).toBe(201)
  expect(server.taken.length).toBeGreaterThan(1)
  expect(server.total()).toBeLessThanOrEqual(3_000)
  expect(await charged(user)).toMatchObject({ spent: server.total(), held: 0 })
})

async function answerCall(request: Request): Promise<Response> {
  const { message } = await request.json()
  const [call] = message.toolCallList ?? []
  return Response.json({ results: call ? [{ toolCallId: call.id, result: page }] : [] })
}
