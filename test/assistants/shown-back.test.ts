import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from '../drift/rig.ts'
import { facesOf } from '../support/rpc-faces.ts'
import { createRandom } from '../support/voice-platform/random-assistant.ts'
import { randomBody } from '../support/voice-platform/random-shape.ts'
import { builtBack, writtenBack } from './written-back.ts'

let rig: DriftRig
let base: unknown
beforeAll(async () => {
  rig = await createDriftRig()
  const made = await rig.data('POST', '/admin/base-configs', { name: 'Base', config: {} }, await rig.operator())
  base = made.id
})
afterAll(() => rig.stop())

const long = (length: number) => 'x'.repeat(length)
const said = { role: 'user', content: long(120_000) }
const talk = { role: 'user', content: 'Hi' }

/** What somebody else can make of a live assistant that no request may say. */
const beyond: Body[] = [
  {
    backgroundSound: 'https://sounds.example/cafe.mp3',
    firstMessage: long(1200),
    transcriber: { provider: 'deepgram', model: 'nova-3', language: 'multi' },
    voice: { provider: 'playht', voiceId: 'jennifer', speed: 5 },
    endCallPhrases: Array.from({ length: 150 }, (_, index) => `bye ${index}`),
    transportConfigurations: Array.from({ length: 120 }, () => ({ provider: 'twilio', record: true })),
    monitorPlan: { listenEnabled: false, monitorIds: ['a'] },
    keypadInputPlan: { enabled: true, delimiters: '*', timeoutSeconds: 3 },
    model: { provider: 'openai', model: 'gpt-4.1', messages: [said] },
    metadata: { company_name: long(400), email_notifications: ['nope'], assistant_phone_number: '0123' },
  },
  {
    backgroundSound: 'office',
    transcriber: { provider: 'deepgram', model: 'nova-3', language: 'en-AU', confidenceThreshold: 0.2 },
    model: { provider: 'openai', model: 'gpt-4.1', messages: Array.from({ length: 110 }, () => talk) },
    metadata: { sms_notifications: [long(40)], pronunciation: [{ word: long(300), soundsLike: 'x' }] },
    server: { url: `https://example.com/${long(700)}` },
  },
]

/** Any live assistant that the platform's description allows. */
const random = createRandom(20_261_128)
const shapes = Array.from({ length: 6 }, () => randomBody(random, 'CreateAssistantDTO'))

/** The editors: how an assistant is made there, where it is read and sent, and the body that its record becomes. */
const editors: [name: string, make: string, at: (id: unknown) => string, asBody: (record: Body) => Body][] = [
  ['regular', '/assistants', (id) => `/assistants/${id}`, writtenBack],
  ['advanced', '/assistants', (id) => `/assistants/${id}/advanced`, writtenBack],
  ['advanced', '/v2/assistants', (id) => `/assistants/${id}/advanced`, writtenBack],
  ['v2', '/v2/assistants', (id) => `/v2/assistants/${id}`, builtBack],
]

const make = (path = '/assistants', body: Body = {}) =>
  rig.data('POST', path, { name: 'Ann', ...(path !== '/assistants' && { base_config_id: base }), ...body })
const liveOf = async ({ voice_assistant_id: id }: Body) => {
  const { updatedAt: _moved, ...live } = { ...(await rig.outside.assistants.get(String(id))) } as Body
  return live
}
async function change(record: Body, body: Body) {
  const { metadata } = await liveOf(record)
  const merged = {
    ...body,
    ...(body.metadata !== undefined && { metadata: { ...(metadata as Body), ...body.metadata } }),
  }
  return rig.outside.assistants.update(String(record.voice_assistant_id), merged)
}

/** A record without when it was last saved. */
const timeless = ({ updated_at: _saved, metadata, ...record }: Body) => {
  const { updated_at: _again, ...fields } = metadata as Body
  return { ...record, metadata: fields }
}

