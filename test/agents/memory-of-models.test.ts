import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countTokens } from '../../src/language-model/tokens.ts'
import { type TestApp, type TestClock, testApp, testClock } from '../support/app.ts'
import { credit, dropPrice, newPayer, setPrice, stored } from '../support/payer.ts'
import { restingTimers } from '../support/rest.ts'
import { remember } from '../support/rows/chats.ts'
import { type Caller, callerOf } from './caller.ts'
import { type FakeModelServer, fakeModelServer, type Step } from './fake-model-server.ts'

/** What a paid model finds worth remembering: asked when the conversation rests, and charged for what came of it. */
let fake: FakeModelServer
let clock: TestClock
let resting: ReturnType<typeof restingTimers>
let app: TestApp
let caller: Caller
let token: string

beforeAll(async () => {
  fake = fakeModelServer()
  clock = testClock()
  resting = restingTimers(clock)
  app = await testApp({ clock, models: fake.models, timers: resting.timers })
  await setPrice(app, 'fake-1', 1, 1)
})
afterAll(async () => {
  await dropPrice(app, 'fake-1')
  await fake.stop()
})
beforeEach(async () => {
  fake.script.length = 0
  fake.received.length = 0
  resting.clear()
  const payer = await newPayer(app, 'usd')
  await credit(app, payer, 'usd', 1_000_000)
  token = payer.token
  caller = callerOf(app, token)
  charges = async () => (await stored(app, payer, 'usd')).entries.slice(1).map(({ delta, purpose }) => [purpose, delta])
})
let charges: () => Promise<unknown[]>

const say = async (agent: string, content: string, fields = {}, by = caller) => {
  const chat = await by.chat(agent)
  const { status } = await by.post(`/agents/${agent}/chats/${chat}/messages`, { content, ...fields })
  expect(status).toBe(201)
  await app.services.memory.idle()
}
const rest = async (ms?: number) => {
  resting.rest(ms)
  await app.services.memory.idle()
}
const memoryOf = async (agent: string) => (await caller.get(`/agents/${agent}`)).body.data.memory
const notesOf = async (agent: string) =>
  (await caller.get(`/agents/${agent}/memory`)).body.data.map(({ text }: { text: string }) => text)
const today = () => clock.now().toISOString().slice(0, 10)
const turn = ['turn', -27]

/** An agent that is looked at once it rests. */
const dueAgent = async (fields = {}) => {
  const agent = await caller.agent(fields)
  clock.advance(10 * 60_000)
  return agent
}

