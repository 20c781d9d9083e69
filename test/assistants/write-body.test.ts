import { beforeAll, describe, expect, test } from 'vitest'
import { newUser, type TestApp, type TestUser, testApp } from '../support/app.ts'

let app: TestApp
let user: TestUser
let path: string
beforeAll(async () => {
  app = await testApp()
  user = await newUser(app.database)
  const created = await app.send('POST', '/assistants', { token: user.token, body: { name: 'Base' } })
  path = `/assistants/${(await created.json()).data.assistant_id}`
})

const long = (length: number) => '😀'.repeat(length)

type Refused = [body: object, errors: Record<string, string[]>]

const refused: Refused[] = [
  [{}, { name: ['Assistant name is required.'] }],
  [{ name: null }, { name: ['Assistant name is required.'] }],
  [{ name: '  ' }, { name: ['Assistant name is required.'] }],
  [{ name: long(41) }, { name: ['Assistant name cannot exceed 40 characters.'] }],
  [{ name: 5 }, { name: ['The name field must be a string.'] }],
  [{ name: 'A', type: 'live' }, { type: ['Type must be either demo or production.'] }],
  [{ name: 'A', template_id: 1.5 }, { template_id: ['The template_id field must be an integer.'] }],
  [
    { name: 'A', firstMessage: long(1001) },
    { firstMessage: ['The firstMessage field must have at most 1000 characters.'] },
  ],
  [
    { name: 'A', voicemailMessage: long(1001) },
    { voicemailMessage: ['The voicemailMessage field must have at most 1000 characters.'] },
  ],
  [
    { name: 'A', endCallMessage: long(1001) },
    { endCallMessage: ['The endCallMessage field must have at most 1000 characters.'] },
  ],
  [
    { name: 'A', firstMessageMode: 'shout' },
    {
      firstMessageMode: [
        'The firstMessageMode field must be one of: assistant-speaks-first, assistant-speaks-first-with-model-generated-message, assistant-waits-for-user.',
      ],
    },
  ],
  [
    { name: 'A', firstMessageInterruptionsEnabled: 'true' },
    { firstMessageInterruptionsEnabled: ['The firstMessageInterruptionsEnabled field must be true or false.'] },
  ],
  [{ name: 'A', endCallPhrases: 'bye' }, { endCallPhrases: ['The endCallPhrases field must be an array.'] }],
  [{ name: 'A', voicemailDetection: [] }, { voicemailDetection: ['The voicemailDetection field must be an object.'] }],
  [
    { name: 'A', voicemailDetection: { silenceDuration: -1 } },
    { 'voicemailDetection.silenceDuration': ['The voicemailDetection.silenceDuration field must be at least 0.'] },
  ],
  [
    { name: 'A', voicemailDetection: { greetingDuration: 0.5 } },
    { 'voicemailDetection.greetingDuration': ['The voicemailDetection.greetingDuration field must be an integer.'] },
  ],
  [{ name: 'A', maxDurationSeconds: 9 }, { maxDurationSeconds: ['The maxDurationSeconds field must be at least 10.'] }],
  [
    { name: 'A', maxDurationSeconds: 43_201 },
    { maxDurationSeconds: ['The maxDurationSeconds field must be at most 43200.'] },
  ],
  [
    { name: 'A', transcriber: { language: 'eng' } },
    { 'transcriber.language': ['The transcriber.language field must have at most 2 characters.'] },
  ],
  [
    { name: 'A', transcriber: { language: 'e' } },
    { 'transcriber.language': ['The transcriber.language field must have at least 2 characters.'] },
  ],
  [
    { name: 'A', transcriber: { confidenceThreshold: 1.01 } },
    { 'transcriber.confidenceThreshold': ['The transcriber.confidenceThreshold field must be at most 1.'] },
  ],
  [
    { name: 'A', transcriber: { confidenceThreshold: -0.01 } },
    { 'transcriber.confidenceThreshold': ['The transcriber.confidenceThreshold field must be at least 0.'] },
  ],
  [
    { name: 'A', transcriber: { formatTurns: 1 } },
    { 'transcriber.formatTurns': ['The transcriber.formatTurns field must be true or false.'] },
  ],
  [{ name: 'A', model: { maxTokens: 0 } }, { 'model.maxTokens': ['The model.maxTokens field must be at least 1.'] }],
  [
    { name: 'A', model: { functionCall: 'maybe' } },
    { 'model.functionCall': ['The model.functionCall field must be one of: none, auto.'] },
  ],
  [
    { name: 'A', model: { functionCallBehavior: 'none' } },
    { 'model.functionCallBehavior': ['The model.functionCallBehavior field must be one of: auto, required.'] },
  ],
  [
    { name: 'A', model: { messages: [{ role: 'system' }] } },
    { 'model.messages.0.content': ['The model.messages.0.content field is required.'] },
  ],
  [{ name: 'A', voice: { speed: 0.24 } }, { 'voice.speed': ['The voice.speed field must be at least 0.25.'] }],
  [{ name: 'A', voice: { speed: 4.01 } }, { 'voice.speed': ['The voice.speed field must be at most 4.'] }],
  [
    { name: 'A', compliancePlan: { dataRetentionDays: 0 } },
    { 'compliancePlan.dataRetentionDays': ['The compliancePlan.dataRetentionDays field must be at least 1.'] },
  ],
  [
    { name: 'A', backgroundSpeechDenoisingPlan: { smartDenoising: 'no' } },
    {
      'backgroundSpeechDenoisingPlan.smartDenoising': [
        'The backgroundSpeechDenoisingPlan.smartDenoising field must be true or false.',
      ],
    },
  ],
  ...(
    [
      ['startSpeakingPlan.initialDelayMs', '700', 'be a number'],
      ['startSpeakingPlan.initialDelayMs', -5, 'be at least 0'],
      ['startSpeakingPlan.initialDelayMs', 5001, 'be at most 5000'],
      ['startSpeakingPlan.backgroundSoundVolume', '1', 'be a number'],
      ['stopSpeakingPlan.initialDelayMs', true, 'be a number'],
      ['stopSpeakingPlan.initialDelayMs', 10_001, 'be at most 10000'],
      ['stopSpeakingPlan.backgroundSoundVolume', [1], 'be a number'],
    ] as const
  ).map(([field, value, text]): Refused => {
    const [plan = '', key = ''] = field.split('.')
    return [{ name: 'A', [plan]: { [key]: value } }, { [field]: [`The ${field} field must ${text}.`] }]
  }),
  [{ name: 'A', startSpeakingPlan: [] }, { startSpeakingPlan: ['The startSpeakingPlan field must be an object.'] }],
  [
    { name: 'A', monitorPlan: { websocketUrl: 'nowhere' } },
    { 'monitorPlan.websocketUrl': ['The monitorPlan.websocketUrl field must be a valid URL.'] },
  ],
  [
    { name: 'A', keypadInputPlan: { maxDigits: 11 } },
    { 'keypadInputPlan.maxDigits': ['The keypadInputPlan.maxDigits field must be at most 10.'] },
  ],
  [
    { name: 'A', keypadInputPlan: { maxDigits: 0 } },
    { 'keypadInputPlan.maxDigits': ['The keypadInputPlan.maxDigits field must be at least 1.'] },
  ],
  ...(
    [
      ['company_name', 255],
      ['industry', 255],
      ['location', 500],
      ['services_products', 1000],
      ['sms_phone_number', 20],
    ] as const
  ).map(
    ([key, max]): Refused => [
      { name: 'A', metadata: { [key]: long(max + 1) } },
      { [`metadata.${key}`]: [`The metadata.${key} field must have at most ${max} characters.`] },
    ],
  ),
  [
    { name: 'A', metadata: { assistant_phone_number: '4155551234' } },
    {
      'metadata.assistant_phone_number': [
        'The metadata.assistant_phone_number field must be in E.164 format (e.g. +14155551234).',
      ],
    },
  ],
  ...['http:///127.0.0.1', 'https://?x', 'http:\\\\host/x'].map(
    (url): Refused => [
      { name: 'A', metadata: { webhook_url: url } },
      { 'metadata.webhook_url': ['The metadata.webhook_url field must be a valid URL.'] },
    ],
  ),
  [
    { name: 'A', metadata: { webhook_url: 'ftp://example.com' } },
    { 'metadata.webhook_url': ['The metadata.webhook_url field must be a valid URL.'] },
  ],
  [
    { name: 'A', metadata: { sms_notifications: [long(31)] } },
    { 'metadata.sms_notifications.0': ['The metadata.sms_notifications.0 field must have at most 30 characters.'] },
  ],
  [
    { name: 'A', metadata: { email_notifications: ['a@example.com', 'nobody'] } },
    { 'metadata.email_notifications.1': ['The metadata.email_notifications.1 field must be a valid e-mail address.'] },
  ],
  [
    { name: 'A', model: { messages: [{ role: 'sytem', content: 'Hello' }] } },
    {
      'model.messages.0.role': [
        'The model.messages.0.role field must be one of: assistant, function, user, system, tool.',
      ],
    },
  ],
  [{ name: 'A', variableValues: 'x' }, { variableValues: ['The variableValues field must be an object.'] }],
  [
    { name: 'A', firstMessage: 'nul \u0000' },
    { firstMessage: ['The firstMessage field contains characters that cannot be stored.'] },
  ],
]