describe.each(editors)('a record with what was changed outside, in the %s editor of what %s made', (...editor) => {
  const [, path, at, asBody] = editor
  const bodies = [...beyond.map((body) => [body, true] as const), ...shapes.map((body) => [body, false] as const)]

  test.each(bodies.map(([body, isSure]) => [Object.keys(body).join(' '), body, isSure] as const))(
    'is taken when it is sent back: %s',
    async (_fields, body, isSure) => {
      for (const isTaken of [false, true]) {
        const record = await make(path)
        const done = await change(record, body).catch((error: unknown) => {
          // The stand-in for the platform does not take every form.
          if (isSure) throw error
        })
        if (!done) return
        if (isTaken) await rig.data('POST', `/assistants/${record.assistant_id}/reconcile`, { keep: 'theirs' })
        const [before, live] = [await rig.data('GET', at(record.assistant_id)), await liveOf(record)]
        const { status, body: saved } = await rig.send('PUT', at(record.assistant_id), asBody(before))
        expect([status, saved.errors]).toEqual([200, undefined])
        if (!isTaken) continue
        expect(timeless(await rig.data('GET', at(record.assistant_id)))).toEqual(timeless(before))
        expect(await liveOf(record)).toEqual(live)
      }
    },
  )
})

test.each([false, true])('a name that was emptied outside is none of the record (taken: %s)', async (isTaken) => {
  const record = await make()
  await change(record, { name: ' ', backgroundSound: 'office' })
  const path = `/assistants/${record.assistant_id}`
  if (isTaken) await rig.data('POST', `${path}/reconcile`, { keep: 'theirs' })
  for (const at of ['', '/advanced']) {
    const read = await rig.data('GET', path + at)
    expect(read.name).toBe('Ann')
    expect((await rig.send('PUT', path + at, writtenBack(read))).status).toBe(200)
  }
  expect(await liveOf(record)).toMatchObject({ name: 'Ann', backgroundSound: isTaken ? 'office' : 'off' })
})

describe('what a request says anew', () => {
  const url = 'https://sounds.example/cafe.mp3'
  const refused = { backgroundSound: `${url}?2`, firstMessage: long(1001), transcriber: { language: 'multi' } }

  test('is refused beside what is repeated, which is no error', async () => {
    const record = await make()
    await change(record, { backgroundSound: url })
    const path = `/assistants/${record.assistant_id}`
    const sent = { name: 'Ann', ...refused, backgroundSound: url, metadata: { email_notifications: ['nope'] } }
    const { status, body } = await rig.send('PUT', path, sent)
    expect([status, Object.keys(body.errors as Body)]).toEqual([
      422,
      ['firstMessage', 'transcriber.language', 'metadata.email_notifications.0'],
    ])
    expect((await rig.send('PUT', path, { ...sent, ...refused })).body.errors).toHaveProperty('backgroundSound')
    expect((await rig.send('PUT', `/assistants/${crypto.randomUUID()}`, sent)).status).toBe(422)
    expect((await rig.send('PUT', '/assistants/none', sent)).status).toBe(404)
  })

  test('a long greeting that is repeated beside another template is refused', async () => {
    const record = await make()
    await change(record, { firstMessage: long(1200) })
    await rig.data('POST', `/assistants/${record.assistant_id}/reconcile`, { keep: 'theirs' })
    const template = { name: 'Desk', prompt: 'You answer.', first_message: 'Hello' }
    const { id } = await rig.data('POST', '/admin/prompt-templates', template, await rig.operator())
    const body = { name: 'Ann', firstMessage: long(1200), template_id: id }
    expect((await rig.send('PUT', `/assistants/${record.assistant_id}`, body)).status).toBe(422)
  })
})

test('typed calls take it in the same way', async () => {
  const record = await make()
  const backgroundSound = 'https://sounds.example/cafe.mp3'
  await change(record, { backgroundSound })
  const faces = facesOf(rig.app.services)
  for (const { answer } of [faces.own, faces.official]) {
    const call = (sound: string) =>
      answer(
        new Request('http://localhost/trpc/assistants.update', {
          method: 'POST',
          headers: { authorization: `Bearer ${rig.user.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ assistantId: record.assistant_id, name: 'Ann', backgroundSound: sound }),
        }),
      )
    expect([(await call(backgroundSound)).status, (await call('https://other.example/')).status]).toEqual([200, 422])
  }
})
