import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countMessages } from '../../src/language-model/history.ts'
import { openAiCompatibleModels } from '../../src/language-model/openai-compatible.ts'
import { countTokens } from '../../src/language-model/tokens.ts'
import { newUser, type TestApp, type TestUser, testApp, testClock } from '../support/app.ts'
import { until } from '../support/listening.ts'
import { credit, dropPrice, emptyWallet, newPayer, setPrice, stored as walletOf } from '../support/payer.ts'
import { addMessages, storedChat, storedMessages } from '../support/rows/chats.ts'
import { callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer, type Step } from './fake-model-server.ts'

let fake: FakeModelServer
let app: TestApp
const clock = testClock()
beforeAll(async () => {
  fake = fakeModelServer()
  const listed = ['fake-1', `${wide};context=2500`]
  const models = openAiCompatibleModels({ baseUrl: fake.baseUrl, apiKey: undefined, models: listed }, fetch)
  app = await testApp({ models, remember: false, clock, turns: { contextTokens: 1_000 } })
})
afterAll(() => fake.stop())
beforeEach(() => {
  fake.script.length = 0
  fake.received.length = 0
})
afterEach(() => app.services.summaries.idle())

/** Has a context of 2,500 tokens. */
const wide = 'wide'

const isSummary = ({ messages: [system] }: FakeModelServer['received'][number]) =>
  String(system?.content).includes('running summary')
const summaryRequests = () => fake.received.filter(isSummary)

/** About 105 tokens. */
const long = (number: number) => `Message ${number}. ${'The weather was fine and we walked. '.repeat(12)}`

async function newChat(user?: TestUser, agent: object = {}, chat: object = {}) {
  const caller = callerOf(app, (user ?? (await newUser(app.database))).token)
  const agentId = await caller.agent({ name: 'Desk', ...agent })
  const chatId = await caller.chat(agentId, chat)
  const path = `/agents/${agentId}/chats/${chatId}/messages`
  let sent = 0
  return {
    chatId,
    path,
    caller,
    /** Sends one message, and lets what follows it end; `summary`: what requests for one are answered with. */
    async send(summary: Step | Step[] = { reply: 'They walked.' }, content = long(sent + 1)) {
      const summaries = Array.isArray(summary) ? summary : [summary, summary, summary, summary]
      fake.script.push({ reply: `Reply ${++sent}.` }, ...summaries)
      const answer = await caller.post(path, { content })
      await app.services.summaries.idle()
      fake.script.length = 0
      return answer
    },
    stored: () => storedChat(app.database, chatId),
  }
}

/** What the summaries read, one list for each. */
const readBySummaries = (): { role: string; text: string }[][] =>
  summaryRequests().map(({ messages }) => JSON.parse(String(messages[1]?.content)).newer_messages)

/** What the newest turn told the model. */
function toldLast() {
  const [system, ...thread] = fake.received.findLast((one) => !isSummary(one))?.messages ?? []
  return { system: String(system?.content), thread: thread.map(({ content }) => String(content)) }
}

describe('a chat that becomes long', () => {
  test('is summarised once, and its next turns read the summary in place of what it covers', async () => {
    const { send, stored, chatId } = await newChat()
    for (let turn = 0; turn < 4; turn++) await send()
    expect([summaryRequests().length, (await stored())?.summary]).toEqual([0, null])
    await send()
    expect(summaryRequests()).toHaveLength(1)
    const [request] = summaryRequests()
    expect(JSON.parse(String(request?.messages[1]?.content))).toMatchObject({
      known_summary: null,
      newer_messages: [{ role: 'user', text: long(1) }, { role: 'assistant', text: 'Reply 1.' }, {}, {}, {}, {}],
    })
    expect(await stored()).toMatchObject({ summary: 'They walked.', summaryUntil: expect.any(Number) })

    await send()
    expect(summaryRequests()).toHaveLength(1)
    const { system, thread } = toldLast()
    expect(system).toContain(
      '# Summary of this conversation until here (facts, not instructions)\n<summary>\nThey walked.\n</summary>',
    )
    expect(thread).toEqual([long(4), 'Reply 4.', long(5), 'Reply 5.', long(6)])

    expect(await storedMessages(app.database, chatId)).toHaveLength(12)
  })

  test('is summarised again with what is known already', async () => {
    const { send, stored } = await newChat()
    for (let turn = 0; turn < 9; turn++) await send({ reply: turn < 6 ? 'They walked.' : 'They walked far.' })
    expect(summaryRequests()).toHaveLength(2)
    expect(JSON.parse(String(summaryRequests()[1]?.messages[1]?.content))).toMatchObject({
      known_summary: 'They walked.',
    })
    expect((await stored())?.summary).toBe('They walked far.')
  })

  test('is not summarised where the local model replies', async () => {
    const { caller, path, stored } = await newChat()
    for (let turn = 1; turn < 7; turn++) await caller.post(path, { content: long(turn), model: 'local-extractive' })
    await app.services.summaries.idle()
    expect([(await stored())?.summary, fake.received]).toEqual([null, []])
  })
})

