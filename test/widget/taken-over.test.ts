import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createInstances, type Instances } from '../agents/instances.ts'
import type { TestApp } from '../support/app.ts'
import { openHolds } from '../support/payer.ts'
import { newWidget } from './rig.ts'

let instances: Instances
let stalled: TestApp
let other: TestApp

beforeAll(async () => {
  instances = await createInstances()
  ;({ stalled, other } = instances)
})
afterAll(() => instances.stop())
beforeEach(() => instances.reset())

const setup = async (isFirst: boolean, accept = 'application/json') => {
  const payer = await instances.payer()
  const widget = await newWidget(stalled, {}, payer)
  const path = `/widget/${await widget.key()}/chat`
  const post = async (app: TestApp, body: object, headers: Record<string, string> = {}) => {
    const response = await app.send('POST', path, { body, headers })
    const text = await response.text()
    const data = /event: message\ndata: (.*)/.exec(text)?.[1] ?? text
    return { status: response.status, body: JSON.parse(data) }
  }
  const session = isFirst ? undefined : (await post(stalled, { message: 'Hello' })).body.session_id
  instances.reset()
  const [charged, key] = [await instances.charges(payer), crypto.randomUUID()]
  const send = (app: TestApp) =>
    post(app, { message: 'How much?', session_id: session }, { 'idempotency-key': key, accept })
  const outcome = async () => {
    const of = `/assistants/${widget.assistantId}/conversations`
    const read = async (at: string) => (await (await other.send('GET', at, { token: payer.token })).json()).data
    const [conversation, ...more] = await read(of)
    const said = await read(`${of}/${conversation.id}/messages`)
    return {
      charges: (await instances.charges(payer)) - charged,
      holds: (await openHolds(stalled.database, payer.workspaceId)).length,
      more,
      said: said.slice(isFirst ? 0 : 2).map(({ content }: { content: string }) => content),
    }
  }
  return { send, outcome }
}

/** What the model writes, in a way that it can stall with. */
const written = (accept: string, reply: string) =>
  accept === 'text/event-stream' ? { pieces: [reply.slice(0, 2), reply.slice(2)] } : { reply }

const once = (reply: string) => ({ charges: 1, holds: 0, more: [], said: ['How much?', reply] })

describe.each([
  ['the first message of a visitor', true, 'application/json'],
  ['a message of a session', false, 'application/json'],
  ['the first message of a visitor, as a stream', true, 'text/event-stream'],
])('%s under an Idempotency-Key that another instance takes over', (_, isFirst, accept) => {
  test('and answers is answered, kept and charged once', async () => {
    const { send, outcome } = await setup(isFirst, accept)
    const first = await instances.stall(() => send(stalled), written(accept, 'Late'))
    await instances.loseLeases()
    instances.fake.script.push(written(accept, 'Four euros.'))
    const taken = await send(other)
    first.goOn()
    expect(await first.sent).toEqual(taken)
    expect(taken).toMatchObject({ status: 200, body: { reply: 'Four euros.' } })
    expect((await send(stalled)).body).toEqual(taken.body)
    expect(await outcome()).toEqual(once('Four euros.'))
  })

  test('and that the first answers meanwhile has its reply', async () => {
    const { send, outcome } = await setup(isFirst, accept)
    const first = await instances.stall(() => send(stalled), written(accept, 'Late'))
    await instances.loseLeases()
    const second = await instances.stall(() => send(other), written(accept, 'Later'))
    first.goOn()
    const taken = await first.sent
    second.goOn()
    expect(await second.sent).toEqual(taken)
    expect(taken).toMatchObject({ status: 200, body: { reply: 'Late' } })
    expect(await outcome()).toEqual(once('Late'))
  })

  test('and fails at is found by the next try, once the first has answered it', async () => {
    const { send } = await setup(isFirst, accept)
    const first = await instances.stall(() => send(stalled), written(accept, 'Late'))
    await instances.loseLeases()
    instances.fake.script.push({ status: 400 })
    await send(other)
    first.goOn()
    const taken = await first.sent
    const asked = instances.fake.received.length
    expect(await send(other)).toMatchObject({ status: 200, body: taken.body })
    expect(instances.fake.received).toHaveLength(asked)
  })
})
