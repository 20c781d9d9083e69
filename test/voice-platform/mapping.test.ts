import { describe, expect, test } from 'vitest'
import { toPlatformAssistant } from '../../src/voice-platform/mapping/assistant.ts'
import { bareAssistant as bare, expectMapping, type MappingRow } from '../support/voice-platform/assistant.ts'
import { violations } from '../support/voice-platform/description.ts'

test('an assistant without configuration has the platform’s neutral values everywhere', () => {
  const body = toPlatformAssistant(bare)
  expect(body).toEqual({
    name: 'Anna',
    firstMessage: '',
    firstMessageMode: 'assistant-speaks-first',
    firstMessageInterruptionsEnabled: false,
    voicemailMessage: '',
    endCallMessage: '',
    endCallPhrases: [],
    voicemailDetection: 'off',
    maxDurationSeconds: 600,
    backgroundSound: 'off',
    modelOutputInMessagesEnabled: false,
    clientMessages: expect.arrayContaining(['transcript', 'status-update']),
    serverMessages: expect.arrayContaining(['end-of-call-report', 'status-update']),
    transportConfigurations: [],
    transcriber: { provider: 'deepgram', model: 'nova-3' },
    model: { provider: 'openai', model: 'gpt-4.1', messages: [], toolIds: [] },
    voice: { provider: 'vapi', voiceId: 'Elliot' },
    compliancePlan: {},
    backgroundSpeechDenoisingPlan: {
      smartDenoisingPlan: { enabled: false },
      fourierDenoisingPlan: { enabled: false },
    },
    startSpeakingPlan: {},
    stopSpeakingPlan: {},
    monitorPlan: { listenEnabled: true, controlEnabled: true },
    keypadInputPlan: { enabled: false },
    analysisPlan: { summaryPlan: { enabled: true }, successEvaluationPlan: { enabled: true } },
    artifactPlan: { recordingEnabled: true, transcriptPlan: { enabled: true } },
    server: null,
    metadata: { external_ref: 'ref-1' },
    credentialIds: [],
    hooks: [],
    observabilityPlan: null,
  })
  expect(violations('UpdateAssistantDTO', body)).toEqual([])
})

describe('lists and switches', () => {
  const rows: MappingRow[] = [
    // lists
    [
      'phrases that do not fit are held back',
      { endCallPhrases: ['a', 'bye', 'x'.repeat(141), '😀😀', 4, 'bye'] },
      { endCallPhrases: ['bye', '😀😀'] },
    ],
    [
      'only known client messages',
      { clientMessages: ['transcript', 'end-of-call-report', 1] },
      { clientMessages: ['transcript'] },
    ],
    [
      'only known server messages',
      { serverMessages: ['end-of-call-report', 'metadata'] },
      { serverMessages: ['end-of-call-report'] },
    ],
    [
      'an empty list stays empty',
      { serverMessages: [], clientMessages: [] },
      { serverMessages: [], clientMessages: [] },
    ],
    [
      'only Twilio has transport settings',
      { transportConfigurations: [{ provider: 'twilio', timeout: 9, x: 1 }, { provider: 'else' }] },
      { transportConfigurations: [{ provider: 'twilio', timeout: 9 }] },
    ],
    // the rest
    [
      'a mode that the platform does not know',
      { firstMessageMode: 'else' },
      { firstMessageMode: 'assistant-speaks-first' },
    ],
    [
      'a chosen mode',
      { firstMessageMode: 'assistant-waits-for-user', firstMessageInterruptionsEnabled: true },
      { firstMessageMode: 'assistant-waits-for-user', firstMessageInterruptionsEnabled: true },
    ],
    [
      'a duration',
      { maxDurationSeconds: 43_200, modelOutputInMessagesEnabled: true },
      { maxDurationSeconds: 43_200, modelOutputInMessagesEnabled: true },
    ],
    [
      'observability',
      { observabilityPlan: { provider: 'langfuse', tags: [], promptName: null } },
      { observabilityPlan: { provider: 'langfuse', tags: [] } },
    ],
    [
      'hooks and credentials',
      { hooks: [{ on: 'call.ending', do: [] }, 'x'], credentialIds: ['c', 4] },
      { hooks: [{ on: 'call.ending', do: [] }], credentialIds: ['c'] },
    ],
  ]
  test.each(rows)('%s', (_, config, expected) => expectMapping(config, expected))
})

describe('background sound', () => {
  test.each<[string | null | undefined, string | undefined, string]>([
    [undefined, undefined, 'off'],
    [null, 'https://s.example', 'off'],
    ['none', 'https://s.example', 'off'],
    ['off', 'https://s.example', 'off'],
    ['office', 'https://s.example', 'office'],
    ['coffee-shop', undefined, 'off'],
    ['coffee-shop', 'https://s.example/sounds/', 'https://s.example/sounds/coffee-shop.mp3'],
    ['https://else.example/a.mp3', undefined, 'https://else.example/a.mp3'],
  ])('%s with base %s is %s', (backgroundSound, backgroundSoundBaseUrl, expected) => {
    const input = { ...bare, config: { backgroundSound } }
    expect(toPlatformAssistant(input, { backgroundSoundBaseUrl }).backgroundSound).toBe(expected)
  })
})

describe('the record', () => {
  test('texts are cut to the platform’s limits in code points', () => {
    const long = '😀'.repeat(1200)
    const body = toPlatformAssistant({
      ...bare,
      name: long,
      firstMessage: long,
      endCallMessage: long,
      voicemailMessage: long,
    })
    const lengths = [body.name, body.firstMessage, body.endCallMessage, body.voicemailMessage].map(
      (text) => [...text].length,
    )
    expect(lengths).toEqual([40, 1200, 1000, 1000])
  })

  test.each([
    [undefined, 'Call us back.', { provider: 'vapi' }],
    [{ beepDetection: false }, 'Call us back.', { provider: 'vapi', beepMaxAwaitSeconds: 0 }],
    [{ enabled: false }, 'Call us back.', 'off'],
    [undefined, ' ', 'off'],
    [undefined, null, 'off'],
  ])('voicemail detection %j with the message %j is %j', (voicemailDetection, voicemailMessage, expected) => {
    const body = toPlatformAssistant({ ...bare, voicemailMessage, config: { voicemailDetection } })
    expect(body.voicemailDetection).toEqual(expected)
  })

  test('messages of a known role are the model’s messages', () => {
    const messages = [
      { role: 'system', content: 'You are Anna.' },
      { role: 'other', content: 'x' },
    ]
    expect(toPlatformAssistant({ ...bare, messages }).model.messages).toEqual([
      { role: 'system', content: 'You are Anna.' },
    ])
  })

  test('a webhook is sent with retries', () => {
    expect(toPlatformAssistant({ ...bare, serverUrl: 'https://hooks.example/x' }).server).toEqual({
      url: 'https://hooks.example/x',
      timeoutSeconds: 20,
      backoffPlan: { type: 'exponential', maxRetries: 8, baseDelaySeconds: 1 },
    })
  })

  test('the reference cannot be overwritten by metadata', () => {
    const metadata = { external_ref: 'forged', company_name: 'Acme' }
    expect(toPlatformAssistant({ ...bare, metadata }).metadata).toEqual({ external_ref: 'ref-1', company_name: 'Acme' })
  })
})