describe('when', () => {
  test('not between turns: eight of them are eight calls and eight charges; the memory follows when they rest', async () => {
    const agent = await caller.agent()
    for (let number = 1; number <= 8; number++) await say(agent, `I live in Porto ${number}`)
    expect(fake.received).toHaveLength(8)
    expect(await charges()).toEqual(Array(8).fill(turn))
    fake.script.push({ reply: '{"add":["Lives in Porto"]}', usage: { prompt: 50, completion: 10 } })
    await rest()
    expect(fake.received).toHaveLength(9)
    expect(JSON.stringify(fake.received[8]?.messages)).toContain('I live in Porto 1')
    expect(await memoryOf(agent)).toContain('Lives in Porto')
    expect(await charges()).toEqual([...Array(8).fill(turn), ['memory', -60]])
    const { body } = await caller.get('/usage/ledger')
    expect(body.data.slice(0, 2)).toMatchObject([
      { kind: 'charge', purpose: 'memory' },
      { kind: 'charge', purpose: 'turn' },
    ])
    await rest()
    expect(fake.received).toHaveLength(9)
  })

  test('what a server says nothing of is counted and charged', async () => {
    const agent = await dueAgent()
    await say(agent, 'I live in Porto')
    fake.script.push({ reply: '{"add":["Lives in Porto"]}', usage: { prompt: 0, completion: 0 } })
    await rest()
    const charged = expect.toSatisfy((delta: number) => delta < -100)
    expect(await charges()).toEqual([turn, ['memory', charged]])
  })

  test('a new agent with five turns is looked at ten minutes after it was made, though nobody says more', async () => {
    const agent = await caller.agent()
    for (let number = 0; number < 5; number++) await say(agent, 'Hello')
    await rest()
    expect([fake.received.length, resting.waiting(), resting.nextIn()]).toEqual([5, 1, 9 * 60_000])
    await rest(9 * 60_000)
    expect([fake.received.length, resting.waiting()]).toEqual([6, 0])
  })

  test('what waits when the server is started again is looked at after the next turn', async () => {
    const agent = await dueAgent()
    await say(agent, 'I live in Porto')
    resting.clear()
    await rest(20 * 60_000)
    expect(fake.received).toHaveLength(1)
    await say(agent, 'Hello')
    await rest()
    expect(JSON.stringify(fake.received[2]?.messages)).toMatch(/I live in Porto.*Hello/)
    await say(agent, 'And now?')
    await rest(10 * 60_000)
    expect(JSON.stringify(fake.received[4]?.messages)).not.toContain('Porto')
  })

  test('of several servers that wait for an agent one asks', async () => {
    const other = await testApp({ database: app.database, clock, models: fake.models, timers: resting.timers })
    const agent = await dueAgent()
    await say(agent, 'Hello')
    await say(agent, 'Hello', {}, callerOf(other, token))
    expect(resting.waiting()).toBe(2)
    await rest()
    await other.services.memory.idle()
    expect([fake.received.length, resting.waiting()]).toEqual([3, 0])
  })

  test('each turn begins the wait anew, and a turn of another instance does as well', async () => {
    const agent = await dueAgent()
    await say(agent, 'Hello')
    clock.advance(40_000)
    await say(agent, 'Hello')
    expect(resting.waiting()).toBe(1)
    const elsewhere = await testApp({ database: app.database, clock, models: fake.models, remember: false })
    clock.advance(40_000)
    await say(agent, 'Hello', {}, callerOf(elsewhere, token))
    await rest(20_000)
    expect([fake.received.length, resting.waiting()]).toEqual([3, 1])
    await rest(40_000)
    expect([fake.received.length, resting.waiting()]).toEqual([4, 0])
  })

  test('at the sixtieth turn of a conversation that never rests', async () => {
    const agent = await caller.agent()
    await say(agent, 'The first')
    await app.database.sql`update agents set memory_turns = 58 where agent_id = ${agent}`
    await say(agent, 'The 59th')
    expect(fake.received).toHaveLength(2)
    await say(agent, 'The 60th')
    expect(fake.received).toHaveLength(4)
    expect(JSON.stringify(fake.received[3]?.messages)).toMatch(/The first.*The 59th.*The 60th/)
    expect(resting.waiting()).toBe(0)
  })

  test('nothing is waited for any more, and what is under way ends, when the server does', async () => {
    const closing = await testApp({ clock, models: fake.models, timers: resting.timers })
    const agent = await dueAgent()
    const other = callerOf(closing, token)
    const chat = await other.chat(agent)
    await other.post(`/agents/${agent}/chats/${chat}/messages`, { content: 'Hello' })
    fake.script.push({ hang: true })
    resting.rest()
    while (fake.received.length < 2) await Bun.sleep(5)
    await other.post(`/agents/${agent}/chats/${chat}/messages`, { content: 'Hello' })
    await closing.services.memory.close()
    expect([fake.received.length, resting.waiting()]).toEqual([3, 0])
  })
})