describe.each([
  ['POST', (): string => '/assistants'],
  ['PUT', (): string => path],
] as const)('%s refuses', (method, target) => {
  test.each(refused)('%j', async (body, errors) => {
    const answer = await app.send(method, target(), { token: user.token, body })
    expect(await answer.json()).toEqual({ success: false, message: Object.values(errors)[0]?.[0], errors })
    expect(answer.status).toBe(422)
  })
})

test('several errors: the first text, and how many more there are', async () => {
  const body = { name: long(41), type: 'x', maxDurationSeconds: 1 }
  const answer = await app.send('POST', '/assistants', { token: user.token, body })
  const { message, errors } = await answer.json()
  expect(message).toBe('Assistant name cannot exceed 40 characters. (and 2 more errors)')
  expect(Object.keys(errors)).toEqual(['name', 'type', 'maxDurationSeconds'])
})

test.each([['1234567890'], ['+0234567890'], ['+1'], ['+12345678901234567'], ['+1234567890123456789012']])(
  'selected_phone_number %s is refused with its own text',
  async (selected_phone_number) => {
    const answer = await app.send('POST', '/assistants', {
      token: user.token,
      body: { name: 'A', selected_phone_number },
    })
    const { errors } = await answer.json()
    expect(errors.selected_phone_number).toContain('Phone number must be in international format (e.g., +1234567890).')
  },
)

