import pino from 'pino'
import postgres from 'postgres'
import { expect, onTestFinished, test } from 'vitest'
import { describeError } from '../../src/runtime/log.ts'
import { callerOf } from '../agents/caller.ts'
import { fakeModelServer } from '../agents/fake-model-server.ts'
import { newUser, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { listening, until } from '../support/listening.ts'

/** What the driver throws for a statement. */
async function failureOf(statement: string): Promise<Error> {
  const { sql } = await testDatabase()
  const error = await sql.unsafe(statement).catch((thrown: unknown) => thrown)
  if (!(error instanceof postgres.PostgresError)) throw new Error('It was not refused')
  return error
}

test.each([
  ["select 'my secret'::int", '22P02'],
  ['insert into users default values', '23502'],
  ['select secret from nowhere_at_all', '42P01'],
])('what the database says of %s is not logged, its code is', async (statement, code) => {
  const error = await failureOf(statement)
  const logged = describeError(new Error(`Failed query: ${statement}`, { cause: error }))
  expect(logged).toMatchObject({ type: 'PostgresError', code, message: 'a statement was refused' })
  expect(JSON.stringify(logged)).not.toContain(error.message)
})

test('the state of the database is', () => {
  const error = Object.assign(new Error('the database system is shutting down'), {
    name: 'PostgresError',
    code: '57P03',
  })
  expect(describeError(error)).toMatchObject({ code: '57P03', message: 'the database system is shutting down' })
})

test('what a model server says is not logged', async () => {
  const lines: string[] = []
  const log = pino({ serializers: { err: describeError } }, { write: (line: string) => lines.push(line) })
  const fake = fakeModelServer()
  const app = await testApp({ models: fake.models, log })
  const me = callerOf(app, (await newUser(app.database)).token)
  const agent = await me.agent()
  const body = { error: { message: 'Incorrect API key provided: Bearer my-secret' } }
  fake.script.push({ status: 401, body })
  try {
    const messages = [{ role: 'user', content: 'Hello' }]
    expect((await me.send('POST', '/chat/completions', { agent, messages })).status).toBe(500)
    expect(lines.join('')).toContain('AI_APICallError 401')
    expect(lines.join('')).not.toContain('my-secret')
  } finally {
    await fake.stop()
  }
})

test('a client that leaves is no error of ours', async () => {
  const lines: { level: number; status?: number }[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const fake = fakeModelServer()
  const app = await testApp({ models: fake.models, log })
  const { url, stop } = listening(app)
  try {
    const { token } = await newUser(app.database)
    const agent = await callerOf(app, token).agent()
    fake.script.push({ hang: true })
    const leaving = new AbortController()
    const asked = fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ agent, messages: [{ role: 'user', content: 'Hello' }] }),
      signal: leaving.signal,
    }).catch(() => 'left')
    await until(() => fake.received.length > 0)
    leaving.abort()
    expect(await asked).toBe('left')
    await until(() => lines.some(({ status }) => status === 499))
    expect(lines.filter(({ level }) => level >= 50)).toEqual([])
  } finally {
    await stop()
    await fake.stop()
  }
})

test.each([
  ['its length cut before its first word', 'length', 'cut before its first word'],
  ['has no text', 'stop', 'empty answer'],
])('why a generation failed is in the log: a reply %s', async (_what, finish, reason) => {
  const lines: { event?: string; reason?: string }[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const fake = fakeModelServer()
  onTestFinished(() => fake.stop())
  const app = await testApp({ models: fake.models, log })
  const caller = callerOf(app, (await newUser(app.database)).token)
  const agent = await caller.agent()
  fake.script.push({ reply: '<think>They want the hours, so', finish })
  const path = `/agents/${agent}/chats/${await caller.chat(agent)}/messages`
  expect((await caller.post(path, { content: 'Hello' })).status).toBe(422)
  expect(lines.filter(({ event }) => event === 'generation_failed')).toMatchObject([{ reason }])
})