describe('what', () => {
  test('it reads user messages only, and adds and removes what the model says', async () => {
    const agent = await dueAgent({ instructions: 'Secret recipe.' })
    await remember(app.database, agent, '- [2026-01-01] Lives in Rome\n- [2026-01-02] Is a baker')
    const change = { add: ['Lives in Porto'], remove: ['lives in rome'] }
    fake.script.push({ reply: 'The reply' }, { reply: `Here you are:\n${JSON.stringify(change)}` })
    await say(agent, 'I moved to Porto')
    await rest()
    expect(await memoryOf(agent)).toBe(`- [2026-01-02] Is a baker\n- [${today()}] Lives in Porto`)
    const read = JSON.stringify(fake.received[1]?.messages)
    expect(read).toContain('I moved to Porto')
    expect(read).not.toMatch(/The reply|Secret recipe/)
  })

  test.each([
    ['what the model removes goes, and nothing else does', ['Is a baker'], ['Works at Acme', 'Works for Globex']],
    ['where it removes nothing, a newer fact takes the place of an older one', [], ['Is a baker', 'Works for Globex']],
    ['so it does where it removes what is not there', ['The user works at Acme'], ['Is a baker', 'Works for Globex']],
  ])('%s', async (_name, removed, left) => {
    const agent = await dueAgent()
    await remember(app.database, agent, '- [2026-01-01] Works at Acme\n- [2026-01-02] Is a baker')
    fake.script.push({ reply: 'Fine' }, { reply: JSON.stringify({ add: ['Works for Globex'], remove: removed }) })
    await say(agent, 'I work for Globex')
    await rest()
    expect(await notesOf(agent)).toEqual(left)
  })

  const porto = 'Lives in Porto'
  test.each<[string, string, string[]]>([
    ['more notes than are taken', JSON.stringify({ add: Array(25).fill(porto) }), [porto]],
    ['null for a list', JSON.stringify({ add: [porto], remove: null }), [porto]],
    ['what is no text', JSON.stringify({ add: [{ note: 'x' }, porto, 7, null], remove: [{}] }), [porto]],
    ['a NUL in a text', JSON.stringify({ add: ['Is a ba\0ker', porto] }), ['Is a baker', porto]],
    ['half a character in a text', '{"add":["Likes \\ud83c","Lives in Porto"]}', ['Likes \ufffd', porto]],
  ])('the other notes are kept where a model writes %s', async (_name, reply, notes) => {
    const agent = await dueAgent()
    fake.script.push({ reply: 'Fine' }, { reply })
    await say(agent, 'I live in Porto')
    await rest()
    expect(await notesOf(agent)).toEqual(notes)
    expect(resting.waiting()).toBe(0)
  })

  test.each([
    ['no JSON', { reply: 'Nothing to say' }],
    ['another form', { reply: '{"add":"x"}' }],
    ['JSON about something else', { reply: '{"known_notes":[]}' }],
    ['nothing to note', { reply: '{"add":[],"remove":[]}' }],
    ['only what may not be kept', { reply: '{"add":["The password is hunter2"]}' }],
    ['a failure', { status: 400 }],
  ])('%s changes nothing and charges nothing, and the turn stands', async (_name, step) => {
    const agent = await dueAgent()
    fake.script.push({ reply: 'Fine' }, step)
    await say(agent, 'Hello')
    await rest()
    expect(fake.received).toHaveLength(2)
    expect(await memoryOf(agent)).toBeNull()
    expect(await charges()).toEqual([turn])
    expect((await caller.get('/usage')).body.balance_usd).toBe(0.999973)
  })

  test('turns with the built-in model alone are looked at by the rules', async () => {
    const agent = await dueAgent()
    await say(agent, 'My name is Ada', { model: 'local-extractive' })
    await rest()
    expect(await memoryOf(agent)).toBe(`- [${today()}] The user's name is Ada`)
    expect([fake.received.length, await charges()]).toEqual([0, [['turn', 0]]])
  })

  test('turns with a model that is gone are looked at by the rules where no other one is left', async () => {
    const agent = await dueAgent()
    await say(agent, 'My name is Ada')
    resting.clear()
    const left = await testApp({ database: app.database, clock, timers: resting.timers })
    const other = callerOf(left, token)
    const chat = await other.chat(agent)
    clock.advance(10 * 60_000)
    await other.post(`/agents/${agent}/chats/${chat}/messages`, { content: 'I live in Oslo' })
    await left.services.memory.idle()
    expect(await notesOf(agent)).toEqual(["The user's name is Ada", 'Lives in Oslo'])
  })

  test('what another look has read meanwhile is noted once', async () => {
    const agent = await dueAgent()
    const answered = Promise.withResolvers<void>()
    fake.script.push({ reply: 'Fine' }, { reply: '{"add":["Lives in Porto"]}', until: answered.promise })
    await say(agent, 'I live in Porto')
    resting.rest()
    while (fake.received.length < 2) await Bun.sleep(5)
    await app.database
      .sql`update agents set memory_message_id = (select max(id) from messages) where agent_id = ${agent}`
    answered.resolve()
    await app.services.memory.idle()
    expect([await memoryOf(agent), await charges()]).toEqual([null, [turn]])
  })
})