test('limits are inclusive and count code points', async () => {
  const body = {
    name: long(40),
    type: 'production',
    firstMessage: long(1000),
    voicemailMessage: long(1000),
    endCallMessage: long(1000),
    maxDurationSeconds: 43_200,
    transcriber: { language: 'en', confidenceThreshold: 1, formatTurns: true },
    model: { maxTokens: 1, functionCall: 'auto', functionCallBehavior: 'required' },
    voice: { voiceId: 'Elliot', speed: 4 },
    keypadInputPlan: { enabled: true, maxDigits: 10, terminateOnHash: true },
    compliancePlan: { dataRetentionDays: 1 },
    voicemailDetection: { enabled: true, beepDetection: false, silenceDuration: 0, greetingDuration: 0 },
    metadata: {
      company_name: long(255),
      location: long(500),
      services_products: long(1000),
      assistant_phone_number: '+14155551234',
      webhook_url: 'https://hooks.example.com/calls',
      sms_notifications: [long(30)],
      email_notifications: ['a@example.com'],
    },
  }
  const answer = await app.send('POST', '/assistants', { token: user.token, body })
  const { data } = await answer.json()
  expect(answer.status).toBe(201)
  expect(data).toMatchObject({
    name: body.name,
    type: 'production',
    first_message: body.firstMessage,
    voicemail_message: body.voicemailMessage,
    end_call_message: body.endCallMessage,
    max_duration_seconds: 43_200,
    transcriber: body.transcriber,
    model: { maxTokens: 1, functionCall: 'auto', functionCallBehavior: 'required' },
    voice: body.voice,
    keypad_input_plan: body.keypadInputPlan,
    voicemail_detection: body.voicemailDetection,
    webhook_url: 'https://hooks.example.com/calls',
    metadata: body.metadata,
  })
})

