import { beforeAll, expect, test } from 'vitest'
import { newUser, type TestApp, testApp } from '../support/app.ts'
import { type Caller, callerOf } from './caller.ts'

let app: TestApp
let caller: Caller
let agentId: string

const instructions = `You answer for the Harbour Bakery.
We open at 7 and close at 18 from Tuesday to Saturday. On Sundays and Mondays we are closed.
Cakes are ordered two days ahead. A deposit of 10 euros is due for every cake.
Our address is Quay Street 4.`

beforeAll(async () => {
  app = await testApp({ remember: false })
  caller = callerOf(app, (await newUser(app.database)).token)
  agentId = await caller.agent({ name: 'Harbour Desk', description: 'Answers for a bakery.', instructions })
})

const ask = async (content: string, chatId?: string, agent = agentId): Promise<string> => {
  const chat = chatId ?? (await caller.chat(agent))
  const { body } = await caller.post(`/agents/${agent}/chats/${chat}/messages`, { content })
  return body.data.assistant_message.content
}

test.each([
  ['When do you open?', ['We open at 7 and close at 18'], ['Quay Street', 'Cakes']],
  ['Are you open on Sunday?', ['On Sundays and Mondays we are closed.'], ['Quay Street']],
  ['What deposit do I pay for a cake?', ['A deposit of 10 euros is due for every cake.'], ['Quay Street']],
  ['what is your address', ['Our address is Quay Street 4.'], ['deposit']],
])('%s is answered from the instructions', async (question, expected, absent) => {
  const answer = await ask(question)
  for (const text of expected) expect(answer).toContain(text)
  for (const text of absent) expect(answer).not.toContain(text)
})

test.each([
  ['Hello!', 'Hello! I am Harbour Desk. Answers for a bakery. What would you like to know?'],
  ['good morning', 'Hello! I am Harbour Desk. Answers for a bakery. What would you like to know?'],
  ['Thanks a lot', 'You are welcome. Is there anything else?'],
  ['Bye', 'Goodbye!'],
  ['My name is Ada.', 'Noted: "My name is Ada."'],
])('%s', async (said, expected) => {
  expect(await ask(said)).toBe(expected)
})

test('it says who it is', async () => {
  expect(await ask('Who are you?')).toBe(
    'I am Harbour Desk. Answers for a bakery. My instructions begin: "You answer for the Harbour Bakery."',
  )
})

test('it says openly that it found nothing, and where it looked', async () => {
  const limit = 'I only repeat what is written there: this installation has no generative language model.'
  expect(await ask('Who won the football championship?')).toBe(
    `I found nothing about that. I looked in my instructions. ${limit}`,
  )
  const blank = await caller.agent({ name: 'Blank' })
  expect(await ask('What is the capital of France?', undefined, blank)).toContain(
    'I have no instructions, memory or files to look in yet.',
  )
})

test('it recalls the thread', async () => {
  const chat = await caller.chat(agentId)
  expect(await ask('What did I just say?', chat)).toBe('This is your first message in this conversation.')
  await ask('My favourite colour is turquoise.', chat)
  expect(await ask('What is my favourite colour?', chat)).toContain(
    'Earlier you said: "My favourite colour is turquoise."',
  )
  expect(await ask('What was my first message?', chat)).toBe('Your first message was: "What did I just say?"')
  expect(await ask('What did I say?', chat)).toContain('- "My favourite colour is turquoise."')
})

test('it counts tokens, and takes the longest and strangest texts', async () => {
  const chat = await caller.chat(agentId)
  for (const content of ['😀'.repeat(20_000), 'a'.repeat(20_000), '<|endoftext|>', '漢'.repeat(5000), '"\\{}[]']) {
    const { status, body } = await caller.post(`/agents/${agentId}/chats/${chat}/messages`, { content })
    expect(status).toBe(201)
    expect(body.data.assistant_message.usage.prompt_tokens).toBeGreaterThan(0)
    expect(body.data.assistant_message.usage.completion_tokens).toBeGreaterThan(0)
  }
})