describe('a look that fails', () => {
  const tenMinutes = 10 * 60_000
  const learned = { reply: '{"add":["Lives in Porto"]}' }

  test.each<[string, Step[]]>([
    ['a failure of the server', [{ status: 500 }, { status: 500 }]],
    ['a refusal', [{ status: 400 }]],
    ['no JSON', [{ reply: 'Nothing' }]],
    ['JSON of another form', [{ reply: '{"add":"x"}' }]],
  ])('is made up for ten minutes later, or after five more turns: %s', async (_name, failing) => {
    const agent = await dueAgent()
    fake.script.push({ reply: 'Fine' }, ...failing)
    await say(agent, 'I live in Porto')
    await rest()
    const asked = fake.received.length
    expect([asked, resting.nextIn()]).toEqual([1 + failing.length, tenMinutes])
    await rest(tenMinutes - 1)
    for (let number = 1; number <= 4; number++) await say(agent, 'Hello')
    expect(fake.received).toHaveLength(asked + 4)
    await say(agent, 'Hello')
    fake.script.push(learned)
    await rest()
    expect(JSON.stringify(fake.received.at(-1)?.messages)).toContain('I live in Porto')
    expect([fake.received.length, await memoryOf(agent)]).toEqual([asked + 6, expect.stringContaining('Porto')])
    await rest(2 * tenMinutes)
    expect(fake.received).toHaveLength(asked + 6)
  })

  test('is tried ever less often, and no more after a day, until the next turn', async () => {
    const agent = await dueAgent()
    fake.script.push({ reply: 'Fine' }, ...Array(20).fill({ status: 400 }))
    await say(agent, 'I live in Porto')
    const waits: number[] = []
    while (resting.waiting() > 0) {
      waits.push(Math.round(resting.nextIn() / 60_000))
      await rest(resting.nextIn())
    }
    expect(waits).toEqual([1, 10, 11, 22, 44, 88, 176, 352, 704])
    fake.script.length = 0
    fake.script.push({ reply: 'Fine' }, learned)
    await say(agent, 'Hello')
    await rest(tenMinutes)
    expect(await memoryOf(agent)).toContain('Porto')
  })

  test('leaves what was said to a server that stops to the next one', async () => {
    const closing = await testApp({ database: app.database, clock, models: fake.models, timers: resting.timers })
    const agent = await dueAgent()
    fake.script.push({ reply: 'Fine' }, { hang: true })
    await say(agent, 'I live in Porto', {}, callerOf(closing, token))
    resting.rest()
    while (fake.received.length < 2) await Bun.sleep(5)
    await closing.services.memory.close()
    expect(resting.waiting()).toBe(0)
    fake.script.push({ reply: 'Fine' }, learned)
    await say(agent, 'Hello')
    await rest(tenMinutes)
    expect(JSON.stringify(fake.received.at(-1)?.messages)).toContain('I live in Porto')
    expect(await memoryOf(agent)).toContain('Lives in Porto')
  })

  test.each([
    ['something new', '{"add":["Lives in Porto"]}', ['Is a baker', 'Lives in Porto']],
    ['what its owner removes meanwhile', '{"add":["lives in Rome."]}', ['Is a baker']],
    ['what is gone', '{"remove":["Lives in Rome"]}', ['Is a baker']],
  ])(
    'is none where a note is removed meanwhile: the change is made to what is left; %s',
    async (_name, reply, left) => {
      const agent = await dueAgent()
      await remember(app.database, agent, '- [2026-01-01] Lives in Rome\n- [2026-01-02] Is a baker')
      const answered = Promise.withResolvers<void>()
      fake.script.push({ reply: 'Fine' }, { reply, until: answered.promise })
      await say(agent, 'I moved to Porto')
      resting.rest()
      while (fake.received.length < 2) await Bun.sleep(5)
      const { body } = await caller.get(`/agents/${agent}/memory`)
      await caller.send('DELETE', `/agents/${agent}/memory/${body.data[0].id}`)
      answered.resolve()
      await app.services.memory.idle()
      expect(await notesOf(agent)).toEqual(left)
      expect(resting.waiting()).toBe(0)
    },
  )
})

describe('a small context', () => {
  const contextTokens = 700
  let small: TestApp
  beforeEach(async () => {
    const models = fake.models.map((model) => ({ ...model, contextTokens }))
    small = await testApp({ database: app.database, clock, models, timers: resting.timers })
  })
  const prompts = () =>
    fake.received.map(({ messages }) => JSON.stringify(messages)).filter((text) => text.includes('new_user'))

  test('messages that it has no room for are left to the next look, which follows at once', async () => {
    const agent = await dueAgent()
    for (let number = 1; number <= 4; number++) {
      await say(agent, `Fact ${number}: ${'word '.repeat(150)}`, {}, callerOf(small, token))
    }
    fake.script.push({ reply: '{"add":["Knows words"]}' }, { reply: '{"add":[]}' }, { reply: '{"add":[]}' })
    await rest()
    await small.services.memory.idle()
    const read = prompts().map((text) => [...text.matchAll(/Fact (\d)/g)].map(([, number]) => number))
    expect(read.length).toBeGreaterThan(1)
    expect(read.flat()).toEqual(['1', '2', '3', '4'])
    for (const text of prompts()) expect(await countTokens(text)).toBeLessThan(contextTokens)
    expect([await notesOf(agent), resting.waiting()]).toEqual([['Knows words'], 0])
  })

  test('one that is too long for it alone is cut', async () => {
    const agent = await dueAgent()
    await say(agent, `I live in Porto. ${'æøå'.repeat(600)}`, {}, callerOf(small, token))
    await rest()
    await small.services.memory.idle()
    expect(prompts()).toEqual([expect.stringContaining('I live in Porto')])
    for (const text of prompts()) expect(await countTokens(text)).toBeLessThan(contextTokens)
  })
})
