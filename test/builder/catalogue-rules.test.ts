import { beforeAll, expect, test } from 'vitest'
import { refusal } from '../admin/caller.ts'
import { createRig, type Rig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await createRig()
})

const base = (config: object): [kind: string, body: object] => ['base-configs', { name: 'A', config }]
const preset = (overrides: object): [kind: string, body: object] => [
  'layer2-presets',
  { key: crypto.randomUUID(), name: 'A', overrides },
]
const personality = (voice: object): [kind: string, body: object] => ['personalities', { name: 'A', voice }]

type Refused = [entry: [kind: string, body: object], field: string, text: string]

const refused: Refused[] = [
  [base({ voice: { speed: 9 } }), 'config.voice.speed', 'The config.voice.speed field must be at most 4.'],
  [base({ voice: { provider: 5 } }), 'config.voice.provider', 'The config.voice.provider field must be a string.'],
  [base({ model: { model: {} } }), 'config.model.model', 'The config.model.model field must be a string.'],
  [
    base({ transcriber: { provider: [] } }),
    'config.transcriber.provider',
    'The config.transcriber.provider field must be a string.',
  ],
  [
    base({ transcriber: { model: 3 } }),
    'config.transcriber.model',
    'The config.transcriber.model field must be a string.',
  ],
  [base({ hooks: {} }), 'config.hooks', 'The config.hooks field must be an array.'],
  [
    base({ artifactPlan: { recording: 'yes' } }),
    'config.artifactPlan.recording',
    'The config.artifactPlan.recording field must be true or false.',
  ],
  [
    preset({ maxDurationSeconds: 5 }),
    'overrides.maxDurationSeconds',
    'The overrides.maxDurationSeconds field must be at least 10.',
  ],
  [
    preset({ model: { messages: [{ role: 'system' }] } }),
    'overrides.model.messages.0.content',
    'The overrides.model.messages.0.content field is required.',
  ],
  [
    personality({ provider: 'nobody', voiceId: 'x' }),
    'voice.provider',
    'The voice.provider field is not one that the voice platform supports.',
  ],
  [personality({ provider: '11labs' }), 'voice.voiceId', 'The voice.voiceId field is required.'],
  [
    personality({ provider: '11labs', voiceId: 'x', stability: 2 }),
    'voice.stability',
    'The voice.stability field must be at most 1.',
  ],
  [
    personality({ provider: 'vapi', voiceId: 'Lily', stability: 1 }),
    'voice.stability',
    'The voice.stability field is not one of those that the voice platform takes here.',
  ],
]

test.each(refused)('%j is refused, when made and when replaced', async ([kind, body], field, text) => {
  expect(await rig.admin.send('POST', `/admin/${kind}`, body)).toEqual(refusal(field, text))
  const empty = { config: {}, overrides: {}, voice: {} }
  const id = await rig.entry(kind, { ...body, ...empty })
  expect(await rig.admin.send('PUT', `/admin/${kind}/${id}`, body)).toEqual(refusal(field, text))
})

const taken: [kind: string, body: object][] = [
  base({ backgroundSound: 'none', voicemailDetection: { provider: 'google', beepMaxAwaitSeconds: 5 } }),
  base({ model: { provider: 'anthropic', model: 'x', temperature: 0.2 }, startSpeakingPlan: { waitSeconds: 1 } }),
  preset({ voice: { speed: null }, firstMessage: null }),
  personality({ provider: '11labs', voiceId: 'x', stability: 0.5 }),
  personality({ voiceId: 'Lily' }),
]
test.each(taken)('%s %j is kept as it is sent', async (kind, body) => {
  const made = await rig.admin.send('POST', `/admin/${kind}`, body)
  expect(made).toMatchObject({ status: 201, body: { data: body } })
})
