import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { createModels } from '../../src/language-model/models.ts'
import { converseThrough } from '../../src/resources/calls/converse.ts'
import type { Converse } from '../../src/voice-platform/converse.ts'
import { type FakeModelServer, fakeModelServer } from '../agents/fake-model-server.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { listening, until } from '../support/listening.ts'
import { chargesOf, credit, dropPrice, newPayer, openHolds, setPrice } from '../support/payer.ts'
import { newWidget } from './rig.ts'

let fake: FakeModelServer
let app: TestApp
let server: ReturnType<typeof listening>
/** What follows when a reply was made: it is charged and kept. */
let beforeKeeping: () => Promise<void>
let afterKeeping: () => Promise<void>

beforeAll(async () => {
  fake = fakeModelServer()
  const { db } = await testDatabase()
  const models = createModels(localModel(), fake.models)
  const converse = converseThrough({ db, models, slots: createSlots({ total: 10 }) })
  const watched: Converse = (messages, speaker, reader) =>
    converse(messages, speaker, {
      ...reader,
      keep: async (reply, charge) => {
        await beforeKeeping()
        await reader?.keep?.(reply, async (tx) => {
          await charge(tx)
          await afterKeeping()
        })
      },
    })
  app = await testApp({}, { converse: watched })
  await setPrice(app, 'fake-1', 1, 1)
  server = listening(app)
})
afterAll(async () => {
  await dropPrice(app, 'fake-1')
  await server.stop()
  await fake.stop()
})
beforeEach(() => {
  fake.script.length = 0
  beforeKeeping = afterKeeping = async () => {}
})

/** A widget whose workspace pays, and what became of its one exchange. */
const setup = async () => {
  const payer = await newPayer(app, 'tokens')
  await credit(app, payer, 'tokens', 100_000)
  const widget = await newWidget(app, {}, payer)
  const key = await widget.key()
  const leaving = new AbortController()
  const ask = (accept: string) =>
    fetch(`${server.url}/widget/${key}/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ message: 'How much?' }),
      signal: leaving.signal,
    })
  const read = async (path: string) => (await app.send('GET', path, { token: payer.token })).json()
  const outcome = async () => {
    const path = `/assistants/${widget.assistantId}/conversations`
    const { data: conversations = [] } = await read(path)
    const said = await Promise.all(
      conversations.map(async ({ id }: { id: string }) => (await read(`${path}/${id}/messages`)).data),
    )
    const charges = (await chargesOf(app.database, payer.workspaceId)).filter(({ kind }) => kind === 'charge')
    return {
      kept: said.flat().map(({ role, content }: { role: string; content: string }) => `${role}: ${content}`),
      charges: charges.map(({ delta }) => delta),
      holds: (await openHolds(app.database, payer.workspaceId)).length,
    }
  }
  return { ask, outcome, leave: () => leaving.abort(), payer, assistantId: widget.assistantId }
}

const unanswered = { kept: ['visitor: How much?'], charges: [], holds: 0 }
const answered = { kept: ['visitor: How much?', 'assistant: Four euros.'], charges: [-27], holds: 0 }

const kinds = [
  ['a plain reply', 'application/json', { reply: 'Four euros.' }],
  ['a stream', 'text/event-stream', { pieces: ['Four', ' euros.'] }],
] as const

const comesTo = async (outcome: () => Promise<object>, expected: object) => {
  const matches = async () => Bun.deepEquals(await outcome(), expected)
  await until(matches).catch(() => {})
  expect(await outcome()).toEqual(expected)
}

describe.each(kinds)('%s to a visitor', (_, accept, step) => {
  const script = () => fake.script.push('pieces' in step ? { pieces: [...step.pieces] } : step)

  test('is charged and kept once', async () => {
    const { ask, outcome } = await setup()
    script()
    expect(await (await ask(accept)).text()).toContain('Four euros.')
    expect(await outcome()).toEqual(answered)
  })

  test('who left while the model wrote ends its call, and is not charged', async () => {
    const { ask, outcome, leave } = await setup()
    const { aborted } = fake.state
    const asked = fake.received.length
    fake.script.push({ hang: true })
    const response = ask(accept).catch(() => undefined)
    await until(() => fake.received.length > asked)
    leave()
    await response
    await until(() => fake.state.aborted > aborted)
    await comesTo(outcome, unanswered)
  })

  test('who left when it was written, and not yet kept, is not charged', async () => {
    const { ask, outcome, leave } = await setup()
    const [written, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    beforeKeeping = async () => {
      written.resolve()
      await gone.promise
    }
    script()
    const response = ask(accept)
      .then((got) => got.text())
      .catch(() => undefined)
    await written.promise
    leave()
    await response
    await until(async () => (await outcome()).kept.length > 0)
    gone.resolve()
    await comesTo(outcome, unanswered)
  })

  test('who left while it was kept finds it charged and kept, once', async () => {
    const { ask, outcome, leave } = await setup()
    const [keeping, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    afterKeeping = async () => {
      keeping.resolve()
      await gone.promise
    }
    script()
    const response = ask(accept)
      .then((got) => got.text())
      .catch(() => undefined)
    await keeping.promise
    leave()
    await response
    await Bun.sleep(50)
    gone.resolve()
    await comesTo(outcome, answered)
  })

  test('that cannot be kept is not charged', async () => {
    const { ask, outcome, payer, assistantId } = await setup()
    beforeKeeping = async () => {
      await app.send('DELETE', `/assistants/${assistantId}`, { token: payer.token })
    }
    script()
    await (await ask(accept)).text()
    await comesTo(outcome, { kept: [], charges: [], holds: 0 })
  })
})