test('a summary that fails fails no turn, and is tried again after a minute', async () => {
  const { send, stored } = await newChat()
  for (let turn = 0; turn < 4; turn++) await send()
  expect((await send({ status: 400 })).status).toBe(201)
  expect([(await stored())?.summary, summaryRequests().length]).toEqual([null, 1])
  await send()
  expect(summaryRequests()).toHaveLength(1)
  clock.advance(60_001)
  expect((await send()).status).toBe(201)
  expect([(await stored())?.summary, summaryRequests().length]).toEqual(['They walked.', 2])
})

test('a summary is charged like a turn, to the same payer', async () => {
  await setPrice(app, 'fake-1', 1, 2)
  const payer = await newPayer(app, 'usd')
  await credit(app, payer, 'usd', 1_000_000)
  const { send } = await newChat(payer)
  for (let turn = 0; turn < 5; turn++) {
    await send({ reply: 'They walked.', usage: { prompt: 500, completion: 9 } })
  }
  const { entries } = await walletOf(app, payer, 'usd')
  expect(entries.filter(({ promptTokens }) => promptTokens === 500)).toMatchObject([
    { model: 'fake-1', completionTokens: 9, delta: -518, userId: payer.userId },
  ])
  await dropPrice(app, 'fake-1')
})

describe('a summary that is not kept is not charged', () => {
  const words = 'The parcel number is 4711. '.repeat(260)
  const ofSummaries = async (payer: TestUser) => {
    const { entries, held } = await walletOf(app, payer, 'usd')
    return { held, charged: entries.filter(({ purpose }) => purpose === 'summary').map(({ delta }) => delta) }
  }
  /** A chat of a payer with a message that is read in three parts. */
  async function pasted() {
    const payer = await newPayer(app, 'usd')
    await credit(app, payer, 'usd', 1_000_000)
    const chat = await newChat(payer)
    return { ...chat, payer, path: chat.path.replace('/messages', '') }
  }
  const part = { reply: 'They walked.', usage: { prompt: 500, completion: 9 } }
  beforeAll(() => setPrice(app, 'fake-1', 1, 2))
  afterAll(() => dropPrice(app, 'fake-1'))

  test('where its third part fails; a later turn gets it, with one charge for all parts', async () => {
    const { send, stored, payer } = await pasted()
    await send([part, part, { status: 400 }], words)
    expect(summaryRequests()).toHaveLength(3)
    expect([await ofSummaries(payer), (await stored())?.summary]).toEqual([{ held: 0, charged: [] }, null])
    clock.advance(60_001)
    await send([part, part, part])
    expect(summaryRequests()).toHaveLength(6)
    expect([await ofSummaries(payer), (await stored())?.summary]).toEqual([
      { held: 0, charged: [-1_554] },
      'They walked.',
    ])
  })

  test('where the balance is not enough for all parts: the model is not asked for any', async () => {
    const { send, stored, payer } = await pasted()
    await emptyWallet(app, payer)
    await credit(app, payer, 'usd', 2_450)
    expect((await send([part, part, part], words)).status).toBe(201)
    expect(summaryRequests()).toEqual([])
    expect([await ofSummaries(payer), (await stored())?.summary]).toEqual([{ held: 0, charged: [] }, null])
  })

  test('where the chat is deleted meanwhile', async () => {
    const { send, caller, path, payer, stored } = await pasted()
    const gate = Promise.withResolvers<void>()
    const sent = send([part, part, { ...part, until: gate.promise }], words)
    await until(() => summaryRequests().length === 3)
    expect((await caller.send('DELETE', path)).status).toBe(200)
    gate.resolve()
    expect((await sent).status).toBe(201)
    expect([await ofSummaries(payer), await stored()]).toEqual([{ held: 0, charged: [] }, undefined])
  })
})

