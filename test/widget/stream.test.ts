import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { createModels } from '../../src/language-model/models.ts'
import { converseThrough } from '../../src/resources/calls/converse.ts'
import { type FakeModelServer, fakeModelServer } from '../agents/fake-model-server.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { listening, until } from '../support/listening.ts'
import { chargesOf, openHolds } from '../support/payer.ts'
import { newWidget, type WidgetRig } from './rig.ts'

let fake: FakeModelServer
let app: TestApp
let server: ReturnType<typeof listening>
let widget: WidgetRig
let key: string
beforeAll(async () => {
  fake = fakeModelServer()
  const { db } = await testDatabase()
  const models = createModels(localModel(), fake.models)
  const slots = createSlots({ total: 10 })
  app = await testApp({}, { converse: converseThrough({ db, models, slots }) })
  server = listening(app)
  widget = await newWidget(app)
  key = await widget.key()
})
afterAll(async () => {
  await server.stop()
  await fake.stop()
})

const ask = (body: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${server.url}/widget/${key}/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify(body),
    signal,
  })

const eventsOf = async (response: Response) =>
  (await response.text())
    .trim()
    .split('\n\n')
    .map((block) => {
      const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
      return [event, JSON.parse(data)]
    })

const held = () => openHolds(app.database, widget.user.workspaceId)
const charged = () => chargesOf(app.database, widget.user.workspaceId)
const kept = async () => {
  const path = `/assistants/${widget.assistantId}/conversations`
  const { token } = widget.user
  const [newest] = (await (await app.send('GET', path, { token })).json()).data
  return (await (await app.send('GET', `${path}/${newest.id}/messages`, { token })).json()).data
}

describe("a visitor's reply as a stream", () => {
  test('comes as it is written, is kept and goes on', async () => {
    fake.script.push({ pieces: ['Four', ' euros.'] })
    const response = await ask({ message: 'How much?' }, { origin: 'https://shop.example' })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const events = await eventsOf(response)
    expect(events).toEqual([
      ['delta', { text: 'Four' }],
      ['delta', { text: ' euros.' }],
      ['message', { session_id: expect.any(String), reply: 'Four euros.' }],
    ])
    fake.script.push({ pieces: ['Yes.'] })
    const next = await eventsOf(await ask({ message: 'Sure?', session_id: events.at(-1)?.[1].session_id }))
    expect(next.at(-1)).toEqual(['message', { session_id: events.at(-1)?.[1].session_id, reply: 'Yes.' }])
    expect(await kept()).toMatchObject([
      { role: 'visitor', content: 'How much?' },
      { role: 'assistant', content: 'Four euros.' },
      { role: 'visitor', content: 'Sure?' },
      { role: 'assistant', content: 'Yes.' },
    ])
  })

  test('is given again under its Idempotency-Key, and says so', async () => {
    fake.script.push({ pieces: ['Four', ' euros.'] })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await ask({ message: 'How much?' }, headers)
    const events = await eventsOf(first)
    const second = await ask({ message: 'How much?' }, headers)
    expect(await eventsOf(second)).toEqual([events.at(-1)])
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
  })

  test('is refused as without one before it begins, and says so after', async () => {
    const empty = await ask({ message: ' ' })
    expect([empty.status, empty.headers.get('content-type')]).toEqual([422, 'application/json; charset=utf-8'])
    fake.script.push({ status: 400 })
    expect((await ask({ message: 'Hello' })).status).toBe(502)
    fake.script.push({ pieces: ['Four'], after: 'cut' })
    expect(await eventsOf(await ask({ message: 'Hello' }))).toEqual([
      ['delta', { text: 'Four' }],
      [
        'error',
        { status: 502, body: { success: false, message: 'The assistant could not answer. Please try again.' } },
      ],
    ])
  })

  test('ends when the visitor leaves: the model is stopped, nothing is charged, the message is kept', async () => {
    const [before, aborted] = [await charged(), fake.state.aborted]
    fake.script.push({ pieces: ['Four'], after: 'hang' })
    const leaving = new AbortController()
    const response = await ask({ message: 'Are you there?' }, {}, leaving.signal)
    await response.body?.getReader().read()
    leaving.abort()
    await until(() => fake.state.aborted > aborted)
    await until(async () => (await held()).length === 0)
    expect(await charged()).toEqual(before)
    await until(async () => (await kept()).length === 1)
    expect(await kept()).toMatchObject([{ role: 'visitor', content: 'Are you there?' }])
  })
})