test('background sounds: every name is taken, none becomes off', async () => {
  const names =
    'office coffee-shop convention-hall summit traffic rain storm wind fire crackling-fire rain-on-roof coastal-storm howling-wind seagulls night-insects fan white-noise off none'
  for (const backgroundSound of names.split(' ')) {
    const answer = await app.send('PUT', path, { token: user.token, body: { name: 'Base', backgroundSound } })
    const { data } = await answer.json()
    expect(data.background_sound).toBe(backgroundSound === 'none' ? 'off' : backgroundSound)
  }
})

test('messages: every role of the platform is taken, and reaches the live assistant (assistants 4)', async () => {
  const roles = ['system', 'user', 'assistant', 'function', 'tool']
  const messages = roles.map((role) => ({ role, content: `As ${role}.` }))
  const answer = await app.send('PUT', path, { token: user.token, body: { name: 'Base', model: { messages } } })
  const { data } = await answer.json()
  expect([answer.status, data.coreData.model.messages]).toEqual([200, messages])
})

describe('a speaking plan', () => {
  const send = async (method: string, at = '', body?: object) => {
    const response = await app.send(method, path + at, { token: user.token, body })
    expect(response.status).toBe(200)
    return (await response.json()).data
  }

  test('keeps its other keys as they are sent, and null clears', async () => {
    const startSpeakingPlan = {
      initialDelayMs: 700.5,
      backgroundSoundVolume: 0,
      smartEndpointingEnabled: true,
      a: ['b'],
    }
    expect((await send('PUT', '', { name: 'Base', startSpeakingPlan })).start_speaking_plan).toEqual(startSpeakingPlan)
    const cleared = { initialDelayMs: null, backgroundSoundVolume: null, a: null }
    const { start_speaking_plan: plan } = await send('PUT', '', { name: 'Base', startSpeakingPlan: cleared })
    expect(plan).toEqual({ smartEndpointingEnabled: true })
  })

  test('of before this rule is read, sent back and restored as it is', async () => {
    const start_speaking_plan = { initialDelayMs: '700', backgroundSoundVolume: [1] }
    const { sql } = app.database
    const config = JSON.stringify({ startSpeakingPlan: start_speaking_plan })
    await sql`update assistants set config = ${config}::text::jsonb where assistant_id = ${path.split('/')[2] ?? ''}`
    expect(await send('PUT', '', { name: 'Old' })).toMatchObject({ start_speaking_plan })
    const body = { name: 'New', startSpeakingPlan: start_speaking_plan }
    expect(await send('PUT', '', body)).toMatchObject({ name: 'New', start_speaking_plan })
    await send('PUT', '', { name: 'New', startSpeakingPlan: { initialDelayMs: 300, backgroundSoundVolume: null } })
    const versions = await send('GET', '/update-log')
    expect(await send('POST', `/update-log/${versions[2].id}/restore`)).toMatchObject({
      name: 'Old',
      start_speaking_plan,
    })
  })
})