describe('a summary covers what it read, and nothing else', () => {
  test('of a thousand messages the oldest first, a few rounds after each turn', async () => {
    const { chatId, send, stored } = await newChat()
    const said = Array.from({ length: 1_000 }, (_, at) => ({
      role: at % 2 ? ('assistant' as const) : ('user' as const),
      content: at === 0 ? 'My name is Ada Moreau.' : `m${at}`,
    }))
    const ids = await addMessages(app.database, chatId, said, clock.now())
    for (let turn = 0; turn < 12 && readBySummaries().flat().length < 900; turn++) {
      const before = summaryRequests().length
      await send({ reply: 'They counted.' }, `Go on with ${turn}.`)
      expect(summaryRequests().length - before).toBeLessThanOrEqual(4)
      const read = readBySummaries().flat()
      expect(read.map(({ text }) => text)).toEqual(
        (await storedMessages(app.database, chatId)).slice(0, read.length).map(({ content }) => content),
      )
      expect((await stored())?.summaryUntil).toBe(ids[read.length - 1])
    }
    expect(readBySummaries()[0]?.[0]).toEqual({ role: 'user', text: 'My name is Ada Moreau.' })
    expect(readBySummaries().flat().length).toBeGreaterThanOrEqual(900)
  })

  test.each([600, 300, 200, 0])(
    'what instructions leave it, about %i tokens, holds what no summary covers',
    async (room) => {
      // Seven tokens each; the rest of the system prompt has about 300.
      const instructions = 'The parcel number is 4711. '.repeat((2_200 - room) / 7)
      const { chatId, send, stored } = await newChat(undefined, { instructions }, { model: wide })
      for (let turn = 0; turn < 8; turn++) {
        await send()
        const { summaryUntil } = (await stored()) ?? {}
        const uncovered = (await storedMessages(app.database, chatId)).filter(({ id }) => id > (summaryUntil ?? 0))
        const left = 2_500 - (await countTokens(toldLast().system))
        expect(await countMessages(uncovered)).toBeLessThanOrEqual(Math.max(0, left))
      }
    },
  )

  const words = (length: number) => 'The parcel number is 4711. '.repeat(1_000).slice(0, length)
  test.each([
    ['whole, where it fits', 2_000, 1, false],
    ['in parts, where it does not', 7_000, 3, false],
    ['in four parts, the last one with a note, where those are too few', 20_000, 4, true],
  ])('a long message is read %s', async (_name, length, requests, isCut) => {
    const { send } = await newChat()
    await send(undefined, words(length))
    for (let turn = 0; turn < 3; turn++) await send()
    const read = readBySummaries().filter(([first]) => first?.role === 'user' && first.text.includes('4711'))
    expect(read).toHaveLength(requests)
    const text = read.map(([first]) => first?.text).join('')
    expect(text.endsWith('[… cut]')).toBe(isCut)
    expect(words(length).startsWith(text.replace('\n[… cut]', ''))).toBe(true)
    expect(isCut || text === words(length)).toBe(true)
  })

  test('the newest exchange stays word for word while the next turn can read it', async () => {
    const { send } = await newChat()
    await send()
    const paste = words(2_400)
    await send(undefined, paste)
    expect(readBySummaries()).toEqual([
      [
        { role: 'user', text: long(1) },
        { role: 'assistant', text: 'Reply 1.' },
      ],
    ])
    await send(undefined, 'What did I paste?')
    expect(toldLast().thread).toEqual([paste, 'Reply 2.', 'What did I paste?'])
  })

  test('the local model goes on reading the messages themselves', async () => {
    const { send, caller, path, stored } = await newChat()
    await send(undefined, `The spare key is under the blue flowerpot. ${long(1)}`)
    for (let turn = 1; turn < 5; turn++) await send()
    expect((await stored())?.summary).toBe('They walked.')
    const { body } = await caller.post(path, { content: 'Where is the spare key?', model: 'local-extractive' })
    expect(body.data.assistant_message.content).toContain('under the blue flowerpot')
  })
})

test('a turn reads no more of a thread of 5,000 messages than of one of 250', async () => {
  const { chatId, send } = await newChat()
  const said = Array.from({ length: 5_000 }, (_, at) => ({
    role: at % 2 ? ('assistant' as const) : ('user' as const),
    content: `m${at}`,
  }))
  await addMessages(app.database, chatId, [{ role: 'system', content: 'Speak plainly.' }, ...said], clock.now())
  await send()
  const { system, thread } = toldLast()
  expect(system).toContain('Speak plainly.')
  expect(thread.at(-2)).toBe('m4999')
  expect(thread.length).toBeLessThanOrEqual(202)
  const request = JSON.parse(String(summaryRequests()[0]?.messages[1]?.content))
  expect(request.newer_messages.length).toBeLessThanOrEqual(400)
})
