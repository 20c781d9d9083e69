import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { liveDiffers } from '../../src/voice-platform/mirror/live-differs.ts'
import { newReseller, newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { newEntry } from '../support/entries.ts'
import { storedAssistant, storedVersions } from '../support/rows/assistants.ts'

let app: TestApp
let user: TestUser
let template: { id: number }
let id: string

beforeAll(async () => {
  app = await testApp()
  const base = await newEntry(app, 'base-configs', {
    name: 'Base',
    config: { model: { provider: 'openai', model: 'gpt-4o-mini' }, voice: { provider: '11labs', voiceId: 'sarah' } },
  })
  const body = {
    name: 'Clinic',
    prompt: 'You answer for {{company_name}} in {{ city }}. Ask about {{unknown}}. {{assistant_name}}',
    first_message: 'Welcome to {{company_name}}!',
    end_call_message: 'Bye from {{city}}',
    base_config_id: base,
  }
  template = { id: await newEntry(app, 'prompt-templates', body) }
})

const put = async (body: object, token = user.token) => {
  const answer = await app.send('PUT', `/assistants/${id}`, { token, body: { name: 'Desk', ...body } })
  return { status: answer.status, ...(await answer.json()) }
}

const bothSidesEqual = async () => {
  const row = await storedAssistant(app.database, id)
  expect(liveDiffers(row.live, await app.services.platform.assistants.get(row.voiceAssistantId))).toEqual([])
  return row
}

beforeEach(async () => {
  user = await newUser(app.database)
  const body = {
    name: 'Desk',
    template_id: template.id,
    metadata: { company_name: 'Smile', location: 'Main St', business_hours: { monday: '9-5' }, always_say: ['hello'] },
    variableValues: { city: 'Austin', floor: 3 },
    model: {
      maxTokens: 300,
      messages: [
        { role: 'system', content: 'dropped' },
        { role: 'user', content: 'In {{city}}?' },
      ],
    },
    voice: { speed: 1.2 },
    endCallPhrases: ['goodbye', 'see you'],
    startSpeakingPlan: { initialDelayMs: 400 },
  }
  const created = await app.send('POST', '/assistants', { token: user.token, body })
  expect(created.status).toBe(201)
  id = (await created.json()).data.assistant_id
})

describe('rendering', () => {
  test('prompt and texts come from the template, variables before metadata, unknown names stay', async () => {
    const { data } = await put({})
    const prompt = 'You answer for Smile in Austin. Ask about {{unknown}}. Desk'
    expect(data.model.messages).toEqual([
      { role: 'system', content: prompt },
      { role: 'user', content: 'In {{city}}?' },
    ])
    expect(data.coreData.model.messages).toEqual([
      { role: 'system', content: prompt },
      { role: 'user', content: 'In Austin?' },
    ])
    expect(data).toMatchObject({ first_message: 'Welcome to Smile!', end_call_message: 'Bye from Austin' })
    await bothSidesEqual()
  })

  test('an update renders again from what is stored', async () => {
    const { data } = await put({ variableValues: { city: 'Boston' }, firstMessage: '{{company_name}} {{floor}}' })
    expect(data).toMatchObject({
      first_message: 'Smile 3',
      first_message_raw: '{{company_name}} {{floor}}',
      end_call_message: 'Bye from Boston',
    })
    expect(data.metadata.variable_values).toEqual({ city: 'Boston', floor: 3 })
    await bothSidesEqual()
  })

  test('provider selections come from the base config and are never shown', async () => {
    const { voiceAssistantId, live } = await bothSidesEqual()
    expect(live).toMatchObject({
      model: { provider: 'openai', model: 'gpt-4o-mini' },
      voice: { provider: '11labs', voiceId: 'sarah' },
    })
    const answer = await app.send('GET', `/assistants/${id}`, { token: user.token })
    const { data } = await answer.json()
    expect(data.coreData.id).toBe(voiceAssistantId)
    for (const part of [data, data.coreData]) {
      for (const name of ['voice', 'model', 'transcriber']) {
        expect(part[name]).not.toHaveProperty('provider')
        expect(part[name]).not.toHaveProperty('model')
      }
    }
    expect(data.coreData.metadata).not.toHaveProperty('external_ref')
    expect(data.voice).toEqual({ voiceId: 'sarah', speed: 1.2 })
  })
})

describe('merging', () => {
  type Merge = [what: string, body: object, expected: object]
  const cases: Merge[] = [
    ['omitted fields stay', {}, { end_call_phrases: ['goodbye', 'see you'], template_id: expect.any(Number) }],
    [
      'objects merge key by key',
      { metadata: { location: 'Elm St' } },
      { metadata: expect.objectContaining({ company_name: 'Smile', location: 'Elm St' }) },
    ],
    [
      'null inside an object removes the key',
      { metadata: { location: null } },
      { metadata: expect.not.objectContaining({ location: expect.anything() }) },
    ],
    ['arrays are replaced', { endCallPhrases: ['ciao'] }, { end_call_phrases: ['ciao'] }],
    ['null clears an array', { endCallPhrases: null }, { end_call_phrases: [] }],
    ['null clears an object', { startSpeakingPlan: null }, { start_speaking_plan: null }],
    [
      'plans merge',
      { startSpeakingPlan: { backgroundSoundVolume: 0.5 } },
      { start_speaking_plan: { initialDelayMs: 400, backgroundSoundVolume: 0.5 } },
    ],
    [
      'model merges',
      { model: { functionCall: 'auto' } },
      { model: expect.objectContaining({ maxTokens: 300, functionCall: 'auto' }) },
    ],
    [
      'variables merge',
      { variableValues: { city: null, zip: '1' } },
      { metadata: expect.objectContaining({ variable_values: { floor: 3, zip: '1' } }) },
    ],
    ['variables clear', { variableValues: null }, { metadata: expect.objectContaining({ variable_values: {} }) }],
    ['a null type is the default', { type: null }, { type: 'demo' }],
    [
      'metadata.webhook_url is the webhook',
      { metadata: { webhook_url: 'https://a.example/x' } },
      { webhook_url: 'https://a.example/x' },
    ],
    [
      'unknown fields are ignored',
      { nonsense: 1, metadata: { nonsense: 2 } },
      { metadata: expect.not.objectContaining({ nonsense: 2 }) },
    ],
  ]
  test.each(cases)('%s', async (_what, body, expected) => {
    const { status, data } = await put(body)
    expect(status).toBe(200)
    expect(data).toMatchObject(expected)
    await bothSidesEqual()
  })

  test('a cleared webhook is gone on both sides', async () => {
    await put({ metadata: { webhook_url: 'https://a.example/x' } })
    expect((await bothSidesEqual()).live.server).toMatchObject({ url: 'https://a.example/x' })
    const { data } = await put({ metadata: { webhook_url: null } })
    expect(data.webhook_url).toBeNull()
    expect((await bothSidesEqual()).live.server).toBeNull()
  })

  test('a cleared template leaves the sent messages', async () => {
    const { data } = await put({ template_id: null })
    expect(data).toMatchObject({
      template_id: null,
      first_message: '',
      model: { messages: [{ role: 'system', content: 'dropped' }, { role: 'user' }] },
    })
    await bothSidesEqual()
  })
})

describe('references', () => {
  test.each(['POST', 'PUT'])('%s with a template that does not exist is 422', async (method) => {
    const path = method === 'POST' ? '/assistants' : `/assistants/${id}`
    const answer = await app.send(method, path, { token: user.token, body: { name: 'A', template_id: 2_000_000 } })
    expect(answer.status).toBe(422)
    expect((await answer.json()).errors).toEqual({ template_id: ['The selected template_id does not exist.'] })
  })

  test('user_id is honoured for admin roles and ignored from others', async () => {
    const other = await newUser(app.database)
    const sameReseller = await newUser(app.database, { resellerId: user.resellerId })
    expect((await put({ user_id: other.userId })).data).toMatchObject({
      user_id: user.userId,
      workspace_id: user.workspaceId,
    })
    expect((await put({ user_id: 2_000_000 })).status).toBe(200)

    const resellerAdmin = await newUser(app.database, { role: 'reseller_admin', resellerId: user.resellerId })
    const refused = await put({ user_id: other.userId }, resellerAdmin.token)
    expect(refused).toMatchObject({ status: 422, errors: { user_id: ['The selected user_id does not exist.'] } })
    const moved = await put({ user_id: sameReseller.userId }, resellerAdmin.token)
    expect(moved.data).toMatchObject({
      user_id: sameReseller.userId,
      workspace_id: sameReseller.workspaceId,
      created_by: user.userId,
    })

    const admin = await newUser(app.database, { role: 'admin' })
    expect((await put({ user_id: other.userId }, admin.token)).data).toMatchObject({
      user_id: other.userId,
      workspace_id: other.workspaceId,
      reseller_id: String(other.resellerId),
    })
  })

  test.each(['', '/advanced'])(
    'an assistant does not leave squads that it would go on serving: PUT %s',
    async (editor) => {
      const { token } = await newUser(app.database, { role: 'admin' })
      const other = await newUser(app.database)
      const move = async (body: object) => {
        const response = await app.send('PUT', `/assistants/${id}${editor}`, { token, body: { name: 'Ann', ...body } })
        return { status: response.status, body: await response.json() }
      }
      const draft = await app.send('POST', '/squads', {
        token: user.token,
        body: { name: 'Front office', members: [] },
      })
      const squad = `/squads/${(await draft.json()).data.external_squad_id}`
      const members = [{ assistantId: id }]
      const body = { name: 'Front office', members }
      const published = await app.send('PUT', squad, { token: user.token, body })
      expect(published.status).toBe(200)
      const live = `/squads/${(await published.json()).data.external_squad_id}`
      expect(await move({ user_id: other.userId })).toEqual({
        status: 409,
        body: {
          success: false,
          message: 'This assistant is a member of the squad "Front office". Take it out of there first.',
        },
      })
      const record = await app.send('GET', `/assistants/${id}`, { token: user.token })
      expect((await record.json()).data).toMatchObject({ user_id: user.userId, workspace_id: user.workspaceId })
      await bothSidesEqual()
      expect((await move({ user_id: user.userId })).status).toBe(200)
      expect((await app.send('DELETE', live, { token: user.token })).status).toBe(200)
      expect((await move({ user_id: other.userId })).body.data).toMatchObject({ workspace_id: other.workspaceId })
    },
  )
})

describe('quota', () => {
  const create = async (token: string) => app.send('POST', '/assistants', { token, body: { name: 'Q' } })

  test('reached: 403 that names it, also for concurrent creates, and nothing stays upstream', async () => {
    const limited = await newUser(app.database, { assistantQuota: 2 })
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(limited.token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403, 403])
    const late = await create(limited.token)
    expect(late.status).toBe(403)
    expect(await late.json()).toEqual({ success: false, message: 'The assistant quota of 2 assistants is reached.' })
    const { body: made } = await clientOf(app, limited.token).get('/assistants')
    expect(made.pagination.total).toBe(2)
    const live = await app.services.platform.assistants.list({ limit: 1000 })
    expect(live.filter(({ name }) => name === 'Q')).toHaveLength(2)
  })

  test('it counts against the owner of the new assistant', async () => {
    const resellerId = await newReseller(app.database)
    const full = await newUser(app.database, { assistantQuota: 0, resellerId })
    const admin = await newUser(app.database, { role: 'admin', assistantQuota: 0 })
    const forFull = await app.send('POST', '/assistants', {
      token: admin.token,
      body: { name: 'Q2', user_id: full.userId },
    })
    expect(forFull.status).toBe(403)
    const free = await newUser(app.database)
    const forFree = await app.send('POST', '/assistants', {
      token: admin.token,
      body: { name: 'Q3', user_id: free.userId },
    })
    expect(forFree.status).toBe(201)
  })
})

test('every save that changes something adds one entry to the history', async () => {
  await put({ voice: { speed: 2 } })
  await put({ voice: { speed: 2 } })
  await put({ name: 'Renamed' })
  const entries = await storedVersions(app.database, id)
  expect(entries.map(({ action, source, summary }) => ({ action, source, summary }))).toEqual([
    { action: 'created', source: 'regular', summary: 'Created Desk' },
    { action: 'updated', source: 'regular', summary: 'Changed voice.speed from 1.2 to 2.' },
    {
      action: 'updated',
      source: 'regular',
      summary: expect.stringMatching(/^Changed name from "Desk" to "Renamed"\. Changed message 1 as the model gets it/),
    },
  ])
  expect(entries[1]?.changes).toEqual([{ path: 'voice.speed', from: 1.2, to: 2 }])
  expect(entries[2]).toMatchObject({ actorId: user.userId, configuration: { name: 'Renamed' } })
})
