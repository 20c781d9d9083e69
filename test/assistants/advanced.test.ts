import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { liveDiffers } from '../../src/voice-platform/mirror/live-differs.ts'
import { newReseller, newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { replyOf } from '../support/client.ts'
import { newEntry } from '../support/entries.ts'
import { storedAssistant } from '../support/rows/assistants.ts'

let app: TestApp
let user: TestUser
let path: string
let warm: number
let brisk: number

beforeAll(async () => {
  app = await testApp()
  warm = await newEntry(app, 'personalities', {
    name: 'Warm',
    voice: { provider: '11labs', voiceId: 'sarah', speed: 0.9 },
    prompt: 'Be warm, {{assistant_name}}.',
  })
  brisk = await newEntry(app, 'personalities', { name: 'Brisk', voice: { provider: 'openai', voiceId: 'onyx' } })
})

beforeEach(async () => {
  user = await newUser(app.database)
  const body = { name: 'Desk', firstMessage: 'Hi {{assistant_name}}', endCallMessage: 'Bye {{assistant_name}}' }
  const created = await app.send('POST', '/assistants', { token: user.token, body })
  path = `/assistants/${(await created.json()).data.assistant_id}`
})

const put = async (body: object, token = user.token) => {
  const answer = await app.send('PUT', `${path}/advanced`, { token, body: { name: 'Desk', ...body } })
  return { status: answer.status, ...(await answer.json()) }
}
const row = async () => {
  const id = path.split('/')[2] ?? ''
  const found = await storedAssistant(app.database, id)
  expect(liveDiffers(found.live, await app.services.platform.assistants.get(found.voiceAssistantId))).toEqual([])
  return found
}

describe('PUT /assistants/{assistantId}/advanced', () => {
  test('takes the plans that the regular editor ignores', async () => {
    const plans = {
      analysisPlan: { summaryPlan: { enabled: false } },
      artifactPlan: { recording: false, transcript: true, summary: true, analysis: false },
      backgroundDenoisingEnabled: true,
    }
    await app.send('PUT', path, { token: user.token, body: { name: 'Desk', ...plans } })
    expect((await row()).config).not.toHaveProperty('analysisPlan')
    const { status, message, data } = await put(plans)
    expect([status, message]).toEqual([200, 'Assistant updated successfully'])
    expect(data).toMatchObject({
      analysis_plan: plans.analysisPlan,
      artifact_plan: plans.artifactPlan,
      background_denoising_enabled: true,
    })
    expect((await row()).live).toMatchObject({
      artifactPlan: { recordingEnabled: false },
      analysisPlan: { summaryPlan: { enabled: false } },
    })
  })

  test.each([
    [
      { artifactPlan: { recording: 'yes' } },
      { 'artifactPlan.recording': ['The artifactPlan.recording field must be true or false.'] },
    ],
    [{ analysisPlan: [] }, { analysisPlan: ['The analysisPlan field must be an object.'] }],
    [
      { backgroundDenoisingEnabled: 1 },
      { backgroundDenoisingEnabled: ['The backgroundDenoisingEnabled field must be true or false.'] },
    ],
    [{ personality_id: 2_000_000 }, { personality_id: ['The selected personality_id does not exist.'] }],
    [
      { metadata: { sms_notifications: ['x'.repeat(31)] } },
      { 'metadata.sms_notifications.0': ['The metadata.sms_notifications.0 field must have at most 30 characters.'] },
    ],
    [
      { metadata: { email_notifications: ['x'] } },
      {
        'metadata.email_notifications.0': ['The metadata.email_notifications.0 field must be a valid e-mail address.'],
      },
    ],
  ])('refuses %j', async (body, errors) => {
    expect(await put(body)).toEqual({ status: 422, success: false, message: Object.values(errors)[0]?.[0], errors })
  })

  test('a personality brings its voice and its name, the assistant keeps its own', async () => {
    const { data } = await put({ personality_id: warm, voice: { speed: 1.1 } })
    expect(data).toMatchObject({
      name: 'Desk',
      personality_id: warm,
      metadata: { personality: 'Warm', personality_id: warm },
      voice: { voiceId: 'sarah', speed: 1.1 },
    })
    expect((await row()).live).toMatchObject({
      voice: { provider: '11labs', voiceId: 'sarah' },
      model: { messages: [{ role: 'system', content: 'Be warm, Desk.' }] },
    })

    const switched = await put({ personality_id: brisk })
    expect(switched.data.voice).toEqual({ voiceId: 'onyx' })
    expect((await row()).live.voice).toMatchObject({ provider: 'openai', voiceId: 'onyx' })

    const cleared = await put({ personality_id: null })
    expect(cleared.data).toMatchObject({ personality_id: null, metadata: { personality: null } })
    expect((await row()).config.voice).toEqual({})
  })

  test('reseller_id is honoured for admins alone', async () => {
    const resellerId = await newReseller(app.database)
    expect((await put({ reseller_id: resellerId })).data.reseller_id).toBe(String(user.resellerId))
    const resellerAdmin = await newUser(app.database, { role: 'reseller_admin', resellerId: user.resellerId })
    expect((await put({ reseller_id: resellerId }, resellerAdmin.token)).data.reseller_id).toBe(String(user.resellerId))
    expect((await put({ reseller_id: 2_000_000 })).status).toBe(200)
    const admin = await newUser(app.database, { role: 'admin' })
    expect(await put({ reseller_id: 2_000_000 }, admin.token)).toMatchObject({
      status: 422,
      errors: { reseller_id: ['The selected reseller_id does not exist.'] },
    })
    expect((await put({ reseller_id: resellerId }, admin.token)).data.reseller_id).toBe(String(resellerId))
  })

  test.each(['user', 'reseller_admin', 'admin'] as const)(
    'the record that a caller of the role %s reads can be sent back',
    async (role) => {
      const { token } = role === 'user' ? user : await newUser(app.database, { role, resellerId: user.resellerId })
      const read = async () => (await (await app.send('GET', `${path}/advanced`, { token })).json()).data
      const record = await read()
      expect(record.reseller_id).toBe(String(user.resellerId))
      expect((await put(record, token)).data).toMatchObject({
        reseller_id: record.reseller_id,
        user_id: record.user_id,
      })
    },
  )

  test('a reseller_id that is none is refused to admins alone', async () => {
    const admin = await newUser(app.database, { role: 'admin' })
    for (const reseller_id of ['1.5', 'x', '01', true]) {
      expect(await put({ reseller_id }, admin.token)).toMatchObject({
        status: 422,
        errors: { reseller_id: ['The reseller_id field must be an integer.'] },
      })
      expect((await put({ reseller_id })).status).toBe(200)
    }
  })

  test('a refused live write carries the reason and changes nothing', async () => {
    const before = await row()
    const body = { message: ['voice.voiceId must be known'], error: 'Bad Request', statusCode: 400 }
    app.platform.faults.add({ method: 'PATCH', path: /assistant/, times: 1, mode: 'status', status: 400, body })
    expect(await put({ maxDurationSeconds: 99 })).toEqual({
      status: 500,
      success: false,
      message: 'Failed to update assistant in Cloud: voice.voiceId must be known',
    })
    expect(await row()).toEqual(before)
  })
})

describe('GET /assistants/{assistantId}/advanced', () => {
  test('raw texts, and what the platform says now', async () => {
    const { voiceAssistantId } = await row()
    await app.services.platform.assistants.update(voiceAssistantId, { maxDurationSeconds: 77 } as never)
    const answer = await app.send('GET', `${path}/advanced`, { token: user.token })
    const { success, data } = await answer.json()
    expect(success).toBe(true)
    expect(data).toMatchObject({
      first_message: 'Hi {{assistant_name}}',
      end_call_message: 'Bye {{assistant_name}}',
      coreData: { id: voiceAssistantId, firstMessage: 'Hi Desk', maxDurationSeconds: 77 },
    })
    expect(data.coreData.metadata).not.toHaveProperty('external_ref')
  })

  test('what was changed on the platform itself stands where the record has another value', async () => {
    const model = { maxTokens: 100, messages: [{ role: 'user', content: 'One' }] }
    const own = { maxDurationSeconds: 300, endCallPhrases: ['bye'], voicemailMessage: 'Call {{assistant_name}}', model }
    await put({ ...own, voice: { speed: 1.1 }, backgroundSound: 'office', keypadInputPlan: { maxDigits: 4 } })
    const { voiceAssistantId, live } = await row()
    const read = async () => (await (await app.send('GET', `${path}/advanced`, { token: user.token })).json()).data
    const before = await read()
    expect(before).toMatchObject({ voicemail_message: 'Call {{assistant_name}}', max_duration_seconds: 300, model })
    await app.services.platform.assistants.update(voiceAssistantId, {
      name: 'Renamed there',
      maxDurationSeconds: 77,
      endCallPhrases: ['see you'],
      voicemailMessage: 'Later',
      firstMessage: 'Good day',
      model: { ...live.model, maxTokens: 90, messages: [{ role: 'user', content: 'Two' }] },
      voice: { ...live.voice, speed: 0.9 },
    } as never)
    expect(await read()).toEqual({
      ...before,
      name: 'Renamed there',
      max_duration_seconds: 77,
      end_call_phrases: ['see you'],
      voicemail_message: 'Later',
      model: { ...before.model, maxTokens: 90, messages: [{ role: 'user', content: 'Two' }] },
      voice: { ...before.voice, speed: 0.9 },
      first_message: 'Good day',
      voicemail_detection: { enabled: true },
      first_message_raw: 'Good day',
      coreData: expect.objectContaining({ name: 'Renamed there', firstMessage: 'Good day' }),
    })
  })

  test('shows what it can of a live assistant with values of other types', async () => {
    const { data: before } = await (await app.send('GET', path, { token: user.token })).json()
    const live = await app.services.platform.assistants.get(before.voice_assistant_id)
    const messages = [{ role: 'assistant', content: null, tool_calls: [] }, { role: 'user' }, null]
    const odd = {
      ...live,
      name: 5,
      endCallPhrases: 'bye',
      maxDurationSeconds: '77',
      voicemailMessage: null,
      model: { ...live.model, messages, maxTokens: 90.5 },
      voice: { ...live.voice, speed: null },
      transcriber: 7,
    }
    app.platform.faults.add({ method: 'GET', path: /assistant/, mode: 'status', status: 200, body: odd })
    const { status, body } = await replyOf(await app.send('GET', `${path}/advanced`, { token: user.token }))
    expect([status, body.message]).toEqual([200, undefined])
    const shown = [
      { role: 'assistant', content: '' },
      { role: 'user', content: '' },
      { role: '', content: '' },
    ]
    expect(body.data).toMatchObject({
      name: 'Desk',
      end_call_phrases: before.end_call_phrases,
      max_duration_seconds: before.max_duration_seconds,
      voice: before.voice,
      transcriber: before.transcriber,
      model: before.model,
      coreData: { name: 'Desk', model: { messages: shown } },
    })
  })

  test('while the platform is out of reach, what it was last told', async () => {
    app.platform.faults.add({ method: 'GET', path: /assistant/, times: 9, mode: 'status', status: 503, body: {} })
    const answer = await app.send('GET', `${path}/advanced`, { token: user.token })
    app.platform.faults.clear()
    expect(answer.status).toBe(200)
    expect((await answer.json()).data.coreData.firstMessage).toBe('Hi Desk')
  })
})

test('a template and a personality share the system message', async () => {
  const template = await newEntry(app, 'prompt-templates', { name: 'T', prompt: 'You are {{assistant_name}}.' })
  const { data } = await put({ template_id: template, personality_id: warm })
  expect(data.model.messages).toEqual([{ role: 'system', content: 'You are Desk.\n\nBe warm, Desk.' }])
})
